// SPDX-License-Identifier: BSD-3-Clause
// The nodal load: frames, sign, history and power.
#include <gtest/gtest.h>

#include "support/models.hpp"

namespace polhode::support::load_test {
namespace {

const Vec3 force(1, 2, 3);
const Vec3 moment(-2, 0.5, 1);

model::Model loaded(bool follower, std::string_view history) {
  ModelMaker m;
  m.node("tip", Vec3(1, 0, 0)).orientation = math::so3::exp_quaternion(Vec3(0.4, -1, 0.7));
  m.body("body", "tip", 1, Vec3(1, 1, 1));
  m.add(Family::force, "load", "push",
        {{"node", value("tip")},
         {"force", value(force)},
         {"moment", value(moment)},
         {"follower", follower},
         {"history", expression(history)}});
  return std::move(m.model);
}

Vec6 residual(const assembly::System& system, const State& q) {
  assembly::Residual r = system.make_residual();
  system.set_residual(q, r, {false, true, false});
  return r.force[1];
}

TEST(Load, IsInertialOrFollowsTheNode) {
  for (const bool follower : {false, true}) {
    const Machine machine(loaded(follower, "1"));
    const State q = machine.system.initial_state();
    const Vec6 r = residual(machine.system, q);
    EXPECT_LE((r.head<3>() + (follower ? Vec3(q.R[1] * force) : force)).norm(), 1e-15);
    EXPECT_LE((r.tail<3>() + (follower ? moment : Vec3(q.R[1].transpose() * moment))).norm(), 1e-15);
  }
}

TEST(Load, FollowsItsHistory) {
  const Machine machine(loaded(false, "t < 2 ? 3*t : 0"));
  State q = machine.system.initial_state();
  for (const auto& [t, factor] : {std::pair{0.0, 0.0}, {0.5, 1.5}, {1.9, 5.7}, {2.5, 0.0}}) {
    q.t = t;
    EXPECT_LE((residual(machine.system, q).head<3>() + factor * force).norm(), 1e-14);
  }
  EXPECT_EQ(machine.system.breakpoints(0, 10), std::vector<double>{2});
}

TEST(Load, PowerIsForceTimesVelocity) {
  for (const bool follower : {false, true}) {
    const Machine machine(loaded(follower, "2"));
    State q = machine.system.initial_state();
    const Vec3 u(0.3, -1, 2);
    const Vec3 Omega(1, 2, -0.5);
    q.v[1] << u, Omega;
    const Vec3 F = follower ? Vec3(q.R[1] * force) : force;
    const Vec3 M = follower ? Vec3(q.R[1] * moment) : moment;
    EXPECT_NEAR(machine.system.power(q), 2 * F.dot(u) + 2 * M.dot(q.R[1] * Omega), 1e-13);
  }
}

// A force at a point of a body is that force and its moment on the node; the point goes with the body.
TEST(Load, AtAPointIsTheForceAndItsMomentOnTheNode) {
  for (const bool follower : {false, true}) {
    const Vec3 lever(0.3, -0.2, 0.5);
    model::Model with_lever = loaded(follower, "1");
    with_lever.entries.back().values.emplace("at", value(Vec3(with_lever.nodes[0].position + lever)));
    const Machine machine(std::move(with_lever));
    State q = machine.system.initial_state();
    const math::so3::Quaternion turn = math::so3::exp_quaternion(Vec3(1, -0.3, 0.6));
    const Vec3 c = q.R[1].transpose() * lever;
    q.set_rotation(1, turn * q.quat[1]);
    const Vec3 F = follower ? Vec3(q.R[1] * force) : force;
    const Vec3 M = follower ? Vec3(q.R[1] * moment) : moment;
    const Vec6 r = residual(machine.system, q);
    EXPECT_LE((r.head<3>() + F).norm(), 1e-14);
    EXPECT_LE((q.R[1] * r.tail<3>() + M + (q.R[1] * c).cross(F)).norm(), 1e-14);
    q.v[1] << 0.3, -1, 2, 1, 2, -0.5;
    const Vec3 u = q.v[1].head<3>() + q.R[1] * Vec3(q.v[1].tail<3>()).cross(c);
    EXPECT_NEAR(machine.system.power(q), F.dot(u) + M.dot(q.R[1] * q.v[1].tail<3>()), 1e-13);
  }
}

// A body with a constant force and moment from rest: u = F t/m; turns about the moment's axis for equal inertias.
TEST(Load, MovesABodyAsNewtonSays) {
  const Machine machine(loaded(false, "1"));
  const State q = consistent_start(machine.system);
  EXPECT_LE((q.vdot[1].head<3>() - force).norm(), 1e-14);
  EXPECT_LE((q.R[1] * q.vdot[1].tail<3>() - moment).norm(), 1e-14);
}

}  // namespace
}  // namespace polhode::support::load_test
