// SPDX-License-Identifier: BSD-3-Clause
// Rows of points that slide: the offset of two marker points along a vector of a, and their displacement.
//
//   offset        Phi = (p_a - p_b) . w_a              one row, quadratic in (x, R)
//   displacement  s = (p_b - p_a) . w_a                 what b has moved along w_a against a; Phi = s(t) - s if driven
//
// With e = x_a - p_b and dtheta = R dTheta: dPhi = w . (dx_a - dx_b - dtheta_b x R_b s_b) + dtheta_a . (w x e). The
// force lambda w acts on b at its own point, and on a at the place where that point is.
#pragma once
#include "elements/joints/rows/rows.hpp"

namespace polhode::elements::rows {

// Phi in m for a unit vector c_a of a's frame; its gradient, one row of B; and lambda D_q (gradient^T), added to K.
double offset(const Markers& d, const PairNodes& n, const Vec3& c_a);
PairGradient offset_gradient(const Markers& d, const PairNodes& n, const Vec3& c_a);
void add_offset_tangent_to(const Markers& d, const PairNodes& n, const Vec3& c_a, double lambda, PairBlock& K);

}  // namespace polhode::elements::rows
