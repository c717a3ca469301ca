// SPDX-License-Identifier: BSD-3-Clause
// Local coordinates of SO(3) about a rotation, R = R_0 mu(c): rotation vector and conformal rotation vector.
//
// Both have an isotropic tangent operator, T(c) w = alpha w + beta c (c.w) - gamma c x w, with alpha, beta, gamma
// functions of s = |c|^2; so velocity, acceleration and their exact derivatives are written once:
//   Omega    = T(c) cdot                                BCA12 eq. (66)
//   Omegadot = T(c) cddot + Tdot(c, cdot) cdot          BCA12 eq. (67)
// With a = alpha etc., a' = da/ds, g = c.u: D_c (T w) = 2 (a' w + beta' (c.w) c - gamma' c x w) c^T
//   + beta ((c.w) I + c w^T) + gamma w~,   Tdot(c, u) u = D_c (T w) u at w = u.
//   rotation vector            alpha = 1 - s c(s),  beta = c(s),  gamma = b(s) of so3.hpp
//   conformal rotation vector  with u = 2 + s/8 (eq. (82)): gamma = 2/u^2, beta = gamma/4, alpha = (8/u - 2)/u
// Neither chart reaches a whole turn, where T of rotation vectors is singular and conformal ones are infinite;
// rotations over one step are far below.
#pragma once
#include "polhode/math/so3.hpp"

namespace polhode::math {

// How three coordinates stand for a rotation; both agree with the rotation vector to first order.
enum class Chart {
  // mu = exp, BCA12 eqs. (25), (26)
  rotation_vector,
  // mu of BCA12 eq. (81): c = 4 tan(phi/4) n (Wiener-Milenkovic); T of eq. (82)
  conformal_rotation_vector,
};

// A point of the chart with what its tangent operator needs, computed once.
// It is a value without references; no function allocates or fails.
class ChartPoint {
 public:
  // c: coordinates in rad (or of size 4 tan(phi/4)); |c| < 2 pi for rotation vectors, any for conformal ones.
  ChartPoint(Chart chart, const Vec3& c);

  // mu(c), the rotation relative to R_0, as a unit quaternion.
  so3::Quaternion rotation() const;
  // T(c).
  Mat3 tangent() const;
  // T(c) w: an angular velocity (rad/s, turned frame) where w is the rate of the coordinates.
  Vec3 apply(const Vec3& w) const;
  // D_c (T(c) w), w held.
  Mat3 derivative_of_apply(const Vec3& w) const;

  // Tdot(c, u) u, the part of Omegadot that is quadratic in the rate u.
  Vec3 convective(const Vec3& u) const;
  // D_c (Tdot(c, u) u), u held.
  Mat3 convective_by_point(const Vec3& u) const;
  // D_u (Tdot(c, u) u).
  Mat3 convective_by_rate(const Vec3& u) const;

 private:
  Chart chart_;
  Vec3 c_;
  // and their derivatives by s:
  // alpha, beta, gamma at s,
  double alpha_;
  double beta_;
  double gamma_;
  double alpha1_;
  double beta1_;
  double gamma1_;
  double alpha2_;
  double beta2_;
  double gamma2_;
};

}  // namespace polhode::math
