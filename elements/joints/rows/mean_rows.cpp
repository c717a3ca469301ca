// SPDX-License-Identifier: BSD-3-Clause
// Spatial rows at the mean of two configurations: values and tangents.
#include "elements/joints/rows/mean_rows.hpp"

namespace polhode::elements::rows {

using math::tilde;

// d(l x lambda) = -lambda x dl, dl = -l+~ dtheta / 2
void add_mean_coincidence_tangent_to(const Markers& d, const PairNodes& end, const Vec3& lambda, PairBlock& K) {
  const Mat3 half = 0.5 * tilde(lambda);
  K.block<3, 3>(3, 3) += half * tilde(end[0].R * d.s_a);
  K.block<3, 3>(9, 9) -= half * tilde(end[1].R * d.s_b);
}

// With bars for the mean, e_a x wbar_a = w_a+ - w_a, and likewise for b. So the row's work is
//   e_a . (wbar_a x wbar_b) + e_b . (wbar_b x wbar_a) = (w_a+ - w_a) . wbar_b + (w_b+ - w_b) . wbar_a,
// which is w_a+ . w_b+ - w_a . w_b, exact for steps of any size: a product changes by the sum of mean times
// change.
MeanRow mean_dot(const PairNodes& n, const Vec3& c_a, const Vec3& c_b) {
  const Vec3 m = (n[0].R * c_a).cross(n[1].R * c_b);
  MeanRow g = MeanRow::Zero();
  g.segment<3>(3) = m.transpose();
  g.segment<3>(9) = -m.transpose();
  return g;
}

// dm = dw_a x w_b + w_a x dw_b
void add_mean_dot_tangent_to(const PairNodes& mean, const PairNodes& end, const Vec3& c_a, const Vec3& c_b,
                             double lambda, PairBlock& K) {
  const Mat3 by_a = 0.5 * lambda * tilde(mean[1].R * c_b) * tilde(end[0].R * c_a);
  const Mat3 by_b = -0.5 * lambda * tilde(mean[0].R * c_a) * tilde(end[1].R * c_b);
  K.block<3, 3>(3, 3) += by_a;
  K.block<3, 3>(3, 9) += by_b;
  K.block<3, 3>(9, 3) -= by_a;
  K.block<3, 3>(9, 9) -= by_b;
}

// The same product rule for d . w_a, d = p_a - p_b. On a the moments l_a x w of the lever and w x d of the
// turning direction add up to w x (d - l_a): the force acts on a where the point of b is,
// which makes the resultant moment zero.
MeanRow mean_offset(const Markers& d, const PairNodes& n, const Vec3& c_a) {
  const Vec3 w = n[0].R * c_a;
  const Vec3 l_b = n[1].R * d.s_b;
  const Vec3 e = n[0].x - n[1].x - l_b;
  MeanRow g;
  g << w.transpose(), w.cross(e).transpose(), -w.transpose(), -l_b.cross(w).transpose();
  return g;
}

// dm_a = dw x e + w x de, dm_b = -(dl_b x w + l_b x dw)
void add_mean_offset_tangent_to(const Markers& d, const PairNodes& mean, const PairNodes& end, const Vec3& c_a,
                                double lambda, PairBlock& K) {
  const Vec3 w = mean[0].R * c_a;
  const Vec3 l_b = mean[1].R * d.s_b;
  const Vec3 e = mean[0].x - mean[1].x - l_b;
  const double half = 0.5 * lambda;
  const Mat3 dw = -half * tilde(end[0].R * c_a);
  const Mat3 dl_b = -half * tilde(end[1].R * d.s_b);
  const Mat3 turn = half * tilde(w);
  K.block<3, 3>(0, 3) += dw;
  K.block<3, 3>(6, 3) -= dw;
  K.block<3, 3>(3, 3) -= tilde(e) * dw;
  K.block<3, 3>(3, 0) += turn;
  K.block<3, 3>(3, 6) -= turn;
  K.block<3, 3>(3, 9) -= tilde(w) * dl_b;
  K.block<3, 3>(9, 9) += tilde(w) * dl_b;
  K.block<3, 3>(9, 3) -= tilde(l_b) * dw;
}

Mat<12> wrench_between(const Vec3& s_a, const Vec3& s_b, const PairNodes& n, const Vec3& force_on_b) {
  Mat<12> r;
  r << -force_on_b, force_on_b.cross(n[0].R * s_a), force_on_b, (n[1].R * s_b).cross(force_on_b);
  return r;
}

// The moment -l_a x F on a varies by -l_a x dF, and where levers are mean by F x dl_a,
// dl_a = -l_a+~ dtheta_a/2; on b with the other sign.
void add_wrench_tangent_to(const Vec3& s_a, const Vec3& s_b, const PairNodes& n, const PairNodes& end,
                           const Vec3& force_on_b, const Mat3& by_points, bool moving, PairBlock& K) {
  const Vec3 l_a = n[0].R * s_a;
  const Vec3 l_b = n[1].R * s_b;
  // of p_b - p_a at the end, and of the force
  Mat<3, 12> points;
  Mat<3, 12> force;
  points << -Mat3::Identity(), tilde(end[0].R * s_a), Mat3::Identity(), -tilde(end[1].R * s_b);
  force.noalias() = by_points * points;
  K.middleRows<3>(0) -= force;
  K.middleRows<3>(3).noalias() -= tilde(l_a) * force;
  K.middleRows<3>(6) += force;
  K.middleRows<3>(9).noalias() += tilde(l_b) * force;
  if (!moving) return;
  const Mat3 half = 0.5 * tilde(force_on_b);
  K.block<3, 3>(3, 3) -= half * tilde(end[0].R * s_a);
  K.block<3, 3>(9, 9) += half * tilde(end[1].R * s_b);
}

}  // namespace polhode::elements::rows
