// SPDX-License-Identifier: BSD-3-Clause
// Spatial rows G of the joints' rows at the mean of two configurations (polhode/model/discrete.hpp), and the tangents
// of G^T lambda by the end of the step.
//
// Levers l = R s, vectors w = R c, d = p_a - p_b; wrenches (force; moment about the node), on a | on b:
//   coincidence k   ( e_k ; l_a x e_k )              | ( -e_k ; -l_b x e_k )
//   dot             ( 0 ; w_a x w_b )                | ( 0 ; w_b x w_a )
//   offset          ( w ; w x e ), e = d - l_a       | ( -w ; -l_b x w )
//   distance        ( d ; l_a x d ) / L              | ( -d ; -l_b x d ) / L
// G (dx, e) = Phi+ - Phi for quadratic Phi, and sum f = 0, sum (x x f + m) = 0: rows are made of dot products of
// markers, so both hold for any matrices R (Simo & Wong 1991, Betsch & Steinmann 2001 for directors). Derivatives: mean
// levers and vectors move by half of what those of the end do, dl = dtheta+ x l+ / 2.
#pragma once
#include "elements/joints/rows/rows.hpp"

namespace polhode::elements::rows {

using MeanRow = PairGradient;  // [f_a m_a f_b m_b], all spatial

// Sets three rows of G from `row` on, at the mean configuration n.
template <class Gradient>
void mean_coincidence(const Markers& d, const PairNodes& n, int row, Gradient& G) {
  G.template block<3, 3>(row, 0).setIdentity();
  G.template block<3, 3>(row, 3) = -math::tilde(n[0].R * d.s_a);
  G.template block<3, 3>(row, 6) = -Mat3::Identity();
  G.template block<3, 3>(row, 9) = math::tilde(n[1].R * d.s_b);
}
// Adds the tangent of G^T lambda: only levers move, so the begin of the step does not enter.
void add_mean_coincidence_tangent_to(const Markers& d, const PairNodes& end, const Vec3& lambda, PairBlock& K);

// The row of w_a . w_b at the mean n, and the tangent of lambda times it.
MeanRow mean_dot(const PairNodes& n, const Vec3& c_a, const Vec3& c_b);
void add_mean_dot_tangent_to(const PairNodes& mean, const PairNodes& end, const Vec3& c_a, const Vec3& c_b,
                             double lambda, PairBlock& K);

// The row of (p_a - p_b) . w_a at the mean n, and the tangent of lambda times it.
MeanRow mean_offset(const Markers& d, const PairNodes& n, const Vec3& c_a);
void add_mean_offset_tangent_to(const Markers& d, const PairNodes& mean, const PairNodes& end, const Vec3& c_a,
                                double lambda, PairBlock& K);

// A force at p_b, and its opposite at p_a, with the levers of n: (-F ; -l_a x F) | (F ; l_b x F).
Mat<12> wrench_between(const Vec3& s_a, const Vec3& s_b, const PairNodes& n, const Vec3& force_on_b);
// Its derivative by the end, where that of F by p_b - p_a at the end is `by_points`; levers are mean if `moving`, else
// held.
// K (12 x 12) accumulates; forces N, moments about the nodes in N m, all inertial.
void add_wrench_tangent_to(const Vec3& s_a, const Vec3& s_b, const PairNodes& n, const PairNodes& end,
                           const Vec3& force_on_b, const Mat3& by_points, bool moving, PairBlock& K);

}  // namespace polhode::elements::rows
