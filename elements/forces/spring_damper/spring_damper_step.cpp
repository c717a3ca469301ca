// SPDX-License-Identifier: BSD-3-Clause
// The spring-damper over a step of a structure-preserving method.
#include <cmath>

#include "elements/forces/spring_damper/spring_damper.hpp"
#include "elements/forces/spring_damper/tension.hpp"
#include "elements/joints/rows/mean_rows.hpp"

namespace polhode::elements {

using math::Mat3;
using math::Vec3;

namespace {

// The pull F on b towards a, as the residual has it, and its derivative by d+.
struct Pull {
  Vec3 force;
  Mat3 by_end;
};

// At the middle of the step, with the rate of the whole step.
CoordinateLaw::Value beside_spring(const SpringDamper::Data& d, const SpringDamper::Step& s, double length,
                                   double rate) {
  return Tension{d.damping, d.actuator, d.law}.without_spring(length, rate, s.middle);
}

// n = dbar/|dbar| and its derivative P dd+ for what acts along the mean line.
// The spring's discrete gradient has the direction dbar and the size (V+ - V)/(l+ - l)/lbar: since (l+ - l)
// lbar = (d+ - d) . dbar, its work is V+ - V.
Pull pull_of(const SpringDamper::Data& d, const SpringDamper::Step& s) {
  const Vec3 d0 = d.distance.difference(s.begin);
  const Vec3 d1 = d.distance.difference(s.end);
  const Vec3 middle = 0.5 * (d0 + d1);
  const double e2 = d.distance.epsilon * d.distance.epsilon;
  const double length = std::sqrt(middle.squaredNorm() + e2);
  const Vec3 n = middle / length;
  const Vec3 way = d1 - d0;
  const Mat3 P = (Mat3::Identity() - n * n.transpose()) / (2 * length);  // of n by d+
  const CoordinateLaw::Value tension = beside_spring(d, s, length, way.dot(n) / s.h);
  Pull pull{tension.force * n, tension.force * P};
  pull.by_end.noalias() += n * (tension.by_rate / s.h * (n + P * way) + 0.5 * tension.by_position * n).transpose();
  if (s.gradient) {
    const double l0 = std::sqrt(d0.squaredNorm() + e2);
    const double l1 = std::sqrt(d1.squaredNorm() + e2);
    const double mean = 0.5 * (l0 + l1);
    const ForceCurve::Mean spring = d.spring.mean(l0 - d.free_length, l1 - d.free_length);
    pull.force += spring.force / mean * middle;
    pull.by_end.diagonal().array() += 0.5 * spring.force / mean;
    pull.by_end.noalias() += (spring.by_end - 0.5 * spring.force / mean) / (mean * l1) * middle * d1.transpose();
  } else {
    const ForceCurve::Value spring = d.spring(length - d.free_length);
    pull.force += spring.force * n;
    pull.by_end += spring.force * P;
    pull.by_end.noalias() += 0.5 * spring.stiffness * n * n.transpose();
  }
  return pull;
}

}  // namespace

void SpringDamper::add_discrete_forces_to(const Data& d, const Step& s, math::Mat<12>& r) {
  r += rows::wrench_between(d.distance.s_a, d.distance.s_b, s.at(), pull_of(d, s).force);
}

void SpringDamper::add_discrete_force_tangents_to(const Data& d, const Step& s, math::Mat<12, 12>& K) {
  const Pull pull = pull_of(d, s);
  rows::add_wrench_tangent_to(d.distance.s_a, d.distance.s_b, s.at(), s.end, pull.force, pull.by_end,
                              s.lever == model::Lever::mean, K);
}

// The midpoint rule's potential: at the mean configuration, of which the pull is the gradient by dbar.
double SpringDamper::discrete_energy(const Data& d, const Step& s) {
  return d.spring(d.distance.length(s.mean) - d.free_length).energy;
}

// The change of length along the mean line, times what all but the spring pulls: work on the model, hence the minus.
double SpringDamper::discrete_work(const Data& d, const Step& s) {
  const Vec3 d0 = d.distance.difference(s.begin);
  const Vec3 d1 = d.distance.difference(s.end);
  const double length = d.distance.length(s.mean);
  const double way = (d1 - d0).dot(d0 + d1) / (2 * length);
  return -beside_spring(d, s, length, way / s.h).force * way;
}

}  // namespace polhode::elements
