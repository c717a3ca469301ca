// SPDX-License-Identifier: BSD-3-Clause
// One node over a step of a structure-preserving method: increments of position and rotation, and the inertia of all
// bodies at the node.
//
// x+ = x + dx (inertial), R+ = R C(t), with the increment t in one of two charts:
//   cayley      C = (I - t~/2)^-1 (I + t~/2), quaternion (1, t/2)/sqrt(1 + t.t/4): no limit but half a turn
//   quaternion  C of the quaternion (s, t), s = sqrt(1 - t.t), of Wendlandt & Marsden: |t| < 1
// R+^T dR+ = (F dt)~, F = (I - t~/2)/(1 + t.t/4) or 2 (s I - t~ + t t^T/s).
// The center of mass stands at x_c = x + R c, its velocity is u_c = u + R (Omega x c); equations are about the node, so
// that elements see nodes alone, and hold for dx even where x is fixed.
#pragma once
#include <vector>

#include "polhode/assembly/system.hpp"
#include "polhode/integrators/structure/settings.hpp"

namespace polhode::integrators {

using math::Mat3;
using math::Mat6;
using math::Vec3;
using math::Vec6;
using math::VectorX;
using model::State;

// All bodies at a node as one; J about its center of mass, in the node's frame.
struct NodeBody {
  double mass = 0;
  Vec3 c = Vec3::Zero();
  Mat3 J = Mat3::Zero();
  // Of the center of mass, inertial; v = (u, Omega) of the node.
  Vec3 center_velocity(const Mat3& R, const Vec6& v) const { return v.head<3>() + R * Vec3(v.tail<3>()).cross(c); }
  // (p, Pi): of the center of mass, inertial; about it, in the node's frame.
  Vec6 momentum(const Mat3& R, const Vec6& v) const;
};
std::vector<NodeBody> bodies_of_nodes(const assembly::System& system);

struct NodeStep {
  StructureSettings::Increments chart = StructureSettings::Increments::cayley;
  Vec3 dx = Vec3::Zero();
  Vec3 t = Vec3::Zero();
  double s = 1;  // of the quaternion
  Mat3 C = Mat3::Identity();
  Mat3 F = Mat3::Identity();
  math::so3::Quaternion turn = math::so3::Quaternion::Identity();

  void set_rotation_terms();               // s, C, F, turn; of |t| < 1 for the quaternion
  void set_turn(math::so3::Quaternion q);  // t and all else from a rotation
  Vec3 average_rate(double h) const { return (chart == StructureSettings::Increments::cayley ? 1 : 2) / h * t; }
  Vec3 center_increment(const NodeBody& b, const Mat3& R) const { return dx + R * (C * b.c - b.c); }
};

// Energy-momentum, Simo & Wong (1991) with Cayley's increments, rows multiplied by h^2/2 against forces:
//   u_c+ = 2 dx_c/h - u_c,  Omega+ = 2 t/h - Omega
//   r_x = m (dx_c - h u_c - h^2/2 gamma),  r_t = h/2 (C J Omega+ - J Omega) + R^T (Rbar c x r_x)
namespace energy_momentum {
Vec6 residual(const NodeBody& b, const NodeStep& n, const Mat3& R, const Vec6& v, const Vec3& gravity, double h);
Mat6 tangent(const NodeBody& b, const NodeStep& n, const Mat3& R, const Vec6& v, const Vec3& gravity, double h);
Vec6 end_velocity(const NodeBody& b, const NodeStep& n, const Mat3& R, const Mat3& R_end, const Vec6& v, double h);
// What the method itself carries as (u, Omega) along a smooth motion, less the rates of that motion, over h^2: from
// the means (u_c + u_c+)/2 = dx_c/h, (Omega + Omega+)/2 = t/h,
//   u_c: -x_c'''/12,   Omega: (-Omega'' + Omega x Omega' + Omega.Omega Omega)/12
Vec6 velocity_offset(const NodeBody& b, const Mat3& R, const Vec6& v, const Vec6& vdot, const Vec6& vddot);
}  // namespace energy_momentum

// Discrete Euler-Lagrange equations times h, with the momenta p (inertial) and Pi (body) of the center of mass that
// arrive at the node, and N = J t (cayley) or 2 J t (quaternion):
//   r_x = m dx_c - h p - h^2/2 m gamma,  r_t = L(N, +t) - h Pi + c x R^T r_x
//   p+ = m dx_c/h + h/2 m gamma - ..., Pi+ = L(N, -t)/h - ...
//   L(N, t) = N + t x N/2 + t (t.N)/4  or  s N + t x N
namespace variational {
Vec6 residual(const NodeBody& b, const NodeStep& n, const Mat3& R, const Vec6& momentum, const Vec3& gravity, double h);
Mat6 tangent(const NodeBody& b, const NodeStep& n, const Mat3& R);
Vec6 end_momentum(const NodeBody& b, const NodeStep& n, const Mat3& R, const Vec3& gravity, double h);
double kinetic_energy(const NodeBody& b, const NodeStep& n, const Mat3& R, double h);  // of the segment
}  // namespace variational

}  // namespace polhode::integrators
