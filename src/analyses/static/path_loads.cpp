// SPDX-License-Identifier: BSD-3-Clause
// Loads, turning frame and unbalance of the start at a parameter of the path.
#include "path_loads.hpp"

#include "polhode/analyses/motion/rotating.hpp"

namespace polhode::analyses {

using assembly::Residual;

PathLoads::PathLoads(const assembly::System& system, const StaticSettings& settings, bool loaded, const State& start)
    : system_(system), settings_(settings), loaded_(loaded), start_(system.make_residual()) {
  State q = start;
  set_parameter(q, 0);
  system_.set_residual(q, start_);
}

// Centrifugal accelerations grow as the other loads do, in proportion to the load factor.
void PathLoads::set_parameter(State& q, double s) const {
  q.load_factor = load_factor(s);
  if (settings_.rotation) set_steady_rotation(*settings_.rotation, load_factor(s), q);
  if (q.signals.z.size() == 0 || q.signals.gain != 0) return;
  q.signals.base = q.signals.z;
  q.signals.gain = signal_step_;
}

void PathLoads::set_residual(State& q, double s, Residual& r) const {
  set_parameter(q, s);
  system_.set_residual(q, r);
  for (std::size_t i = 0; i < r.force.size(); ++i) r.force[i] -= (1 - s) * start_.force[i];
  r.phi -= (1 - s) * start_.phi;
}

// (r(s + ds) - r(s)) / ds + r_0: a difference, since load factor and turning frame enter the elements.
Residual PathLoads::rate(State q, double s) const {
  constexpr double ds = 1e-5;  // the residual is linear in s; drives of many turns must not come round
  Residual rate = system_.make_residual();
  Residual here = system_.make_residual();
  set_parameter(q, s + ds);
  system_.set_residual(q, rate);
  set_parameter(q, s);
  system_.set_residual(q, here);
  for (std::size_t i = 0; i < here.force.size(); ++i)
    rate.force[i] = (rate.force[i] - here.force[i]) / ds + start_.force[i];
  rate.phi = (rate.phi - here.phi) / ds + start_.phi;
  return rate;
}

}  // namespace polhode::analyses
