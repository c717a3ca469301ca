// SPDX-License-Identifier: BSD-3-Clause
// Increments of a node, and the inertia terms of both structure-preserving methods.
#include "polhode/integrators/structure/node_step.hpp"

#include <cmath>

namespace polhode::integrators {

using math::tilde;
using Increments = StructureSettings::Increments;

// Bodies of a node are rigidly one: masses add, the parallel axis theorem takes inertias to the common
// center of mass.
std::vector<NodeBody> bodies_of_nodes(const assembly::System& system) {
  const auto about = [](double mass, const Vec3& c) -> Mat3 {
    return mass * (c.squaredNorm() * Mat3::Identity() - c * c.transpose());
  };
  std::vector<NodeBody> nodes(system.nodes());
  const auto add = [&](int node, double own_mass, const Vec3& own_c, const Mat3& inertia) {
    NodeBody& all = nodes[static_cast<std::size_t>(node)];
    const double mass = all.mass + own_mass;
    const Vec3 c = (all.mass * all.c + own_mass * own_c) / mass;
    all.J += inertia + about(all.mass, all.c - c) + about(own_mass, own_c - c);
    all.mass = mass;
    all.c = c;
  };
  for (const model::BodyTopology& body : system.bodies()) add(body.node, body.mass, body.center_of_mass, body.inertia);
  for (const model::BeamTopology& beam : system.beams())
    for (const model::BeamTopology::Mass& m : beam.masses)
      add(m.node, m.mass, m.center, m.inertia - about(m.mass, m.center));
  return nodes;
}

Vec6 NodeBody::momentum(const Mat3& R, const Vec6& v) const {
  Vec6 both;
  both << mass * center_velocity(R, v), J * v.tail<3>();
  return both;
}

// C from the quaternion in both charts, so that it is orthogonal to round-off, whatever t is.
void NodeStep::set_rotation_terms() {
  if (chart == Increments::cayley) {
    const double scale = 1 / (1 + 0.25 * t.squaredNorm());
    F = scale * (Mat3::Identity() - 0.5 * tilde(t));
    turn.w() = std::sqrt(scale);
    turn.vec() = 0.5 * turn.w() * t;
  } else {
    s = std::sqrt(1 - t.squaredNorm());
    F = 2 * (s * Mat3::Identity() - tilde(t) + t * t.transpose() / s);
    turn.w() = s;
    turn.vec() = t;
  }
  C = turn.toRotationMatrix();
}

// The inverse: t = 2 v/w or v of the quaternion with w >= 0.
void NodeStep::set_turn(math::so3::Quaternion q) {
  if (q.w() < 0) q.coeffs() *= -1;
  t = q.vec();
  if (chart == Increments::cayley) t *= 2 / q.w();
  set_rotation_terms();
}

namespace energy_momentum {

// Linear: m (dx_c - h u_c) with gravity as h^2/2 times its force. Angular:
// J Omega of both ends in the frame of the begin; C takes the end's back. The arm of the force is the mean
// of R c, which keeps the angular momentum.
Vec6 residual(const NodeBody& b, const NodeStep& n, const Mat3& R, const Vec6& v, const Vec3& gravity, double h) {
  const Vec3 Omega = v.tail<3>();
  const Vec3 next = 2 / h * n.t - Omega;
  const Vec3 force = b.mass * (n.center_increment(b, R) - h * b.center_velocity(R, v) - 0.5 * h * h * gravity);
  Vec6 r;
  r << force, 0.5 * h * (n.C * (b.J * next) - b.J * Omega) + (0.5 * (b.c + n.C * b.c)).cross(R.transpose() * force);
  return r;
}

// By dx and t: dC = C (F dt)~ and d(Omega+) = 2/h dt. C J Omega+ varies by C (J 2/h - (J Omega+)~ F) dt,
// times h/2. With an offset C c varies by -C c~ F dt, in the force and in its arm.
Mat6 tangent(const NodeBody& b, const NodeStep& n, const Mat3& R, const Vec6& v, const Vec3& gravity, double h) {
  const Vec3 Omega = v.tail<3>();
  const Vec3 next = 2 / h * n.t - Omega;
  Mat6 S = Mat6::Zero();
  S.topLeftCorner<3, 3>().diagonal().setConstant(b.mass);
  S.bottomRightCorner<3, 3>() = n.C * (b.J - 0.5 * h * tilde(b.J * next) * n.F);
  if (b.c.isZero(0)) return S;
  const Vec3 force = b.mass * (n.center_increment(b, R) - h * b.center_velocity(R, v) - 0.5 * h * h * gravity);
  const Mat3 Cc = -n.C * tilde(b.c) * n.F;  // of C c by t
  const Mat3 lever = tilde(Vec3(0.5 * (b.c + n.C * b.c)));
  S.topRightCorner<3, 3>() = b.mass * R * Cc;
  S.bottomLeftCorner<3, 3>() = b.mass * lever * R.transpose();
  S.bottomRightCorner<3, 3>() += b.mass * lever * Cc - 0.5 * tilde(R.transpose() * force) * Cc;
  return S;
}

// From the means of both ends: (u_c + u_c+)/2 = dx_c/h and (Omega + Omega+)/2 = t/h;
// then from the center back to the node.
Vec6 end_velocity(const NodeBody& b, const NodeStep& n, const Mat3& R, const Mat3& R_end, const Vec6& v, double h) {
  const Vec3 Omega = 2 / h * n.t - v.tail<3>();
  const Vec3 u_c = 2 / h * n.center_increment(b, R) - b.center_velocity(R, v);
  Vec6 end;
  end << u_c - R_end * Omega.cross(b.c), Omega;
  return end;
}

// (R c)''' = R (Omega~^3 + 2 Omega~ Omega'~ + Omega'~ Omega~ + Omega''~) c
Vec6 velocity_offset(const NodeBody& b, const Mat3& R, const Vec6& v, const Vec6& vdot, const Vec6& vddot) {
  const Vec3 O = v.tail<3>();
  const Vec3 O1 = vdot.tail<3>();
  const Vec3 O2 = vddot.tail<3>();
  const Vec3 Oc = O.cross(b.c);
  const Vec3 turn = (O.cross(O1) + O.squaredNorm() * O - O2) / 12;
  const Vec3 arm = O.cross(O.cross(Oc)) + 2 * O.cross(O1.cross(b.c)) + O1.cross(Oc) + O2.cross(b.c);
  Vec6 carried;
  carried << -(vddot.head<3>() + R * arm) / 12 - R * turn.cross(b.c), turn;
  return carried;
}

}  // namespace energy_momentum

namespace variational {

namespace {

// L(N, +t), or with sign = -1 L(N, -t).
Vec3 leaving(const NodeBody& b, const NodeStep& n, double sign) {
  const Vec3 Jt = b.J * n.t;
  if (n.chart == Increments::cayley) return Jt + 0.5 * sign * n.t.cross(Jt) + 0.25 * n.t.dot(Jt) * n.t;
  return 2 * (n.s * Jt + sign * n.t.cross(Jt));
}

// By t: of N = J t where it is a factor, and of t beside it, with ds = -t . dt/s for quaternions.
Mat3 leaving_tangent(const NodeBody& b, const NodeStep& n) {
  const Vec3 Jt = b.J * n.t;
  const Mat3 turning = tilde(n.t) * b.J - tilde(Jt);
  if (n.chart == Increments::cayley)
    return b.J + 0.5 * turning + 0.25 * n.t.dot(Jt) * Mat3::Identity() + 0.5 * n.t * Jt.transpose();
  return 2 * (n.s * b.J - Jt * n.t.transpose() / n.s + turning);
}

}  // namespace

// Half of the step's weight acts at the begin, h^2/2 gamma; the moment about the node has that of the force
// at the center of mass.
Vec6 residual(const NodeBody& b, const NodeStep& n, const Mat3& R, const Vec6& momentum, const Vec3& gravity,
              double h) {
  const Vec3 force = b.mass * (n.center_increment(b, R) - 0.5 * h * h * gravity) - h * momentum.head<3>();
  Vec6 r;
  r << force, leaving(b, n, 1) - h * momentum.tail<3>() + b.c.cross(R.transpose() * force);
  return r;
}

Mat6 tangent(const NodeBody& b, const NodeStep& n, const Mat3& R) {
  Mat6 S = Mat6::Zero();
  S.topLeftCorner<3, 3>().diagonal().setConstant(b.mass);
  S.bottomRightCorner<3, 3>() = leaving_tangent(b, n);
  if (b.c.isZero(0)) return S;
  const Mat3 Cc = -n.C * tilde(b.c) * n.F;
  S.topRightCorner<3, 3>() = b.mass * R * Cc;
  S.bottomLeftCorner<3, 3>() = b.mass * tilde(b.c) * R.transpose();
  S.bottomRightCorner<3, 3>() += b.mass * tilde(b.c) * Cc;
  return S;
}

// Of inertia and weight; the other forces are added by the solver.
Vec6 end_momentum(const NodeBody& b, const NodeStep& n, const Mat3& R, const Vec3& gravity, double h) {
  Vec6 momentum;
  momentum << b.mass / h * (n.center_increment(b, R) + 0.5 * h * h * gravity), leaving(b, n, -1) / h;
  return momentum;
}

// By the mean velocities of the step: it is the energy of the discrete Lagrangian, not of a state.
double kinetic_energy(const NodeBody& b, const NodeStep& n, const Mat3& R, double h) {
  const Vec3 rate = n.average_rate(h);
  return 0.5 * b.mass / (h * h) * n.center_increment(b, R).squaredNorm() + 0.5 * rate.dot(b.J * rate);
}

}  // namespace variational
}  // namespace polhode::integrators
