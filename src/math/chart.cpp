// SPDX-License-Identifier: BSD-3-Clause
// Local coordinates of SO(3): tangent operators of the two charts and their derivatives.
#include "polhode/math/chart.hpp"

namespace polhode::math {

// T(psi) w = w - b psi x w + c psi x (psi x w) for rotation vectors. For the conformal one T is rational in
// s, so alpha, beta and gamma need neither series nor trigonometric functions.
ChartPoint::ChartPoint(Chart chart, const Vec3& c) : chart_(chart), c_(c) {
  const double s = c.squaredNorm();
  if (chart == Chart::rotation_vector) {  // psi~ psi~ w = psi (psi.w) - s w
    const so3::Coefficients k = so3::coefficients(s);
    alpha_ = 1 - s * k.c;
    alpha1_ = -k.c - s * k.c1;
    alpha2_ = -2 * k.c1 - s * k.c2;
    beta_ = k.c;
    beta1_ = k.c1;
    beta2_ = k.c2;
    gamma_ = k.b;
    gamma1_ = k.b1;
    gamma2_ = k.b2;
  } else {  // with u = 4 - c_0 = 2 + s/8: T = 2/u^2 (c_0 I + c c^T/4 - c~)
    const double u = 2 + s / 8;
    const double r = 1 / u;
    gamma_ = 2 * r * r;
    gamma1_ = -0.5 * r * r * r;
    gamma2_ = 0.1875 * r * r * r * r;
    beta_ = gamma_ / 4;
    beta1_ = gamma1_ / 4;
    beta2_ = gamma2_ / 4;
    alpha_ = (8 * r - 2) * r;
    alpha1_ = (2 - 16 * r) * r * r / 8;
    alpha2_ = (48 * r - 4) * r * r * r / 64;
  }
}

// Conformal: |c| = 4 tan(phi/4) makes c_0 = 2 - s/8 and the quaternion (c_0, c)/(4 - c_0),
// a rational map (Wiener and Milenkovic).
so3::Quaternion ChartPoint::rotation() const {
  if (chart_ == Chart::rotation_vector) return so3::exp_quaternion(c_);
  const double c0 = 2 - c_.squaredNorm() / 8;
  const Vec3 v = c_ / (4 - c0);
  return {c0 / (4 - c0), v[0], v[1], v[2]};
}

Mat3 ChartPoint::tangent() const {
  return alpha_ * Mat3::Identity() + beta_ * c_ * c_.transpose() - gamma_ * tilde(c_);
}

Vec3 ChartPoint::apply(const Vec3& w) const { return alpha_ * w + beta_ * c_.dot(w) * c_ - gamma_ * c_.cross(w); }

// alpha, beta and gamma vary by 2 c . dc, what stands beside them directly; D_c (-gamma c x w)
// has the part gamma w~.
Mat3 ChartPoint::derivative_of_apply(const Vec3& w) const {
  const double cw = c_.dot(w);
  const Vec3 by_s = alpha1_ * w + beta1_ * cw * c_ - gamma1_ * c_.cross(w);
  return 2 * by_s * c_.transpose() + beta_ * (cw * Mat3::Identity() + c_ * w.transpose()) + gamma_ * tilde(w);
}

// Tdot u with c varying by u: g = c . u is half of sdot, and c x u has no rate along u.
Vec3 ChartPoint::convective(const Vec3& u) const {
  const double g = c_.dot(u);
  return 2 * g * (alpha1_ * u + beta1_ * g * c_ - gamma1_ * c_.cross(u)) + beta_ * (g * u + u.squaredNorm() * c_);
}

// By s at g held, by g = c . u, and by c where it stands on its own.
Mat3 ChartPoint::convective_by_point(const Vec3& u) const {
  const double g = c_.dot(u);
  const double uu = u.squaredNorm();
  const Vec3 n = c_.cross(u);
  const Vec3 by_s = 2 * g * (alpha2_ * u + beta2_ * g * c_ - gamma2_ * n) + beta1_ * (g * u + uu * c_);
  const Vec3 by_g = 2 * (alpha1_ * u + 2 * beta1_ * g * c_ - gamma1_ * n) + beta_ * u;
  return 2 * by_s * c_.transpose() + by_g * u.transpose() + (2 * beta1_ * g * g + beta_ * uu) * Mat3::Identity() +
         2 * gamma1_ * g * tilde(u);
}

Mat3 ChartPoint::convective_by_rate(const Vec3& u) const {
  const double g = c_.dot(u);
  const Vec3 by_g = 2 * (alpha1_ * u + 2 * beta1_ * g * c_ - gamma1_ * c_.cross(u)) + beta_ * u;
  return by_g * c_.transpose() + (2 * alpha1_ + beta_) * g * Mat3::Identity() + 2 * beta_ * c_ * u.transpose() -
         2 * gamma1_ * g * tilde(c_);
}

}  // namespace polhode::math
