// SPDX-License-Identifier: BSD-3-Clause
// The keys `constraints` and `initial` of a deck.
#include "polhode/model/model_settings.hpp"

namespace polhode::model {
namespace {

constexpr std::string_view redundant_names[] = {"error", "resolve"};

// Model::resolve_redundant under the names that a deck has for its two values.
constexpr Setting redundant() {
  const auto assign = [](void* model, const Value& value) {
    static_cast<Model*>(model)->resolve_redundant = std::get<std::string>(value) == redundant_names[1];
  };
  const auto read = [](const void* model) -> Value {
    return std::string(redundant_names[static_cast<const Model*>(model)->resolve_redundant ? 1 : 0]);
  };
  const auto otherwise = []() -> Value { return std::string(redundant_names[Model{}.resolve_redundant ? 1 : 0]); };
  return {.field = {.name = "redundant",
                    .type = FieldType::choice,
                    .doc = "error: constraints that follow from others are an error that names them; resolve: they "
                           "are dropped, and multipliers have the least norm",
                    .choices = redundant_names},
          .assign = assign,
          .read = read,
          .otherwise = otherwise};
}

// Both tables are read, documented and written like those of analyses.
constexpr Setting constraints_keys[] = {redundant()};

constexpr Setting initial_keys[] = {
    setting<&Model::position_tolerance>({.name = "positions",
                                         .doc = "violations up to this fraction of the size of the model are removed "
                                                "and reported; larger ones are an error",
                                         .min = 0}),
    setting<&Model::velocity_tolerance>(
        {.name = "velocities", .doc = "the same for velocities, as a fraction of the speed of the model", .min = 0}),
};

}  // namespace

const SettingsTable constraints_table{"constraints", "Redundant constraints.", constraints_keys};
const SettingsTable initial_table{"initial", "Consistency of the start.", initial_keys};

}  // namespace polhode::model
