// SPDX-License-Identifier: BSD-3-Clause
// Initial values of coordinates, read from an entry.
#include "polhode/model/initial_coordinate.hpp"

#include <array>

#include "polhode/model/catalog.hpp"

namespace polhode::model {
namespace {

using Form = InitialCoordinate::Form;

// All pairs of keys that the kinds have; a kind with one coordinate calls its rate `rate`.
const std::array candidates{
    InitialCoordinate{Form::angle, 2, false, "initial.angle", "initial.rate", "rotation"},
    InitialCoordinate{Form::angle, 2, false, "initial.angle", "initial.angle_rate", "rotation"},
    InitialCoordinate{Form::angle, 0, false, "initial.angle_1", "initial.angle_1_rate", "rotation_1"},
    InitialCoordinate{Form::angle, 1, true, "initial.angle_2", "initial.angle_2_rate", "rotation_2"},
    InitialCoordinate{Form::displacement, 2, false, "initial.displacement", "initial.rate", "translation"},
    InitialCoordinate{Form::displacement, 2, false, "initial.displacement", "initial.displacement_rate", "translation"},
    InitialCoordinate{Form::displacement, 0, false, "initial.displacement_1", "initial.displacement_1_rate",
                      "translation_1"},
    InitialCoordinate{Form::displacement, 1, false, "initial.displacement_2", "initial.displacement_2_rate",
                      "translation_2"},
    InitialCoordinate{Form::rotation_vector, 2, false, "initial.rotation_vector", "initial.angular_velocity",
                      "rotation_vector"}};

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

void set(const Entry& entry, InitialCoordinate& one) {
  const bool has_value = entry.has(one.value_key);
  const bool has_rate = entry.has(one.rate_key);
  if (one.form != Form::rotation_vector) {
    if (has_value) one.value = entry.number(one.value_key);
    if (has_rate) one.rate = entry.number(one.rate_key);
    return;
  }
  if (has_value) one.vector = entry.vector3(one.value_key);
  if (has_rate) one.vector_rate = entry.vector3(one.rate_key);
  if (has_value) one.value = one.vector.norm();
  if (has_rate) one.rate = one.vector_rate.norm();
}

}  // namespace

// The two keys of a candidate have to be those of the kind: `rate` alone does not say of what.
std::vector<InitialCoordinate> initial_coordinates(const Entry& entry) {
  std::vector<InitialCoordinate> given;
  for (InitialCoordinate one : candidates) {
    if (!(entry.has(one.value_key) || entry.has(one.rate_key)) || !declares(entry, one.value_key) ||
        !declares(entry, one.rate_key))
      continue;
    set(entry, one);
    given.push_back(one);
  }
  return given;
}

}  // namespace polhode::model
