// SPDX-License-Identifier: BSD-3-Clause
// Angles over a step: discrete gradient and its tangent.
#include "elements/joints/rows/step_angle.hpp"

#include <cmath>

namespace polhode::elements {
namespace {

// x or y of a configuration.
double value(const StepAngle::Dots& sum, const PairNodes& n) {
  double v = 0;
  for (std::size_t i = 0; i < sum.count; ++i) v += rows::dot(n, sum.dots[i].c_a, sum.dots[i].c_b);
  return v;
}

// Rows are linear in the dot products, and so are sums of them.
rows::MeanRow row(const StepAngle::Dots& sum, const PairNodes& n) {
  rows::MeanRow g = rows::mean_dot(n, sum.dots[0].c_a, sum.dots[0].c_b);
  if (sum.count > 1) g += rows::mean_dot(n, sum.dots[1].c_a, sum.dots[1].c_b);
  return g;
}

// Derivative of a/sin a.
// Below 0.02 closed forms lose digits to cancellation. The first term that the series drops is below 1e-8 of
// the sum, and the slope enters the tangent alone, never a force.
double slope(double a) {
  if (std::abs(a) < 0.02) return a * (1.0 / 3 + a * a * 7 / 90);
  const double sine = std::sin(a);
  return (sine - a * std::cos(a)) / (sine * sine);
}

}  // namespace

StepAngle::StepAngle(const Markers& d, const PairStep& s)
    : StepAngle({{Dot{d.E_a.col(0), d.E_b.col(0)}}, 1}, {{Dot{d.E_a.col(1), d.E_b.col(0)}}, 1}, s) {}

// S = r r+ sin a and C = r r+ cos a of the step's turn a = phi+ - phi, so a = atan2(S, C)
// needs no angle of either end and has no jump. Where the angle rests S = 0 and kappa is the limit 1/(r r+),
// which is 1/C then.
// By the end of the step: d(phi+) = (x+ dy+ - y+ dx+)/r+^2, and with kappa = f(a)/(r r+)
//   d(kappa) = f'(a)/(r r+) d(phi+) - kappa (x+ dx+ + y+ dy+)/r+^2
StepAngle::StepAngle(const Dots& x, const Dots& y, const PairStep& s) : s_(s), x_(x), y_(y) {
  const double x0 = value(x, s.begin);
  const double y0 = value(y, s.begin);
  const double x1 = value(x, s.end);
  const double y1 = value(y, s.end);
  const double S = x0 * y1 - y0 * x1;
  const double C = x0 * x1 + y0 * y1;
  const double r2 = x1 * x1 + y1 * y1;
  x_mean_ = 0.5 * (x0 + x1);
  y_mean_ = 0.5 * (y0 + y1);
  gx_mean_ = row(x, s.mean);
  gy_mean_ = row(y, s.mean);
  gx_ = row(x, s.end);
  gy_ = row(y, s.end);
  coordinate_.change = std::atan2(S, C);
  kappa_ = S != 0 ? coordinate_.change / S : 1 / C;
  coordinate_.row = kappa_ * (x_mean_ * gy_mean_ - y_mean_ * gx_mean_);
  coordinate_.by_end = (x1 * gy_ - y1 * gx_) / r2;
  const double size = std::sqrt((x0 * x0 + y0 * y0) * r2);
  by_kappa_ = slope(coordinate_.change) / size * coordinate_.by_end - kappa_ / r2 * (x1 * gx_ + y1 * gy_);
}

// D = kappa (xbar Gy - ybar Gx) varies with the mean rows Gx and Gy, with xbar and ybar
// (by half of what x+ and y+ do), and with kappa: one line or loop for each.
void StepAngle::add_tangent_to(double factor, PairBlock& K) const {
  for (std::size_t i = 0; i < x_.count; ++i)
    rows::add_mean_dot_tangent_to(s_.mean, s_.end, x_.dots[i].c_a, x_.dots[i].c_b, -factor * kappa_ * y_mean_, K);
  for (std::size_t i = 0; i < y_.count; ++i)
    rows::add_mean_dot_tangent_to(s_.mean, s_.end, y_.dots[i].c_a, y_.dots[i].c_b, factor * kappa_ * x_mean_, K);
  K.noalias() += 0.5 * factor * kappa_ * (gy_mean_.transpose() * gx_ - gx_mean_.transpose() * gy_);
  K.noalias() += factor * (x_mean_ * gy_mean_ - y_mean_ * gx_mean_).transpose() * by_kappa_;
}

}  // namespace polhode::elements
