// SPDX-License-Identifier: BSD-3-Clause
// The keys of an analysis that gives a linear model, and how they are read.
#include "model_reader.hpp"

namespace polhode::io {
namespace {

using model::FieldType;

constexpr std::string_view linearize_type[] = {"linearize"};

constexpr Key linearize_keys[] = {
    {{.name = "type",
      .type = FieldType::choice,
      .unit = "",
      .doc = "what is done",
      .required = true,
      .choices = linearize_type}},
    {{"inputs", FieldType::names, "",
      "forces: nodes.tip.force.x (inertial), forces.push.moment.z, forces.push.history, joints.pin.motor, "
      "forces.spring.actuator; vectors without a component stand for all three"}},
    {{"outputs", FieldType::names, "", "results, named as in `responses`: nodes.tip.position.z, joints.pin.coordinates"}},
    {{.name = "modes",
      .type = FieldType::integer,
      .unit = "",
      .doc = "states of the lowest modes only, so many; default: of all motions that the constraints allow",
      .min = 1,
      .max = 1000}},
    {{"rotation", FieldType::text, "",
      "about an equilibrium in a frame that turns steadily, and as seen in that frame"},
     Form::mapping,
     &rotation_table},
};

std::vector<std::string> names_of(const Mapping& given, std::string_view key) {
  const auto* names = given.value<std::vector<std::string>>(key);
  return names ? *names : std::vector<std::string>{};
}

}  // namespace

const Table linearize_table{
    "linearize",
    "The linear model of small motions about the present state, an equilibrium: matrices, and the state space of "
    "inputs and outputs.",
    linearize_keys};

analyses::LinearizeSettings read_linearize(const Mapping& given, Reader& reader) {
  analyses::LinearizeSettings settings;
  settings.inputs = names_of(given, "inputs");
  settings.outputs = names_of(given, "outputs");
  if (const double* modes = given.value<double>("modes")) settings.modes = static_cast<int>(*modes);
  settings.rotation = read_rotation(given, reader);
  return settings;
}

}  // namespace polhode::io
