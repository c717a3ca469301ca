// SPDX-License-Identifier: BSD-3-Clause
// Local coordinates of SO(3) about a rotation, R = R_0 mu(c): rotation vector and conformal rotation vector.
//
// Both have an isotropic tangent operator, T(c) w = alpha w + beta c (c.w) - gamma c x w, with alpha, beta, gamma
// functions of s = |c|^2; so velocity, acceleration and their exact derivatives are written once:
//   Omega    = T(c) cdot                                BCA12 eq. (66)
//   Omegadot = T(c) cddot + Tdot(c, cdot) cdot          BCA12 eq. (67)
#pragma once
#include "polhode/math/so3.hpp"

namespace polhode::math {

enum class Chart {
  rotation_vector,            // mu = exp, BCA12 eqs. (25), (26)
  conformal_rotation_vector,  // mu of BCA12 eq. (81): c = 4 tan(phi/4) n (Wiener-Milenkovic); T of eq. (82)
};

// A point of the chart with what its tangent operator needs, computed once.
class ChartPoint {
 public:
  // c: coordinates in rad (or of size 4 tan(phi/4)); |c| < 2 pi for rotation vectors, any for conformal ones.
  ChartPoint(Chart chart, const Vec3& c);

  so3::Quaternion rotation() const;               // mu(c)
  Mat3 tangent() const;                           // T(c)
  Vec3 apply(const Vec3& w) const;                // T(c) w
  Mat3 derivative_of_apply(const Vec3& w) const;  // D_c (T(c) w)

  Vec3 convective(const Vec3& u) const;           // Tdot(c, u) u
  Mat3 convective_by_point(const Vec3& u) const;  // D_c (Tdot(c, u) u)
  Mat3 convective_by_rate(const Vec3& u) const;   // D_u (Tdot(c, u) u)

 private:
  Chart chart_;
  Vec3 c_;
  // and their derivatives by s:
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
