// SPDX-License-Identifier: BSD-3-Clause
// The rotation group SO(3): exponential, logarithm, tangent operator, its inverse, and the derivatives that the methods
// need.
//
// psi is the Cartesian rotation vector (rad), phi = |psi|, s = phi^2. All functions are analytic in s:
//   b(s) = (1 - cos phi) / phi^2,   c(s) = (phi - sin phi) / phi^3,   sin phi / phi = 1 - s c,   cos phi = 1 - s b
//   exp(psi)    = I + (1 - s c) psi~ + b psi~ psi~          BCA12 eq. (25)
//   T(psi)      = I - b psi~ + c psi~ psi~                  BCA12 eq. (26): Omega = T(psi) psidot, Rdot = R Omega~
//   T(psi)^-1   = I + psi~/2 + eta psi~ psi~,               eta = -b'/b
#pragma once
#include <Eigen/Geometry>

#include "polhode/math/types.hpp"

namespace polhode::math::so3 {

using Quaternion = Eigen::Quaterniond;

// b, c and their first and second derivatives by s. Below s = 1 by their power series, which are exact to the last bit
// there; above by the closed forms, whose second derivatives lose up to four digits to cancellation just above it.
struct Coefficients {
  double b;
  double c;
  double b1;
  double c1;
  double b2;
  double c2;
};
Coefficients coefficients(double s);

// b and c alone.
struct TangentCoefficients {
  double b;
  double c;
};
TangentCoefficients tangent_coefficients(double s);

Quaternion exp_quaternion(const Vec3& psi);
Mat3 exp(const Vec3& psi);

// The rotation vector of a unit quaternion or of a rotation matrix, |psi| <= pi; accurate to round-off up to pi.
Vec3 log(const Quaternion& q);
Vec3 log(const Mat3& R);

Mat3 tangent(const Vec3& psi);          // T(psi)
Mat3 tangent_inverse(const Vec3& psi);  // T(psi)^-1, for |psi| < 2 pi

// eta and its derivative by s.
struct InverseCoefficients {
  double eta;
  double eta1;
};
InverseCoefficients inverse_coefficients(double s);

// tau(s) = tan(phi/4) / phi and its derivative by s, for phi < 2 pi: the variation of the rotation half-way between two
// frames, R_m = R_1 exp(psi/2), is (I + tau psi~)/2 of the second and (I - tau psi~)/2 of the first frame's variation.
struct HalfwayCoefficients {
  double tau;
  double tau1;
};
HalfwayCoefficients halfway_coefficients(double s);

}  // namespace polhode::math::so3
