// SPDX-License-Identifier: BSD-3-Clause
// Interpolated rotation: the weighted mean Q of the nodes' rotations Q_i on SO(3),
//   sum_i L_i phi_i = 0,   phi_i = log(Q^T Q_i)      (Sander 2010: geodesic finite elements; Grohs 2012: any order).
//
// No node is a reference: the mean depends on the nodes' rotations alone, turns with them (objective), and is the same
// whichever end an element begins with. For two nodes it is the rotation part of the way along the shortest turn.
//
// Everything about it comes from T^-1(phi) a = a + phi x a / 2 + eta (phi (phi . a) - s a), s = |phi|^2, and its
// derivatives by phi; T^-T(phi) = T^-1(-phi). With variations in body axes, delta phi_i = T_i^-1 dTheta_i - T_i^-T
// dTheta:
//   A = sum_i L_i T_i^-T,   dTheta = A^-1 sum_i L_i T_i^-1 dTheta_i,   kappa = A^-1 sum_i L_i' phi_i.
// The first sum is differentiated by position along the axis for kappa, which is why L_i' stands where L_i stood.
#pragma once
#include <span>

#include "elements/beams/spectral/quadrature.hpp"
#include "polhode/math/so3.hpp"

namespace polhode::elements::spectral {

using math::Mat3;
using math::Vec3;

// phi with the coefficient functions of T^-1: eta(s) and its first and second derivative.
// Series below math::so3::series_limit, closed forms above; valid below a whole turn.
struct Turn {
  // Rotation vector, rad
  Vec3 phi;
  // |phi|^2
  double s;
  // T^-1 = I + phi~/2 + eta phi~ phi~; eta1, eta2: derivatives of eta by s
  double eta;
  double eta1;
  double eta2;
  Turn() = default;
  explicit Turn(const Vec3& rotation_vector);
};

// T^-1(phi); its transpose is T^-T.
Mat3 inverse_tangent(const Turn& t);
// Which operator is meant: T^-1 or T^-T.
enum class Side { plain, transposed };
// Derivative by phi of T^-1 a, or of T^-T a, with a held.
Mat3 gradient(const Turn& t, const Vec3& a, Side side);
// Second derivative by phi of b . T^-T a, with a and b held: the matrix is symmetric, and a and b may be exchanged.
Mat3 hessian(const Turn& t, const Vec3& a, const Vec3& b);
// Derivative by phi of gradient(t, a, transposed) times `rate`, with a and the rate held.
Mat3 gradient_of_rate(const Turn& t, const Vec3& a, const Vec3& rate);
// Rate of the matrix T^-T where phi changes by `rate`: gradient(t, a, transposed) rate = rate(t, rate) a.
Mat3 rate(const Turn& t, const Vec3& rate);

// The mean of `rotations` with the weights L, to round-off. Starts from the mean of the quaternions and takes Newton's
// steps A^-1 sum_i L_i phi_i. It is unique while the rotations differ by less than half a turn.
// Preconditions: as many weights as rotations, unit quaternions; signs do not matter. Stops when a step is below 1e-8
// rad, as the next one would be its square; never throws, allocates nothing.
math::so3::Quaternion mean_rotation(std::span<const math::so3::Quaternion> rotations, std::span<const double> L);

}  // namespace polhode::elements::spectral
