// SPDX-License-Identifier: BSD-3-Clause
// The distance of a point of a and a point of b, with its gradient and the gradient's derivative.
//
//   d = p_b - p_a,  p = x + R s,  l = sqrt(d.d + epsilon^2),  n = d/l
//   ddot = J v,  J = [-I  R_a s_a~  I  -R_b s_b~]
//   g = J^T n  (ldot = g . v),   G = D_q g = J^T (I - n n^T)/l J + diag(0, -s_a~ (R_a^T n)~, 0, s_b~ (R_b^T n)~)
// epsilon is 1e-8 of the length at the start: nothing to a distance of any size, while one that goes through zero has a
// direction at all times.
#pragma once
#include "polhode/model/contract.hpp"

namespace polhode::elements {

// Constants of an element; the functions allocate nothing, and the columns of their results are those of rows.hpp.
struct PointDistance {
  // m, in the nodes' frames
  math::Vec3 s_a;
  math::Vec3 s_b;
  // m
  double epsilon = 0;
  using Nodes = model::Nodes<2>;
  using Gradient = math::Mat<12>;
  using Block = math::Mat<12, 12>;

  // d, m, inertial.
  math::Vec3 difference(const Nodes& n) const { return (n[1].x - n[0].x) + (n[1].R * s_b - n[0].R * s_a); }
  // l, m, never below epsilon.
  double length(const Nodes& n) const;
  // g: dl = g . [dx_a dTheta_a dx_b dTheta_b].
  Gradient gradient(const Nodes& n) const;
  // G = D_q g.
  Block gradient_tangent(const Nodes& n) const;
};

}  // namespace polhode::elements
