// SPDX-License-Identifier: BSD-3-Clause
// Settings of the structure-preserving family (structure_solver.hpp).
#pragma once
#include <optional>

#include "polhode/model/settings.hpp"

namespace polhode::integrators {

struct StructureSettings {
  // How the first step begins.
  enum class Start {
    given,            // from the velocities of the state
    euler,            // variational: its first step in fine ones, the first of them Euler's
    energy_momentum,  // variational: its first step in fine ones of energy_momentum
    corrected         // energy_momentum: velocities off the constraints, as the method itself would have them
  } start = Start::given;
  // Parameters of the rotation of a step (node_step.hpp); variational.
  enum class Increments { quaternion, cayley };
  // Where springs and loads act in a step; variational.
  enum class Potential { midpoint, node, left };

  // Size of the fine steps of `start`, s; 1e-5 where it is not given.
  std::optional<double> start_step = {};
  // quaternion where it is not given.
  std::optional<Increments> increments = {};
  // midpoint where it is not given.
  std::optional<Potential> potential = {};

  double fine_step() const { return start_step.value_or(1e-5); }
  Increments chart() const { return increments.value_or(Increments::quaternion); }
  Potential place_of_forces() const { return potential.value_or(Potential::midpoint); }
};

extern const model::SettingsTable structure_table;

}  // namespace polhode::integrators
