// SPDX-License-Identifier: BSD-3-Clause
// The relative pose of two frames and its derivatives.
#include "elements/forces/bushing/relative_pose.hpp"

#include <numbers>

namespace polhode::elements {

using math::tilde;
using math::Vec6;

namespace {

// psi and psi less a whole turn are the same rotation: the one of them that is nearer to `previous`.
Vec3 continued(const Vec3& psi, const Vec3& previous) {
  const double angle = psi.norm();
  if (angle < 0.1) return psi;  // the other is all but a whole turn, where T^-1 ends
  const Vec3 other = psi * (1 - 2 * std::numbers::pi / angle);
  return (other - previous).squaredNorm() < (psi - previous).squaredNorm() ? other : psi;
}

}  // namespace

// Levers and positions as in joints: p_b - p_a by differences first. B_ has the formulas of the header as
// blocks: rows y and psi, columns dd, dTheta_a and dTheta_b; J_ takes the nodes' variations to those of
// points and frames.
RelativePose::RelativePose(const Markers& d, const PairNodes& n, const Vec3& previous) : d_(d), n_(n) {
  const Mat3 Q_a = n[0].R * d.E_a;
  const Vec3 psi = continued(math::so3::log(Mat3(Q_a.transpose() * n[1].R * d.E_b)), previous);
  const double s = psi.squaredNorm();
  inverse_ = math::so3::inverse_coefficients(s);
  halfway_ = math::so3::halfway_coefficients(s);
  const Mat3 skew = tilde(psi);
  A_ = 0.5 * (Mat3::Identity() + halfway_.tau * skew);
  T_inverse_ = Mat3::Identity() + 0.5 * skew + inverse_.eta * skew * skew;
  Q_m_ = Q_a * math::so3::exp(0.5 * psi);
  const Vec3 y = Q_m_.transpose() * ((n[1].x - n[0].x) + (n[1].R * d.s_b - n[0].R * d.s_a));
  e_ << y, psi;
  B_ << Q_m_.transpose(), tilde(y) * A_.transpose(), tilde(y) * A_, Mat3::Zero(), -T_inverse_.transpose(), T_inverse_;
  J_.setZero();
  J_.block<3, 3>(0, 0) = -Mat3::Identity();
  J_.block<3, 3>(0, 3) = math::cross_right(n[0].R, d.s_a);
  J_.block<3, 3>(0, 6) = Mat3::Identity();
  J_.block<3, 3>(0, 9) = -math::cross_right(n[1].R, d.s_b);
  J_.block<3, 3>(3, 3) = d.E_a.transpose();
  J_.block<3, 3>(6, 9) = d.E_b.transpose();
}

// With s = (f, m) held and h = f x y, the components B^T s are
//   on dd: Q_m f,   on dTheta_a: A h - T^-1 m,   on dTheta_b: A^T h + T^-T m
// and vary by -Q_m f~ dTheta_m;  A dh + P dpsi - Y_- dpsi;  A^T dh - P dpsi + Y_+ dpsi,  where dh = f~ dy,
//   P = D_psi(A) h = (2 tau' (psi x h) psi^T - tau h~)/2
//   Y_-+ = -+ m~/2 + 2 eta' (psi x (psi x m)) psi^T - eta ((psi x m)~ + psi~ m~)      (D_psi of T^-1 m, of T^-T m)
PairBlock RelativePose::gradient_tangent(const Vec6& s) const {
  const Vec3 f = s.head<3>();
  const Vec3 m = s.tail<3>();
  const Vec3 y = e_.head<3>();
  const Vec3 p = psi();
  const Vec3 h = f.cross(y);
  const Mat<3, 9> theta_m = (Mat<3, 9>() << Mat3::Zero(), A_.transpose(), A_).finished();
  const Mat<3, 9> d_psi = B_.bottomRows<3>();
  const Mat<3, 9> dh = tilde(f) * B_.topRows<3>();
  const Mat3 P = halfway_.tau1 * p.cross(h) * p.transpose() - 0.5 * halfway_.tau * tilde(h);
  const Vec3 pm = p.cross(m);
  const Mat3 Y = 2 * inverse_.eta1 * p.cross(pm) * p.transpose() - inverse_.eta * (tilde(pm) + tilde(p) * tilde(m));
  const Mat3 half_m = 0.5 * tilde(m);
  Mat<9, 9> G;
  G.topRows<3>() = -Q_m_ * tilde(f) * theta_m;
  G.middleRows<3>(3) = A_ * dh + (P - Y + half_m) * d_psi;
  G.bottomRows<3>() = A_.transpose() * dh + (Y + half_m - P) * d_psi;
  PairBlock K;
  K.noalias() = J_.transpose() * (G * J_);
  const Vec3 force = Q_m_ * f;  // J^T varies with the arms of this force
  K.block<3, 3>(3, 3) -= tilde(d_.s_a) * tilde(n_[0].R.transpose() * force);
  K.block<3, 3>(9, 9) += tilde(d_.s_b) * tilde(n_[1].R.transpose() * force);
  return K;
}

}  // namespace polhode::elements
