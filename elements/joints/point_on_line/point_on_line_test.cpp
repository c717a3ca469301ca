// SPDX-License-Identifier: BSD-3-Clause
// Points on lines and planes, and planes on planes: what they hold and what they leave free.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/joints.hpp"

namespace polhode::support::point_on_line_test {
namespace {

const Vec3 n = Vec3(1, 2, -2) / 3;
const Vec3 at(0.2, 0.5, -0.3);
const Vec3 t = n.unitOrthogonal();
const math::so3::Quaternion some = math::so3::exp_quaternion(Vec3(0.3, -1, 0.5));

State moved_by(const Machine& machine, const math::so3::Quaternion& turn, const Vec3& shift) {
  return placed(machine.system.initial_state(), turn, at, shift);
}

TEST(PointOnLine, HoldsForAnyTurnAndAnyWayAlongTheLine) {
  const Machine machine(two_bodies("point_on_line", at, {{"axis", value(n)}}));
  const State q = moved_by(machine, some, 0.7 * n);
  EXPECT_LE(joint_phi(machine.system, q).norm(), 1e-15);
  EXPECT_NEAR(joint_outputs(machine.system, q, 7)[6], 0.7, 1e-14);
  EXPECT_NEAR(joint_phi(machine.system, moved_by(machine, some, 0.1 * t)).norm(), 0.1, 1e-14);
}

// A bead on a wire that turns: r'' = omega^2 r, r = r_0 cosh(omega t).
TEST(PointOnLine, BeadLeavesATurningWire) {
  ModelMaker m;
  m.node("wire", Vec3::Zero()).angular_velocity = Vec3(0, 0, 2);
  model::NodeEntry& bead = m.node("bead", Vec3(0.1, 0, 0));
  bead.velocity = Vec3(0, 0.2, 0);
  bead.translation_only = true;
  m.body("wire", "wire", 1, Vec3(0.1, 0.1, 0.1));
  m.add(Family::body, "point_mass", "bead", {{"node", value("bead")}, {"mass", 0.05}});
  model::Entry& axle = m.joint("revolute", "axle", "ground", "wire", Vec3::Zero());
  axle.values.emplace("axis", value(Vec3(0, 0, 1)));
  axle.values.emplace("rotation", expression("2*t"));
  m.joint("point_on_line", "line", "wire", "bead", Vec3(0.1, 0, 0)).values.emplace("axis", value(Vec3(1, 0, 0)));
  const Machine machine(std::move(m.model));
  std::array<double, 2> error{};
  for (int level = 0; level < 2; ++level) {
    const int steps = 100 << level;
    const State end =
        run(machine.system, consistent_start(machine.system), method("lie_alpha"), to_round_off(), 1.0 / steps, steps);
    error[level] = std::abs(end.x[2].norm() - 0.1 * std::cosh(2));
  }
  EXPECT_NEAR(error[0] / error[1], 4, 0.3);
  EXPECT_LE(error[1], 1e-4);
}

TEST(PointOnPlane, HoldsForAnyTurnAndAnyWayInThePlane) {
  const Machine machine(two_bodies("point_on_plane", at, {{"axis", value(n)}}));
  const State q = moved_by(machine, some, 0.7 * t - 0.4 * n.cross(t));
  EXPECT_LE(joint_phi(machine.system, q).norm(), 1e-15);
  EXPECT_NEAR(joint_outputs(machine.system, q, 8).tail<2>().norm(), std::hypot(0.7, 0.4), 1e-14);
  EXPECT_NEAR(joint_phi(machine.system, moved_by(machine, some, 0.1 * n))[0], -0.1, 1e-14);
}

TEST(PlanarJoint, HoldsForTurnsAboutTheNormalAndWaysInThePlane) {
  const Machine machine(two_bodies("planar", at, {{"axis", value(n)}}));
  State q = moved_by(machine, math::so3::exp_quaternion(Vec3(2 * n)), 0.7 * t);
  EXPECT_LE(joint_phi(machine.system, q).norm(), 1e-15);
  machine.system.update_history(q);
  EXPECT_NEAR(joint_outputs(machine.system, q, 9)[8], 2, 1e-14);
  EXPECT_GT(joint_phi(machine.system, moved_by(machine, some, Vec3::Zero())).norm(), 0.1);
  EXPECT_NEAR(joint_phi(machine.system, moved_by(machine, {1, 0, 0, 0}, 0.1 * n)).norm(), 0.1, 1e-14);
}

TEST(PointOnLine, OfAPointWithoutRotationIsRefused) {
  ModelMaker m;
  m.node("point", Vec3(1, 0, 0)).translation_only = true;
  m.add(Family::body, "point_mass", "mass", {{"node", value("point")}, {"mass", 1.0}});
  m.joint("point_on_line", "off", "ground", "point", Vec3(1, 0.5, 0)).values.emplace("axis", value(n));
  m.joint("point_on_line", "line", "point", "ground", Vec3(1, 0, 0)).values.emplace("axis", value(n));
  const model::Problems problems = problems_of(m.model);
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].path, "joints.off.at");
  EXPECT_EQ(problems[1].path, "joints.line.connects");
}

}  // namespace
}  // namespace polhode::support::point_on_line_test
