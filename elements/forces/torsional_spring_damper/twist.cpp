// SPDX-License-Identifier: BSD-3-Clause
// Twist of two bodies and its derivatives.
#include "elements/forces/torsional_spring_damper/twist.hpp"

#include <cmath>
#include <numbers>

namespace polhode::elements::twist {

using math::tilde;

// A turn phi about n after a tilt normal to n has p_3/p_0 = tan(phi/2): tilting changes both by the same
// factor. So the twist is found without taking the tilt apart.
double angle(const Mat3& E_a, const Mat3& E_b, const PairNodes& n) {
  const Mat3 Q = (n[0].R * E_a).transpose() * (n[1].R * E_b);
  const math::so3::Quaternion p(Q);
  const double phi = 2 * std::atan2(p.z(), p.w());  // p and -p differ by a whole turn
  return std::remainder(phi, 2 * std::numbers::pi);
}

// The tilt turns by the shortest way about n_a x n_b, whose half-way direction n_a + n_b neither twists.
// The factor makes the part of m along either axis 1, so that turns about an axis count in full.
Mat<12> gradient(const Vec3& a, const Vec3& b, const PairNodes& n) {
  const Vec3 n_a = n[0].R * a;
  const Vec3 n_b = n[1].R * b;
  const Vec3 m = (n_a + n_b) / (1 + n_a.dot(n_b));
  Mat<12> g = Mat<12>::Zero();
  g.segment<3>(3) = -n[0].R.transpose() * m;
  g.segment<3>(9) = n[1].R.transpose() * m;
  return g;
}

// D(R^T m) = R^T (dm + m~ dtheta)
// M_a and M_b of the header: both numerator and 1 + n_a . n_b of m vary as n_a or n_b turns.
PairBlock gradient_tangent(const Vec3& a, const Vec3& b, const PairNodes& n) {
  const Mat3& R_a = n[0].R;
  const Mat3& R_b = n[1].R;
  const Vec3 n_a = R_a * a;
  const Vec3 n_b = R_b * b;
  const double s = 1 / (1 + n_a.dot(n_b));
  const Vec3 m = s * (n_a + n_b);
  const Mat3 M_a = s * (m * n_b.transpose() - Mat3::Identity()) * tilde(n_a);
  const Mat3 M_b = s * (m * n_a.transpose() - Mat3::Identity()) * tilde(n_b);
  PairBlock G = PairBlock::Zero();
  G.block<3, 3>(3, 3) = -R_a.transpose() * (M_a + tilde(m)) * R_a;
  G.block<3, 3>(3, 9) = -R_a.transpose() * M_b * R_b;
  G.block<3, 3>(9, 3) = R_b.transpose() * M_a * R_a;
  G.block<3, 3>(9, 9) = R_b.transpose() * (M_b + tilde(m)) * R_b;
  return G;
}

// x + i y = (1 + n_a . n_b) exp(i phi), by the quaternion of angle() squared.
StepAngle over(const Mat3& E_a, const Mat3& E_b, const PairStep& s) {
  using Dot = StepAngle::Dot;
  return {{{Dot{E_a.col(0), E_b.col(0)}, Dot{E_a.col(1), E_b.col(1)}}, 2},
          {{Dot{E_a.col(1), E_b.col(0)}, Dot{E_a.col(0), -E_b.col(1)}}, 2},
          s};
}

}  // namespace polhode::elements::twist
