// SPDX-License-Identifier: BSD-3-Clause
// The keys of the structure-preserving family.
#include "polhode/integrators/structure/settings.hpp"

namespace polhode {

using Settings = integrators::StructureSettings;

template <>
struct model::Choices<Settings::Start> {
  using Start = Settings::Start;
  static constexpr std::array<std::pair<Start, std::string_view>, 4> all{{{Start::given, "given"},
                                                                          {Start::euler, "euler"},
                                                                          {Start::energy_momentum, "energy_momentum"},
                                                                          {Start::corrected, "corrected"}}};
};

template <>
struct model::Choices<Settings::Increments> {
  using Increments = Settings::Increments;
  static constexpr std::array<std::pair<Increments, std::string_view>, 2> all{
      {{Increments::quaternion, "quaternion"}, {Increments::cayley, "cayley"}}};
};

template <>
struct model::Choices<Settings::Potential> {
  using Potential = Settings::Potential;
  static constexpr std::array<std::pair<Potential, std::string_view>, 3> all{
      {{Potential::midpoint, "midpoint"}, {Potential::node, "node"}, {Potential::left, "left"}}};
};

namespace integrators {
namespace {

constexpr model::Setting keys[] = {
    model::setting<&Settings::start>(
        {.name = "start",
         .doc = "start of structure-preserving methods. variational: given: from the momenta of the state; euler: by "
                "fine steps, the first of them Euler's (Wendlandt & Marsden); energy_momentum: by fine steps of that "
                "method. energy_momentum: given: from the velocities of the state; corrected: velocities off the "
                "constraints as the method itself produces them, so that its multipliers do not alternate"}),
    model::setting<&Settings::start_step>({.name = "start_step",
                                           .unit = "s",
                                           .doc = "variational: size of the fine steps of `start`",
                                           .min = 0,
                                           .min_exclusive = true,
                                           .default_text = "1.0e-5"}),
    model::setting<&Settings::increments>(
        {.name = "increments",
         .doc = "variational: parameters of the rotation of a step. quaternion: h |Omega| < 1 (Wendlandt & Marsden); "
                "cayley: no such limit",
         .default_text = "quaternion"}),
    model::setting<&Settings::potential>(
        {.name = "potential",
         .doc = "variational: springs and loads act at the midpoint of the step, all forces at its ends (node), or all "
                "at its beginning (left)",
         .default_text = "midpoint"}),
};

}  // namespace

const model::SettingsTable structure_table{"structure", "Keys of the structure-preserving methods.", keys};

}  // namespace integrators
}  // namespace polhode
