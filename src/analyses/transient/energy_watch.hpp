// SPDX-License-Identifier: BSD-3-Clause
// Energies of a transient, step by step: numbers that are not finite end it.
#pragma once
#include <string>

#include "polhode/assembly/system.hpp"

namespace polhode::analyses {

using model::State;

class EnergyWatch {
 public:
  // Keeps a reference.
  explicit EnergyWatch(const assembly::System& system) : system_(system) {}

  // The first state of the analysis. False if its numbers or energies are not finite: problem() says which.
  bool begin(const State& q);
  // Whether positions, velocities, accelerations and multipliers are finite. Allocates nothing if they are.
  bool is_finite(const State& q);
  // The state after a step. False if its energies are not finite. Allocates nothing if they are.
  bool add(const State& q);
  // Why the last call returned false: "the energy is not finite at t = 0.1 s; ...".
  const std::string& problem() const { return problem_; }

 private:
  const assembly::System& system_;
  std::string problem_;
};

}  // namespace polhode::analyses
