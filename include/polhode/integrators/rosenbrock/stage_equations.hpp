// SPDX-License-Identifier: BSD-3-Clause
// The linear equations of stages about the origin of a chart, by tangents that may be older than the chart, and the
// derivative of the power along what they give.
#pragma once
#include <functional>

#include "polhode/integrators/rosenbrock/stage_signals.hpp"
#include "polhode/integrators/rosenbrock/state_space.hpp"

namespace polhode::integrators {

class StageEquations {
 public:
  // `keeps_tangents`: over several steps. Keeps references.
  StageEquations(const assembly::System& system, StateSpace& space, bool keeps_tangents = false);

  // After each StateSpace::begin().
  void begin();
  // Tangents at the chart's origin; `h` is the step to come (of differences in time).
  void linearize(double h) {
    linearization_.linearize(space_.chart().origin(), h);
    if (signals_.empty()) return;
    signals_.linearize(space_.chart().origin(), h);
    linearization_.take_from_Phi_t(signals_.Phi_rates());
  }
  // Multiplies what tangents there are of forces and curvature, entry by entry: to try methods that allow for it.
  void disturb_tangents(const std::function<double()>& factor) { linearization_.disturb(factor); }
  // The matrix of the stages, for any h and with the tangents of the last linearize(). False if it is singular.
  bool factorize(double h, double gamma) {
    return stage_system_.factorize(h, gamma) && (signals_.empty() || signals_.factorize(stage_system_, h, gamma));
  }
  // With the first solve() behind it.
  bool factorize_and_solve(double h, double gamma, const VectorX& b, const VectorX& d, double dt, VectorX& u) {
    if (signals_.empty()) return stage_system_.factorize_and_solve(h, gamma, b, d, dt, u);
    if (!factorize(h, gamma)) return false;
    solve(b, d, dt, u);
    return true;
  }
  // As StageSystem::solve.
  void solve(const VectorX& b, const VectorX& d, double dt, VectorX& u) { stage_system_.solve(b, d, dt, u); }
  // Behind it, from the right-hand side of states of signals: their changes, and what these make of u. Nothing where
  // there are none.
  void add_signals(const VectorX& b_signals, const VectorX& d, double dt, VectorX& u, VectorX& changes) {
    if (signals_.empty()) return;
    stage_system_.add_answers(signals_.solve(stage_system_, b_signals, dt, changes), d, u);
  }

  // The derivative of the power of loads, dampers and drives, W, along what the last solve() found, which is
  // (h (d + gamma u), u, dt), with these changes of states of signals. `origin_power`: at the origin.
  double power_change(const VectorX& u, double dt, double origin_power, const VectorX& changes = {});

 private:
  const assembly::System& system_;
  StateSpace& space_;
  StageLinearization linearization_;
  StageSystem stage_system_;
  StageSignals signals_;
  // Of power_change(): a state near the origin, and the way to it
  State moved_;
  std::vector<Vec6> theta_;
  std::vector<Vec6> thetad_;
  VectorX thetad_of_unknowns_;
};

}  // namespace polhode::integrators
