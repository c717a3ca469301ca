// SPDX-License-Identifier: BSD-3-Clause
// SO(3) for kernels over any scalar type, double or lanes: quaternions as (w, x, y, z), logarithm, coefficient
// functions. Small angles by series for all lanes at once; where one lane has a large one, lane by lane as for doubles.
// Results of a lane may differ in the last digits from those of doubles alone, since series and closed forms change
// where one lane changes; they do not depend on threads.
#pragma once
#include "polhode/math/lanes.hpp"
#include "polhode/math/so3.hpp"
#include "polhode/math/so3_series.hpp"

namespace polhode::math::so3 {

// (w, x, y, z), unlike Eigen's coefficients.
template <class S>
using QuaternionOf = Eigen::Matrix<S, 4, 1>;

// Hamilton's product: rotation by b, then by a.
// The result has unit length if both have; round-off is not normalized away.
template <class S>
QuaternionOf<S> product(const QuaternionOf<S>& a, const QuaternionOf<S>& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

// The inverse of a unit quaternion.
template <class S>
QuaternionOf<S> conjugate(const QuaternionOf<S>& a) {
  return {a[0], -a[1], -a[2], -a[3]};
}

// R of a unit quaternion; lengths other than one scale nothing back.
// Components in the turned frame -> components in the other one, as R of a node.
template <class S>
Mat3Of<S> rotation_matrix(const QuaternionOf<S>& q) {
  const S two(2);
  const S one(1);
  const S x = two * q[1];
  const S y = two * q[2];
  const S z = two * q[3];
  const S wx = x * q[0];
  const S wy = y * q[0];
  const S wz = z * q[0];
  const S xx = x * q[1];
  const S xy = y * q[1];
  const S xz = z * q[1];
  const S yy = y * q[2];
  const S yz = z * q[2];
  const S zz = z * q[3];
  Mat3Of<S> R;
  R << one - (yy + zz), xy - wz, xz + wy, xy + wz, one - (xx + zz), yz - wx, xz - wy, yz + wx, one - (xx + yy);
  return R;
}

// f of a double, or of each lane.
inline double each_of(double (*f)(double), double a) { return f(a); }
inline Lanes each_of(double (*f)(double), Lanes a) { return each(f, a); }

// Coefficients of asin(x) / x as a polynomial in x^2.
constexpr std::array<double, 14> arcsine_coefficients() {
  std::array<double, 14> values{};
  double binomial = 1;  // (2n)! / (4^n n!^2)
  for (int n = 0; n < static_cast<int>(values.size()); ++n) {
    values[n] = binomial / (2 * n + 1);
    binomial *= (2.0 * n + 1) / (2.0 * n + 2);
  }
  return values;
}

// The factor that makes a rotation vector, |psi| <= pi, of the vector part of a unit quaternion with w >= 0.
// psi = log_factor(|v|^2, w) v for q = (w, v): 2 asin(|v|)/|v| where |v| is small, 2 atan2(|v|, w)/|v| elsewhere.
template <class S>
S log_factor(const S& squared_sine, const S& cosine) {
  static constexpr auto coefficients = arcsine_coefficients();
  // Fourteen terms are exact to round-off up to a sine of 0.2.
  if (all_below(squared_sine, 0.04)) return S(2) * polynomial(coefficients, squared_sine);
  // Vectors too short to be divided by have the limit 2/w.
  const auto factor = [](double sine2, double c) {
    const double sine = std::sqrt(sine2);
    return sine < 1e-150 ? 2 / c : 2 * std::atan2(sine, c) / sine;
  };
  if constexpr (std::is_same_v<S, double>)
    return factor(squared_sine, cosine);
  else
    return each(factor, squared_sine, cosine);
}

// eta, tau and their derivatives by s = |psi|^2; see so3.hpp.
template <class S>
struct BeamCoefficients {
  S eta;
  S eta1;
  S tau;
  S tau1;
};
// `derivatives`: eta1 and tau1 are wanted, too; else they may be zero. For |psi| < 2 pi.
// Series where s < 1 in all lanes (rotations of one beam element nearly always are), closed forms otherwise.
template <class S>
BeamCoefficients<S> beam_coefficients(const S& s, bool derivatives) {
  if (all_below(s, series_limit)) {
    BeamCoefficients<S> r{bernoulli_series<false, 0>(s), S(0), bernoulli_series<true, 0>(s), S(0)};
    if (derivatives) {
      r.eta1 = bernoulli_series<false, 1>(s);
      r.tau1 = bernoulli_series<true, 1>(s);
    }
    return r;
  }
  return {each_of([](double a) { return inverse_coefficients(a).eta; }, s),
          each_of([](double a) { return inverse_coefficients(a).eta1; }, s),
          each_of([](double a) { return halfway_coefficients(a).tau; }, s),
          each_of([](double a) { return halfway_coefficients(a).tau1; }, s)};
}

}  // namespace polhode::math::so3
