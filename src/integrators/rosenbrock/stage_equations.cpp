// SPDX-License-Identifier: BSD-3-Clause
// Derivatives along the solution of a stage.
#include "polhode/integrators/rosenbrock/stage_equations.hpp"

#include <algorithm>
#include <cmath>

#include "integrators/nodal.hpp"

namespace polhode::integrators {

StageEquations::StageEquations(const assembly::System& system, StateSpace& space, bool keeps_tangents)
    : system_(system),
      space_(space),
      linearization_(system, space.lifted().places),
      stage_system_(space.lifted().places, space.lifted().lift, linearization_.tangents(), space.lifted().matrix,
                    keeps_tangents || !system.signals().empty()),
      signals_(system),
      moved_(system.initial_state()),
      theta_(system.nodes(), Vec6::Zero()),
      thetad_(theta_),
      thetad_of_unknowns_(VectorX::Zero(system.free_unknowns())) {}

void StageEquations::begin() {
  const State& origin = space_.chart().origin();
  moved_.history = origin.history;
  if (!system_.signals().empty()) moved_.signals = origin.signals;
  moved_.dropped = origin.dropped;
  moved_.load_factor = origin.load_factor;
}

// Of positions, velocities and multipliers as the descriptor has them, which meet the constraints to first order. By
// differences to one side, as loads and drives may have a kink at the origin: D = (-3 f(0) + 4 f(e) - f(2 e)) / (2 e).
double StageEquations::power_change(const VectorX& u, double dt, double origin_power, const VectorX& changes) {
  const State& origin = space_.chart().origin();
  const double s = stage_system_.s();
  const bool constrained = system_.rows() > 0;
  const double side = dt < 0 ? -1 : 1;
  thetad_of_unknowns_ = u + stage_system_.w() / s;
  system_.scatter(stage_system_.solution(), theta_);
  system_.scatter(thetad_of_unknowns_, thetad_);
  // of the largest change, which is to be 1e-4
  const double length = system_.length();
  const double speed = std::max(1.0, size_of(origin.v, length));
  const double way = std::max({1e-3, size_of(theta_, length), size_of(thetad_, length) / speed});
  const double e = std::min(1e-3, 1e-4 / way);
  double sum = -3 * origin_power;
  for (const int k : {1, 2}) {
    const double part = side * k * e;
    for (std::size_t i = 0; i < theta_.size(); ++i) {
      const Vec3 psi = part * theta_[i].tail<3>();
      moved_.x[i] = origin.x[i] + part * theta_[i].head<3>();
      moved_.set_rotation(i, origin.quat[i] * math::so3::exp_quaternion(psi));
      moved_.v[i] = origin.v[i] + part * thetad_[i];
      moved_.v[i].tail<3>() -= psi.cross(Vec3(moved_.v[i].tail<3>())) / 2;  // T(psi) to first order
    }
    if (changes.size() > 0) moved_.signals.z = origin.signals.z + part * changes;
    if (constrained) moved_.lambda = origin.lambda;
    if (constrained && stage_system_.has_multipliers()) moved_.lambda += part / (s * s) * stage_system_.nu();
    moved_.t = origin.t + k * e * std::abs(dt);
    sum += (k == 1 ? 4 : -1) * system_.power(moved_);
  }
  return side * sum / (2 * e);
}

}  // namespace polhode::integrators
