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
#include "polhode/math/so3_lanes.hpp"

namespace polhode::elements::spectral {

using math::Lanes;
using math::Mat3;
using math::Vec3;
// Of several elements side by side.
using Vector = math::Vec3Of<Lanes>;
using Matrix = math::Mat3Of<Lanes>;
using Quaternion = math::so3::QuaternionOf<Lanes>;

// phi with the coefficient functions of T^-1: eta(s) and its first and second derivative.
// Series below math::so3::series_limit, closed forms above; valid below a whole turn.
struct Turn {
  // Rotation vector, rad
  Vector phi;
  // |phi|^2
  Lanes s;
  // T^-1 = I + phi~/2 + eta phi~ phi~; eta1, eta2: derivatives of eta by s
  Lanes eta;
  Lanes eta1;
  Lanes eta2;
  // From phi. `second`: eta2 is wanted, too.
  void set_coefficients(bool second);
};

// T^-1(phi); its transpose is T^-T.
Matrix inverse_tangent(const Turn& t);
// T^-1 a; T^-T a.
Vector inverse_tangent_times(const Turn& t, const Vector& a);
Vector transposed_tangent_times(const Turn& t, const Vector& a);
// Which operator is meant: T^-1 or T^-T.
enum class Side { plain, transposed };
// Derivative by phi of T^-1 a, or of T^-T a, with a held.
Matrix gradient(const Turn& t, const Vector& a, Side side);
// Second derivative by phi of b . T^-T a, with a and b held: the matrix is symmetric, and a and b may be exchanged.
Matrix hessian(const Turn& t, const Vector& a, const Vector& b);
// Derivative by phi of gradient(t, a, transposed) times `rate`, with a and the rate held.
Matrix gradient_of_rate(const Turn& t, const Vector& a, const Vector& rate);
// Rate of the matrix T^-T where phi changes by `rate`: gradient(t, a, transposed) rate = rate(t, rate) a.
Matrix rate(const Turn& t, const Vector& rate);

// A^-1 of any regular 3x3 matrix.
Matrix inverse(const Matrix& A);

// The mean of rotations with what follows from it at once.
struct Mean {
  // Unit quaternion (w, x, y, z)
  Quaternion Q;
  // Of log(Q^T Q_i), all coefficients set
  std::array<Turn, most_nodes> turn;
  // A^-1
  Matrix Ai;
};
// The mean of `rotations` with the weights L, to round-off. Starts from the mean of the quaternions and takes Newton's
// steps A^-1 sum_i L_i phi_i. How far rotations may differ is said in bound.cpp, which looks at every accepted state;
// iterates of a step may be anything.
// Preconditions: as many weights as rotations, unit quaternions, all in the half-space of the first. Stops when a step
// is below 1e-9 rad, as the next one would be its square, or after 40 of them and returns false; numbers that
// are not finite end it, too. Never throws, allocates nothing. `second`: eta2 of the turns is wanted.
bool set_mean(std::span<const Quaternion> rotations, const std::array<Lanes, most_nodes>& L, bool second, Mean& mean);

}  // namespace polhode::elements::spectral
