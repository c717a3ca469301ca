// SPDX-License-Identifier: BSD-3-Clause
// States between the ends of a step.
#include "polhode/analyses/transient/dense_output.hpp"

#include "polhode/math/hermite.hpp"
#include "polhode/math/parallel.hpp"

namespace polhode::analyses {

using model::State;
using model::Vec3;
using model::Vec6;

// Cubic Hermite polynomials of positions (by velocities) and velocities (by accelerations).
// Rotations as the same polynomial of the rotation vector from the begin, whose rate at the end is T^-1
// Omega; accelerations and multipliers are linear. Internal variables follow from the state itself.
void interpolate(const assembly::System& system, const State& a, const State& b, double t, State& between) {
  const double h = b.t - a.t;
  const double s = (t - a.t) / h;
  const math::CubicWeights w(s, h);
  if (between.x.size() != a.x.size()) between = a;
  between.t = t;
  between.last_step = 0;
  between.dropped = a.dropped;
  math::for_each_index(a.x.size(), [&](std::size_t i) {
    between.x[i] = a.x[i] + w.rise * (b.x[i] - a.x[i]) + w.first * a.v[i].head<3>() + w.second * b.v[i].head<3>();
    between.v[i] = a.v[i] + w.rise * (b.v[i] - a.v[i]) + w.first * a.vdot[i] + w.second * b.vdot[i];
    between.vdot[i] = (1 - s) * a.vdot[i] + s * b.vdot[i];
    const Vec3 p = math::so3::log((a.quat[i].conjugate() * b.quat[i]).normalized());
    const Vec3 turn =
        w.first * a.v[i].tail<3>() + w.rise * p + w.second * math::so3::tangent_inverse(p) * Vec3(b.v[i].tail<3>());
    between.set_rotation(i, (a.quat[i] * math::so3::exp_quaternion(turn)).normalized());
  });
  between.lambda = (1 - s) * a.lambda + s * b.lambda;
  between.history = a.history;
  // States of signals by the same polynomial; what is held is that of the begin
  const model::SignalState& from = a.signals;
  const model::SignalState& to = b.signals;
  between.signals.z = from.z + w.rise * (to.z - from.z) + w.first * from.rate + w.second * to.rate;
  between.signals.held = from.held;
  between.signals.past = from.past;
  between.signals.values = from.values;
  between.signals.gain = 0;
  system.update_history(between);
}

}  // namespace polhode::analyses
