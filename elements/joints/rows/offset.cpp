// SPDX-License-Identifier: BSD-3-Clause
// The offset row: value, gradient and geometric tangent.
#include "elements/joints/rows/offset.hpp"

namespace polhode::elements::rows {

using math::tilde;

// Positions are subtracted first, as in coincidence rows, so that round-off does not grow with the distance
// from the origin.
double offset(const Markers& d, const PairNodes& n, const Vec3& c_a) {
  return ((n[0].x - n[1].x) + (n[0].R * d.s_a - n[1].R * d.s_b)).dot(n[0].R * c_a);
}

// The row of the header with its moments taken to the bodies' own frames: dtheta = R dTheta.
PairGradient offset_gradient(const Markers& d, const PairNodes& n, const Vec3& c_a) {
  const Vec3 w = n[0].R * c_a;
  const Vec3 r_b = n[1].R * d.s_b;
  const Vec3 e = n[0].x - n[1].x - r_b;
  PairGradient g;
  g.segment<3>(0) = w.transpose();
  g.segment<3>(3) = w.cross(e).transpose() * n[0].R;
  g.segment<3>(6) = -w.transpose();
  g.segment<3>(9) = -r_b.cross(w).transpose() * n[1].R;
  return g;
}

// dw = -w~ dtheta_a; the moment on a is c x R_a^T e with d(R_a^T e) = R_a^T (dx_a - dx_b + r_b~ dtheta_b + e~
// dtheta_a), that on b -s_b x R_b^T w with d(R_b^T w) = R_b^T w~ (dtheta_b - dtheta_a).
void add_offset_tangent_to(const Markers& d, const PairNodes& n, const Vec3& c_a, double lambda, PairBlock& K) {
  if (lambda == 0) return;
  const Mat3& Ra = n[0].R;
  const Mat3& Rb = n[1].R;
  const Vec3 w = lambda * (Ra * c_a);
  const Vec3 r_b = Rb * d.s_b;
  const Vec3 e = n[0].x - n[1].x - r_b;
  const Mat3 wRa = tilde(w) * Ra;
  const Mat3 turn = lambda * (tilde(c_a) * Ra.transpose());
  const Mat3 arm = tilde(d.s_b) * Rb.transpose();
  K.block<3, 3>(0, 3) -= wRa;
  K.block<3, 3>(6, 3) += wRa;
  K.block<3, 3>(3, 0) += turn;
  K.block<3, 3>(3, 3) += turn * tilde(e) * Ra;
  K.block<3, 3>(3, 6) -= turn;
  K.block<3, 3>(3, 9) += turn * tilde(r_b) * Rb;
  K.block<3, 3>(9, 3) += arm * wRa;
  K.block<3, 3>(9, 9) -= arm * tilde(w) * Rb;
}

}  // namespace polhode::elements::rows
