// SPDX-License-Identifier: BSD-3-Clause
// Energies of a transient, step by step: numbers that are not finite, or energy that nothing gave, end it.
//
// K + S = K_0 + S_0 + W - (V - V_0), with kinetic, strain and gravity energy K, S, V and work W of loads, drives and
// dampers. Hence K + S is never above K_0 + S_0 + sum max(dW, 0) + sum max(-dV, 0), sums over the steps, but for errors
// of the method. Steps that take energy (dampers, brakes, what is lifted) do not count: dampers would count most where
// a solution grows without bound, and hide that.
#pragma once
#include <algorithm>
#include <string>

#include "polhode/assembly/system.hpp"
#include "polhode/integrators/step_report.hpp"

namespace polhode::analyses {

using model::State;

class EnergyWatch {
 public:
  // Keeps a reference. `duration` of the analysis, s.
  EnergyWatch(const assembly::System& system, double duration) : system_(system), duration_(duration) {}

  // The first state of the analysis, and the work W up to there, J. False if its numbers or energies are not finite:
  // describe() says which.
  bool begin(const State& q, double work);
  // Whether positions, velocities, accelerations and multipliers are finite. Allocates nothing if they are.
  bool is_finite(const State& q);
  // The state after a step, and W up to there, J. False if its energies are not finite, or far above what was given.
  // Allocates nothing but then.
  bool add(const State& q, double work);
  // Change of the energy that nothing accounts for: E - E_0 - (W - W_0), J, negative where energy is lost.
  double unexplained() const { return energies_.total() - first_energy_ - (work_ - first_work_); }
  // The largest K + S so far, or all work that was done on the model, J; at least the energy of round-off. The work of
  // gravity does not count: a pendulum does it in each swing, and would lose the less of it the longer it swings.
  double scale() const { return std::max({largest_, done_, round_off_}); }
  // Outcome and words of why the last call returned false: "the energy is not finite at t = 0.1 s; ...".
  void describe(integrators::StepReport& report) const;

 private:
  double round_off_of(const State& q) const;

  const assembly::System& system_;
  double duration_;
  // J, of the last state
  model::Energies energies_;
  double work_ = 0;
  // J: K_0 + S_0, and what work and gravity have given since, step by step
  double first_ = 0;
  double done_ = 0;
  double fallen_ = 0;
  // J: of the first state; K + S of all
  double first_energy_ = 0;
  double first_work_ = 0;
  double largest_ = 0;
  // J: energies that mean nothing
  double round_off_ = 0;
  integrators::Outcome outcome_ = integrators::Outcome::converged;
  std::string problem_;
};

}  // namespace polhode::analyses
