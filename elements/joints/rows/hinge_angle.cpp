// SPDX-License-Identifier: BSD-3-Clause
// Tangents of the angle between two bodies; the formulas stand in the header.
#include "elements/joints/rows/hinge_angle.hpp"

namespace polhode::elements::rows {

Mat3 HingeAngle::turning_tangent() const {
  const double factor = z_by_r2();
  return b_ * c_.transpose() + factor * math::tilde(b_) + (2 * factor * p_) * b_.cross(e3()).transpose();
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
  Vec3 by_turning = by_angle * p_;
  if (by_rate != 0) {
    const Mat3 A = -by_rate * p_ * p_.transpose();
    add_blocks_to(A, A, C);
    by_turning += by_rate * turning_of_rate();
  }
  const Mat3 A = -tau * turning_tangent() - p_ * by_turning.transpose();
  add_blocks_to(A, A - math::tilde(tau * p_), K);
}

}  // namespace polhode::elements::rows
