// SPDX-License-Identifier: BSD-3-Clause
// The rotation group SO(3): exponential, logarithm, tangent operator and their coefficient functions.
#include "polhode/math/so3.hpp"

#include <cmath>

#include "polhode/math/so3_series.hpp"

namespace polhode::math::so3 {
// 1 - cos phi = 2 sin^2(phi/2), which does not cancel for small angles as the difference does.
TangentCoefficients tangent_coefficients(double s) {
  if (s < series_limit) return {series<2, 0>(s), series<3, 0>(s)};
  const double phi = std::sqrt(s);
  const double half = std::sin(phi / 2);
  return {2 * half * half / s, (phi - std::sin(phi)) / (s * phi)};
}

// From b = (1 - cos phi)/s and c = (phi - sin phi)/(s phi) by s: 2 s b' = sin phi/phi - 2 b = 1 - s c - 2 b
// and 2 s c' = b - 3 c; once more by s for the second derivatives.
Coefficients coefficients(double s) {
  if (s < series_limit)
    return {series<2, 0>(s), series<3, 0>(s), series<2, 1>(s), series<3, 1>(s), series<2, 2>(s), series<3, 2>(s)};
  const auto [b, c] = tangent_coefficients(s);
  const double b1 = (1 - s * c - 2 * b) / (2 * s);
  const double c1 = (b - 3 * c) / (2 * s);
  const double b2 = (-(c + s * c1) - 4 * b1) / (2 * s);
  const double c2 = (b1 - 5 * c1) / (2 * s);
  return {b, c, b1, c1, b2, c2};
}

// (cos(phi/2), sin(phi/2) psi/phi) by the coefficients of the half angle: cos = 1 - r b,
// sin x/x = 1 - r c at r = (phi/2)^2.
Quaternion exp_quaternion(const Vec3& psi) { return exp_and_tangent(psi).exp; }

// With x = phi/2: 1 - cos phi = 2 sin^2 x, and phi - sin phi = 2 (x - sin x) + 2 sin x (1 - cos x), a sum of positive
// terms.
ExpAndTangent exp_and_tangent(const Vec3& psi) {
  const double r = psi.squaredNorm() / 4;
  const auto [b, c] = tangent_coefficients(r);
  const double sine = 1 - r * c;  // sin(x)/x
  const Vec3 v = 0.5 * sine * psi;
  return {{1 - r * b, v[0], v[1], v[2]}, {0.5 * sine * sine, 0.25 * (c + b * sine)}};
}

Mat3 exp(const Vec3& psi) {
  const double s = psi.squaredNorm();
  const auto [b, c] = tangent_coefficients(s);
  const Mat3 P = tilde(psi);
  return Mat3::Identity() + (1 - s * c) * P + b * P * P;
}

// Of q and -q, one rotation, the one with w >= 0: |psi| <= pi. atan2 of sine and cosine has all digits at
// both ends, where acos or asin alone would lose half of them; for a vector part too small to square it is
// 2/w.
Vec3 log(const Quaternion& q) {
  const double sign = q.w() < 0 ? -1 : 1;
  const Vec3 v = sign * q.vec();
  const double sine = v.norm();
  const double cosine = sign * q.w();
  const double ratio = sine < 1e-150 ? 2 / cosine : 2 * std::atan2(sine, cosine) / sine;
  return ratio * v;
}

Vec3 log(const Mat3& R) { return log(Quaternion(R)); }

Mat3 tangent(const Vec3& psi) {
  const auto [b, c] = tangent_coefficients(psi.squaredNorm());
  const Mat3 P = tilde(psi);
  return Mat3::Identity() - b * P + c * P * P;
}

// Up to a whole turn, where T is singular.
Mat3 tangent_inverse(const Vec3& psi) {
  const Mat3 P = tilde(psi);
  return Mat3::Identity() + 0.5 * P + inverse_coefficients(psi.squaredNorm()).eta * P * P;
}

// eta = -b'/b, hence eta' = -b''/b + (b'/b)^2.
InverseCoefficients inverse_coefficients(double s) {
  const Coefficients k = coefficients(s);
  const double eta = -k.b1 / k.b;
  return {eta, -k.b2 / k.b + eta * eta};
}

double inverse_coefficient(double s) {
  return s < series_limit ? bernoulli_series<false, 0>(s) : inverse_coefficients(s).eta;
}

HalfwayCoefficients halfway_coefficients(double s) {
  // tan(phi/4) = sin(phi/2) / (1 + cos(phi/2)); both are functions of r = (phi/2)^2.
  const double r = s / 4;
  const Coefficients k = coefficients(r);
  const double numerator = 0.5 * (1 - r * k.c);
  const double denominator = 2 - r * k.b;
  const double numerator1 = -0.5 * (k.c + r * k.c1);
  const double denominator1 = -(k.b + r * k.b1);
  const double tau = numerator / denominator;
  return {tau, 0.25 * (numerator1 - tau * denominator1) / denominator};
}

}  // namespace polhode::math::so3
