// SPDX-License-Identifier: BSD-3-Clause
// The angle that b is twisted against a about an axis of both, n_a = R_a a and n_b = R_b b, which may tilt apart.
//
// phi is the angle left about n after n_b has been turned back onto n_a by the shortest way, as in a homokinetic joint.
// Of the relative rotation p = (p_0, p) of the frames with third axes n_a, n_b (a unit quaternion): phi = 2 atan2(p_3,
// p_0). With omega = omega_b - omega_a in the inertial frame
//   phidot = m . omega,   m = (n_a + n_b) / (1 + n_a . n_b)
//   g = [0, -R_a^T m, 0, R_b^T m],   G = D_q g from  dm = M_a dtheta_a + M_b dtheta_b,
//   M_a = -(I - m n_b^T) n_a~ / (1 + n_a . n_b),  M_b = -(I - m n_a^T) n_b~ / (1 + n_a . n_b),  dtheta = R dTheta.
// Over a step: phi = atan2(y, x) with x = t1_a . t1_b + t2_a . t2_b and y = t2_a . t1_b - t1_a . t2_b, of the length
// 1 + n_a . n_b (step_angle.hpp).
// a and b stand alike. Where the axes are opposite no twist is defined.
#pragma once
#include "elements/joints/rows/step_angle.hpp"

namespace polhode::elements::twist {

// phi in (-pi, pi]; the axes are the third columns of E_a, E_b, which lead to the nodes' frames.
double angle(const Mat3& E_a, const Mat3& E_b, const PairNodes& n);
// g and G for axes a, b in the nodes' frames, of unit length; translations have zeros.
Mat<12> gradient(const Vec3& a, const Vec3& b, const PairNodes& n);
PairBlock gradient_tangent(const Vec3& a, const Vec3& b, const PairNodes& n);
// Change of phi over a step, with its rows.
StepAngle over(const Mat3& E_a, const Mat3& E_b, const PairStep& s);

}  // namespace polhode::elements::twist
