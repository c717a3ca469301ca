// SPDX-License-Identifier: BSD-3-Clause
// The rotation group SO(3): exponential, logarithm, tangent operator, its inverse, and the derivatives that the methods
// need.
//
// psi is the Cartesian rotation vector (rad), phi = |psi|, s = phi^2. All functions are analytic in s:
//   b(s) = (1 - cos phi) / phi^2,   c(s) = (phi - sin phi) / phi^3,   sin phi / phi = 1 - s c,   cos phi = 1 - s b
//   exp(psi)    = I + (1 - s c) psi~ + b psi~ psi~          BCA12 eq. (25)
//   T(psi)      = I - b psi~ + c psi~ psi~                  BCA12 eq. (26): Omega = T(psi) psidot, Rdot = R Omega~
//   T(psi)^-1   = I + psi~/2 + eta psi~ psi~,               eta = -b'/b
// T is that of left trivialization (angular velocity in the body frame); sources with the spatial frame have its
// transpose. Series instead of closed forms below s = 1: no difference of nearly equal numbers is formed near psi = 0.
// Nothing here allocates or throws; arguments that are no numbers give results that are none.
#pragma once
#include <Eigen/Geometry>

#include "polhode/math/types.hpp"

namespace polhode::math::so3 {

using Quaternion = Eigen::Quaterniond;

// b, c and their first and second derivatives by s. Below s = 1 by their power series, which are exact to the last bit
// there; above by the closed forms, whose second derivatives lose up to four digits to cancellation just above it.
// Recursions for the closed forms, all derivatives by s: 2 s b' = 1 - s c - 2 b,  2 s c' = b - 3 c, and once more
// 2 s b'' = -(c + s c') - 4 b',  2 s c'' = b' - 5 c'.
struct Coefficients {
  double b;
  double c;
  double b1;
  double c1;
  double b2;
  double c2;
};
// For s >= 0.
Coefficients coefficients(double s);

// b and c alone.
// Without the derivatives: what exp and T need.
struct TangentCoefficients {
  double b;
  double c;
};
TangentCoefficients tangent_coefficients(double s);

// exp(psi) as a unit quaternion (cos(phi/2), sin(phi/2)/phi psi), and as a rotation matrix; for any psi.
Quaternion exp_quaternion(const Vec3& psi);
Mat3 exp(const Vec3& psi);
// The quaternion, and b and c of T(psi), by the functions of half the angle alone.
struct ExpAndTangent {
  Quaternion exp;
  TangentCoefficients tangent;
};
ExpAndTangent exp_and_tangent(const Vec3& psi);

// The rotation vector of a unit quaternion or of a rotation matrix, |psi| <= pi; accurate to round-off up to pi.
// log(q) = 2 atan2(|v|, w)/|v| v for q = (w, v) with w >= 0, else of -q, which is the same rotation. At half a turn,
// where two rotation vectors are right, that of q as it stands.
Vec3 log(const Quaternion& q);
Vec3 log(const Mat3& R);

// T(psi), for any psi.
Mat3 tangent(const Vec3& psi);
// T(psi)^-1, for |psi| < 2 pi, where T is singular.
Mat3 tangent_inverse(const Vec3& psi);

// eta and its derivative by s.
// eta = (1 - (phi/2) cot(phi/2))/s, which is 1/12 at zero.
struct InverseCoefficients {
  double eta;
  double eta1;
};
// For phi < 2 pi: eta' = -b''/b + eta^2.
InverseCoefficients inverse_coefficients(double s);

// eta alone, by its series below s = 1.
double inverse_coefficient(double s);

// tau(s) = tan(phi/4) / phi and its derivative by s, for phi < 2 pi: the variation of the rotation half-way between two
// frames, R_m = R_1 exp(psi/2), is (I + tau psi~)/2 of the second and (I - tau psi~)/2 of the first frame's variation.
// 1/4 at zero.
struct HalfwayCoefficients {
  double tau;
  double tau1;
};
// From tan(phi/4) = sin(phi/2)/(1 + cos(phi/2)), both functions of (phi/2)^2: series up to phi = 2.
HalfwayCoefficients halfway_coefficients(double s);

}  // namespace polhode::math::so3
