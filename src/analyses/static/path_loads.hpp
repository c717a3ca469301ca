// SPDX-License-Identifier: BSD-3-Clause
// The residual of equilibrium along a path of loads (polhode/analyses/static/static.hpp) at one parameter s:
//   R(q, lambda; s) = r(q, lambda; s) - (1 - s) r_0, with r_0 the residual of the start at s = 0; Phi likewise.
#pragma once
#include "polhode/analyses/settings.hpp"
#include "polhode/assembly/system.hpp"

namespace polhode::analyses {

using model::State;
using model::VectorX;

class PathLoads {
 public:
  // `loaded`: loads are as they are at the start already, and s releases the unbalance of `start` only. Keeps
  // references to `system` and `settings`.
  PathLoads(const assembly::System& system, const StaticSettings& settings, bool loaded, const State& start);

  const assembly::System& system() const { return system_; }
  const StaticSettings& settings() const { return settings_; }
  double load_factor(double s) const { return loaded_ ? 1 : s; }

  // Load factor, motion of the turning frame; states of signals that stand are to take a step (signal_step()).
  void set_parameter(State& q, double s) const;
  // Statics seek z' = f = 0 by implicit Euler steps z = z_0 + dt f(z), s, of growing length: those of a load step at
  // first. Integrators, for which f = 0 says nothing of z, are then springs, and the stiffness is regular.
  double signal_step() const { return signal_step_; }
  void set_signal_step(double dt) { signal_step_ = dt; }
  // R, and the parameter of q.
  void set_residual(State& q, double s, assembly::Residual& r) const;
  // dR/ds.
  assembly::Residual rate(State q, double s) const;

 private:
  const assembly::System& system_;
  const StaticSettings& settings_;
  bool loaded_;
  double signal_step_ = 0.937;  // s; no round number, as poles of decks are
  assembly::Residual start_;    // r_0 and Phi_0
};

}  // namespace polhode::analyses
