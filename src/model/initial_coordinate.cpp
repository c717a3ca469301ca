// SPDX-License-Identifier: BSD-3-Clause
// Initial values of coordinates, read from an entry.
#include "polhode/model/initial_coordinate.hpp"

#include <array>

#include "polhode/model/catalog.hpp"

namespace polhode::model {
namespace {

// All pairs of keys that the kinds have; a kind with one coordinate calls its rate `rate`.
constexpr std::array candidates{
    InitialCoordinate{true, {}, {}, "initial.angle", "initial.rate", "rotation"},
    InitialCoordinate{true, {}, {}, "initial.angle", "initial.angle_rate", "rotation"},
    InitialCoordinate{false, {}, {}, "initial.displacement", "initial.rate", "translation"},
    InitialCoordinate{false, {}, {}, "initial.displacement", "initial.displacement_rate", "translation"}};

// Whether the kind declares the key under its `initial`.
bool declares(const Entry& entry, std::string_view key) {
  const std::string_view member = key.substr(key.find('.') + 1);
  for (const Field& field : entry.kind->fields) {
    if (field.name != "initial") continue;
    for (const Field& one : field.members)
      if (one.name == member) return true;
  }
  return false;
}

}  // namespace

// The two keys of a candidate have to be those of the kind: `rate` alone does not say of what.
std::vector<InitialCoordinate> initial_coordinates(const Entry& entry) {
  std::vector<InitialCoordinate> given;
  for (InitialCoordinate one : candidates) {
    const bool has_value = entry.has(one.value_key);
    const bool has_rate = entry.has(one.rate_key);
    if (!(has_value || has_rate) || !declares(entry, one.value_key) || !declares(entry, one.rate_key)) continue;
    if (has_value) one.value = entry.number(one.value_key);
    if (has_rate) one.rate = entry.number(one.rate_key);
    given.push_back(one);
  }
  return given;
}

}  // namespace polhode::model
