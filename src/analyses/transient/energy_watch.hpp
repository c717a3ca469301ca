// SPDX-License-Identifier: BSD-3-Clause
// Energies of a transient: numbers that are not finite, or energy that nothing gave, end it.
//
// K + S = K_0 + S_0 + W - (V - V_0), with kinetic, strain and gravity energy K, S, V and work W of loads, drives and
// dampers. Hence K + S is never above K_0 + S_0 + sum |dW| + sum |dV|, sums over the states that are looked at, but for
// errors of the method, and for impulses of drives that jump: their work is what the energy changes by.
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "polhode/assembly/system.hpp"
#include "polhode/integrators/step_report.hpp"

namespace polhode::analyses {

using model::State;

class EnergyWatch {
 public:
  // Keeps a reference to the system. `duration` of the analysis, s. `impulses`: times where drives jump in value or in
  // rate, s, ascending; what energy changes there counts as work.
  EnergyWatch(const assembly::System& system, double duration, std::vector<double> impulses)
      : system_(system), duration_(duration), impulses_(std::move(impulses)) {}

  // The first state of the analysis, and the work W up to there, J. False if its numbers or energies are not finite:
  // describe() says which.
  bool begin(const State& q, double work);
  // Whether positions and velocities are finite. Allocates nothing if they are.
  bool is_finite(const State& q);
  // The state after a step, which is finite, and W up to there, J. False if its energies are not finite, or far above
  // what was given. Energies of all elements cost some percent of a step, so that they are looked at in each
  // `between`-th state, in the last one, and in those with velocities far above all before; the bound above holds for
  // any choice of states. Allocates nothing but where it returns false.
  bool add_step(const State& q, double work, bool last);
  // rad/s: of the fastest node of the state that is_finite() looked at last.
  double fastest_rotation() const { return std::sqrt(square_rotation_); }
  // Change of the energy that nothing accounts for: E - E_0 - (W - W_0), J, negative where energy is lost.
  double unexplained() const { return energies_.total() - first_energy_ - (work_ - first_work_) - impulsive_; }
  // The largest K + S so far, or all work that was done on the model and by it, J; at least the energy of round-off.
  // The work of gravity does not count: a pendulum does it in each swing, and would lose the less of it the longer it
  // swings.
  double scale() const { return std::max({largest_, done_, round_off_}); }
  // J: what dampers, loads and drives would have taken beyond all that the model had, which is an error of the work. A
  // stiff damper under velocities that change sign from step to step has a large power at each end, and does no work.
  double overcounted() const { return overcounted_; }
  // J, total: of the first state of the analysis, and of the last one that was looked at.
  double first_energy() const { return first_energy_; }
  double last_energy() const { return energies_.total(); }
  // Outcome and words of why the last call returned false: "the energy is not finite at t = 0.1 s; ...".
  void describe(integrators::StepReport& report) const;

 private:
  // A state that is looked at, as add_step says.
  bool add(const State& q, double work);
  bool is_wholly_finite(const State& q);
  double round_off_of(const State& q) const;
  // Whether drives jump in [from, to], s.
  bool has_impulse(double from, double to) const;

  static constexpr long between = 16;
  const assembly::System& system_;
  double duration_;
  std::vector<double> impulses_;
  long steps_ = 0;
  // Largest square of a node's velocities, m/s and rad/s together: of the last state, and of those that were added.
  double square_speed_ = 0;
  double added_square_speed_ = 0;
  double square_rotation_ = 0;
  // J: of the last state that was added; work up to the last step
  model::Energies energies_;
  double work_ = 0;
  double work_of_step_ = 0;
  // s, of the last state; J, by impulses of drives
  double t_ = 0;
  double impulsive_ = 0;
  double overcounted_ = 0;
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
