// SPDX-License-Identifier: BSD-3-Clause
// States within a Radau step.
#include "polhode/integrators/radau/dense_step.hpp"

#include "polhode/integrators/radau/coefficients.hpp"
#include "polhode/math/chart.hpp"
#include "polhode/math/hermite.hpp"
#include "polhode/math/parallel.hpp"

namespace polhode::integrators {

using model::State;
using model::Vec3;
using model::Vec6;

namespace {

// Weights at the part s of a step of h: of the value at the end (that at the begin is zero), of rates at begin and end,
// of second derivatives there.
struct QuinticWeights {
  double value;
  double first[2];
  double second[2];
  Vec3 of(const Vec3& end, const Vec3& rate0, const Vec3& rate1, const Vec3& acceleration0,
          const Vec3& acceleration1) const {
    return value * end + first[0] * rate0 + first[1] * rate1 + second[0] * acceleration0 + second[1] * acceleration1;
  }
};

QuinticWeights quintic(double s, double h) {
  const double s2 = s * s;
  const double s3 = s2 * s;
  return {s3 * (10 + s * (6 * s - 15)),
          {h * (s + s3 * (-6 + s * (8 - 3 * s))), h * s3 * (-4 + s * (7 - 3 * s))},
          {h * h / 2 * (s2 + s3 * (-3 + s * (3 - s))), h * h / 2 * s3 * (1 + s * (s - 2))}};
}

// Their derivatives by time.
QuinticWeights quintic_rates(double s, double h) {
  const double s2 = s * s;
  return {30 * s2 * (1 + s * (s - 2)) / h,
          {1 + s2 * (-18 + s * (32 - 15 * s)), s2 * (-12 + s * (28 - 15 * s))},
          {h / 2 * (2 * s + s2 * (-9 + s * (12 - 5 * s))), h / 2 * s2 * (3 + s * (5 * s - 8))}};
}

}  // namespace

void DenseStep::set_end(const State& next, const std::vector<Vec6>& theta) {
  t_ = next.t;
  theta_ = theta;
  v_ = next.v;
  vdot_ = next.vdot;
  lambda_ = next.lambda;
  z_ = next.signals.z;
  rate_ = next.signals.rate;
}

void DenseStep::interpolate(const State& begin, double t, State& q) const {
  const double h = t_ - begin.t;
  const double s = (t - begin.t) / h;
  const QuinticWeights w = quintic(s, h);
  const QuinticWeights rates = quintic_rates(s, h);
  if (q.x.size() != begin.x.size()) q = begin;
  q.t = t;
  q.last_step = 0;
  q.load_factor = begin.load_factor;
  q.history = begin.history;
  q.dropped = begin.dropped;
  q.lambda = (1 - s) * begin.lambda + s * lambda_;
  if (begin.signals.values.size() > 0) q.signals = begin.signals;
  // What forces follow between steps: cubics are as good as the multipliers are there
  const math::CubicWeights cubic(s, h);
  if (z_.size() > 0)
    q.signals.z += cubic.rise * (z_ - begin.signals.z) + cubic.first * begin.signals.rate + cubic.second * rate_;
  math::for_each_index(begin.x.size(), [&](std::size_t i) {
    const auto both = [&](const QuinticWeights& by, const Vec3& rate1, const Vec3& acceleration1, int part) -> Vec3 {
      return by.of(theta_[i].segment<3>(part), begin.v[i].segment<3>(part), rate1, begin.vdot[i].segment<3>(part),
                   acceleration1);
    };
    q.x[i] = begin.x[i] + both(w, v_[i].head<3>(), vdot_[i].head<3>(), 0);
    q.v[i].head<3>() = both(rates, v_[i].head<3>(), vdot_[i].head<3>(), 0);
    const Vec3 turn = theta_[i].tail<3>();
    const math::ChartPoint at_end(math::Chart::rotation_vector, turn);
    const math::Mat3 back = math::so3::tangent_inverse(turn);
    const Vec3 rate = back * v_[i].tail<3>();
    const Vec3 acceleration = back * (vdot_[i].tail<3>() - at_end.convective(rate));
    const Vec3 psi = both(w, rate, acceleration, 3);
    q.set_rotation(i, (begin.quat[i] * math::so3::exp_quaternion(psi)).normalized());
    q.v[i].tail<3>() = math::so3::tangent(psi) * both(rates, rate, acceleration, 3);
    q.vdot[i] = (1 - s) * begin.vdot[i] + s * vdot_[i];
  });
}

// The integral of the parabola through the powers of the stages: exactly that of the whole step at its begin.
double DenseStep::work_from_end(const State& begin, double t, const Vec3& power) const {
  const double h = t_ - begin.t;
  const double s = (t - begin.t) / h;
  const Vec3& c = radau_coefficients().c;
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double a = c[(i + 1) % 3];
    const double b = c[(i + 2) % 3];
    const double whole = (1 - s * s * s) / 3 - (a + b) * (1 - s * s) / 2 + a * b * (1 - s);
    sum -= h * power[i] * whole / ((c[i] - a) * (c[i] - b));
  }
  return sum;
}

}  // namespace polhode::integrators
