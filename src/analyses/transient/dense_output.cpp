// SPDX-License-Identifier: BSD-3-Clause
// States between the ends of a step.
#include "polhode/analyses/transient/dense_output.hpp"

#include "polhode/math/chart.hpp"
#include "polhode/math/hermite.hpp"
#include "polhode/math/parallel.hpp"

namespace polhode::analyses {

using model::State;
using model::Vec3;
using model::Vec6;

// Cubic Hermite polynomials of positions (by their rates) and velocities (by accelerations).
// Rotations as the same polynomial of the rotation vector from the begin, whose rate at the end is T^-1
// Omega, with the acceleration T^-1 (Omegadot - Tdot rate); accelerations and multipliers are linear. Internal variables
// follow from the state itself.
void interpolate(const assembly::System& system, const State& a, const State& b, double t, State& between,
                 Velocities velocities) {
  const double h = b.t - a.t;
  const double s = (t - a.t) / h;
  const math::CubicWeights w(s, h);
  const bool has_offsets = velocities == Velocities::with_offsets;
  const auto along = [&w, h, has_offsets](const Vec3& whole, const Vec3& v0, const Vec3& v1, const Vec3& a0,
                                          const Vec3& a1) -> Vec3 {
    Vec3 off = Vec3::Zero();
    if (has_offsets) off = 0.5 * (v0 + v1) - h / 12 * (a1 - a0) - whole / h;
    return w.rise * whole + w.first * (v0 - off) + w.second * (v1 - off);
  };
  if (between.x.size() != a.x.size()) between = a;
  between.t = t;
  between.last_step = 0;
  between.dropped = a.dropped;
  math::for_each_index(a.x.size(), [&](std::size_t i) {
    between.x[i] =
        a.x[i] + along(b.x[i] - a.x[i], a.v[i].head<3>(), b.v[i].head<3>(), a.vdot[i].head<3>(), b.vdot[i].head<3>());
    between.v[i] = a.v[i] + w.rise * (b.v[i] - a.v[i]) + w.first * a.vdot[i] + w.second * b.vdot[i];
    between.vdot[i] = (1 - s) * a.vdot[i] + s * b.vdot[i];
    const Vec3 p = math::so3::log((a.quat[i].conjugate() * b.quat[i]).normalized());
    const math::Mat3 back = math::so3::tangent_inverse(p);
    const Vec3 rate = back * b.v[i].tail<3>();
    const math::ChartPoint at_end(math::Chart::rotation_vector, p);
    const Vec3 acceleration = back * (b.vdot[i].tail<3>() - at_end.convective(rate));
    const Vec3 turn = along(p, a.v[i].tail<3>(), rate, a.vdot[i].tail<3>(), acceleration);
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
