// SPDX-License-Identifier: BSD-3-Clause
// Energies of a transient: numbers that are not finite, or energy that nothing gave, end it (energy_balance.hpp).
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "analyses/transient/energy_balance.hpp"
#include "analyses/transient/finite_motion.hpp"
#include "polhode/integrators/step_report.hpp"

namespace polhode::analyses {

using model::State;

class EnergyWatch {
 public:
  // Keeps a reference to the system. `duration` of the analysis, s. `impulses`: times where drives jump in value or in
  // rate, s, ascending; what energy changes there counts as work.
  EnergyWatch(const assembly::System& system, double duration, std::vector<double> impulses)
      : system_(system), duration_(duration), impulses_(std::move(impulses)), motion_(system) {}

  // The first state of the analysis, and the work W up to there, J. False if its numbers or energies are not finite:
  // describe() says which.
  bool begin(const State& q, double work);
  // Whether positions and velocities are finite. Allocates nothing if they are.
  bool is_finite(const State& q);
  // The state after a step, which is finite, and W up to there, J. False if its energies are not finite, or far above
  // what was given. Energies of all elements cost some percent of a step, so that they are looked at in each
  // `between`-th state, in the last one, and in those with velocities far above all before; the bound of the balance
  // holds for any choice of states. Allocates nothing but where it returns false.
  bool add_step(const State& q, double work, bool last);
  // rad/s: of the fastest node of the state that is_finite() looked at last.
  double fastest_rotation() const { return motion_.fastest_rotation(); }
  // Of the states that were looked at.
  const EnergyBalance& balance() const { return balance_; }
  // Outcome and words of why the last call returned false: "the energy is not finite at t = 0.1 s; ...".
  void describe(integrators::StepReport& report) const;

  // All that counts in steps to come.
  void archive(math::Archive& a) { a(balance_, steps_, added_square_speed_, t_); }

 private:
  // A state that is looked at, as add_step says.
  bool add(const State& q, double work);
  bool is_wholly_finite(const State& q);
  // False, which the calls return.
  bool fail(integrators::Outcome outcome, std::string problem);
  double round_off_of(const State& q, double strain) const;
  // Whether drives jump in [from, to], s.
  bool has_impulse(double from, double to) const;

  static constexpr long between = 32;
  const assembly::System& system_;
  double duration_;
  std::vector<double> impulses_;
  FiniteMotion motion_;
  EnergyBalance balance_;
  long steps_ = 0;
  // Of the states that were looked at: the largest square of a node's velocities, and the last time, s
  double added_square_speed_ = 0;
  double t_ = 0;
  integrators::Outcome outcome_ = integrators::Outcome::converged;
  std::string problem_;
};

}  // namespace polhode::analyses
