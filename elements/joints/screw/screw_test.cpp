// SPDX-License-Identifier: BSD-3-Clause
// The screw: it advances by its pitch over many turns, and falls as fast as its inertia lets it.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/joints.hpp"

namespace polhode::support::screw_test {
namespace {

const Vec3 axis(0, 0, 1);

TEST(ScrewJoint, AdvancesByItsPitchATurn) {
  const Machine machine(body_on_ground("screw", 1, {{"axis", value(axis)}, {"pitch", 0.3}}));
  State q = machine.system.initial_state();
  const State start = q;
  for (int n = 1; n <= 20; ++n) {
    const double angle = 2.5 * n;
    const State next = placed(start, math::so3::exp_quaternion(Vec3(angle * axis)), {0, 0, 0},
                              0.3 * angle / (2 * std::numbers::pi) * axis);
    q.x = next.x;
    q.quat = next.quat;
    q.R = next.R;
    EXPECT_LE(joint_phi(machine.system, q).norm(), 1e-14);
    machine.system.update_history(q);
    EXPECT_NEAR(joint_outputs(machine.system, q, 8)[6], angle, 1e-12);
  }
  q.x[1] += 0.3 * axis;  // a turn too many
  EXPECT_NEAR(joint_phi(machine.system, q)[4], -0.3, 1e-14);
}

// m g = (m + J (2 pi/p)^2) a, and the angle is 2 pi/p times the way, over several turns.
TEST(ScrewJoint, FallsWithTheInertiaOfItsTurning) {
  model::Model model = body_on_ground("screw", 0.02, {{"axis", value(axis)}, {"pitch", 0.5}});
  model.gravity = Vec3(0, 0, -9.81);
  const Machine machine(std::move(model));
  const double gear = 2 * std::numbers::pi / 0.5;
  const double a = -9.81 / (1 + 0.02 * gear * gear);
  const State start = consistent_start(machine.system);
  EXPECT_NEAR(start.vdot[1][2], a, 1e-12);
  const State end = run(machine.system, start, method("lie_alpha"), to_round_off(), 0.01, 200);
  EXPECT_NEAR(end.x[1][2], a * 2, 1e-9);
  EXPECT_NEAR(joint_outputs(machine.system, end, 8)[6], gear * end.x[1][2], 1e-9);
  EXPECT_LT(joint_outputs(machine.system, end, 8)[6], -4 * std::numbers::pi);
}

TEST(ScrewJoint, RefusesAPitchOfZero) {
  const model::Problems problems = problems_of(body_on_ground("screw", 1, {{"axis", value(axis)}, {"pitch", 0.0}}));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "joints.joint.pitch");
}

}  // namespace
}  // namespace polhode::support::screw_test
