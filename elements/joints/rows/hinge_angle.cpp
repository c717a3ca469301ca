// SPDX-License-Identifier: BSD-3-Clause
// Tangents of the angle between two bodies; the formulas stand in the header.
#include "elements/joints/rows/hinge_angle.hpp"

namespace polhode::elements::rows {

Mat3 HingeAngle::turning_tangent() const {
  const Vec3 p1 = b_.cross(e1());
  const Vec3 p2 = b_.cross(e2());
  const Vec3 by_r2 = (x_ * p1 + y_ * p2) * (2 / r2_);
  Mat3 P = b_ * across().transpose() - turning() * by_r2.transpose();
  P.noalias() += p2 * (p1 / r2_).transpose();
  P.noalias() -= p1 * (p2 / r2_).transpose();
  return P;
}

// P^T omega from products of vectors.
Vec3 HingeAngle::turning_of_rate() const {
  const Vec3 p1 = b_.cross(e1());
  const Vec3 p2 = b_.cross(e2());
  const Vec3 p = turning();
  const Vec3 of_b = seen_from_a(n_[1].Omega());
  const Vec3 w = of_b - n_[0].Omega();
  const double twice_rate = 2 * p.dot(w);
  const double w1 = p1.dot(w);
  const double w2 = p2.dot(w);
  return b_.dot(w) * across() + ((w2 - twice_rate * x_) * p1 - (w1 + twice_rate * y_) * p2) / r2_ + of_b.cross(p);
}

void HingeAngle::add_blocks_to(const Mat3& A, const Mat3& B, PairBlock& K) const {
  const Mat3 U = n_[0].R.transpose().lazyProduct(n_[1].R);
  const Mat3 of_b = U.transpose().lazyProduct(B);
  K.block<3, 3>(3, 3) += A;
  K.block<3, 3>(3, 9) -= A.lazyProduct(U);
  K.block<3, 3>(9, 3) -= of_b;
  K.block<3, 3>(9, 9) += of_b.lazyProduct(U);
}

// Forces -tau row^T change by row^T with the velocities' d tau = by_rate row dv, with the positions' d tau = by_angle
// row dq + by_rate k . delta, and by tau times the tangent of the row.
void HingeAngle::add_force_tangents_to(double tau, double by_angle, double by_rate, PairBlock& C, PairBlock& K) const {
  const Vec3 p = turning();
  Vec3 by_turning = by_angle * p;
  if (by_rate != 0) {
    const Mat3 A = -by_rate * p * p.transpose();
    add_blocks_to(A, A, C);
    by_turning += by_rate * turning_of_rate();
  }
  const Mat3 A = -tau * turning_tangent() - p * by_turning.transpose();
  add_blocks_to(A, A - math::tilde(tau * p), K);
}

}  // namespace polhode::elements::rows
