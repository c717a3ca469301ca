// SPDX-License-Identifier: BSD-3-Clause
// States within a Rosenbrock step.
#include "integrators/nodal.hpp"
#include "polhode/integrators/rosenbrock/rosenbrock.hpp"
#include "polhode/math/hermite.hpp"

namespace polhode::integrators {

// Positions as cubics of the coordinates of the chart, velocities as cubics of their own, by the accelerations.
void Rosenbrock::interpolate(double s, const State& begin, const State& end) {
  const math::CubicWeights weights(s, last_.h);
  const auto cubic = [&weights](const Vec6& a, const Vec6& b, const Vec6& rate_a, const Vec6& rate_b) -> Vec6 {
    return a + weights.rise * (b - a) + weights.first * rate_a + weights.second * rate_b;
  };
  for (std::size_t i = 1; i < system_.nodes(); ++i) {
    Vec6 theta_end;
    theta_end << end.x[i] - begin.x[i], math::so3::log((begin.quat[i].conjugate() * end.quat[i]).normalized());
    Vec6 thetad_end = end.v[i];
    thetad_end.tail<3>() = math::so3::tangent_inverse(theta_end.tail<3>()) * Vec3(end.v[i].tail<3>());
    const Vec6 theta = cubic(Vec6::Zero(), theta_end, begin.v[i], thetad_end);
    Vec6 thetad = cubic(begin.v[i], end.v[i], begin.vdot[i], end.vdot[i]);
    thetad.tail<3>() = math::so3::tangent_inverse(theta.tail<3>()) * Vec3(thetad.tail<3>());
    const model::NodeUnknowns& at = system_.unknowns()[i];
    for (int k = 0; k < 6; ++k) {
      if (at.local[k] < 0) continue;
      vectors_.z[at.first + at.local[k]] = theta[k];
      vectors_.zd[at.first + at.local[k]] = thetad[k];
    }
  }
}

// The first evaluation goes over the end of the step in the chart, which is kept. Without constraints all unknowns are
// free, and there is nothing to bring back.
bool Rosenbrock::between(double t, State& q, double& work) {
  const State& begin = space_.chart().origin();
  if (system_.rows() == 0 || !last_.finished || t < begin.t || t > last_.t_next) return false;
  if (!end_.is_known) {
    end_.q = space_.chart().stage();
    end_.power = system_.power(end_.q);
    end_.is_known = true;
  }
  const double s = (t - begin.t) / last_.h;
  interpolate(s, begin, end_.q);
  // States of signals by values and rates at both ends
  const math::CubicWeights cubic(s, last_.h);
  if (vectors_.g.size() > 0)
    space_.chart().stage().signals.z = begin.signals.z + cubic.rise * (end_.q.signals.z - begin.signals.z) +
                                       cubic.first * begin.signals.rate + cubic.second * end_.q.signals.rate;
  if (!space_.evaluate(vectors_.z, vectors_.zd, t, vectors_.F)) return false;
  q = space_.chart().stage();
  q.last_step = 0;
  system_.update_history(q);
  work += (cubic.rise - 1) * last_.work + cubic.first * power1_ + cubic.second * end_.power;
  return true;
}

}  // namespace polhode::integrators
