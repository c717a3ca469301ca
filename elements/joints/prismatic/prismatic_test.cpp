// SPDX-License-Identifier: BSD-3-Clause
// The prismatic joint: where it lets b go, its drive, and what acts along it.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/joints.hpp"

namespace polhode::support::prismatic_test {
namespace {

const Vec3 axis = Vec3(1, 2, -2) / 3;
const Vec3 at(0.2, 0.5, -0.3);
const math::so3::Quaternion none = math::so3::Quaternion::Identity();

TEST(PrismaticJoint, HoldsAtEveryDisplacementAlongItsAxisAndAtNoOther) {
  const Machine machine(two_bodies("prismatic", at, {{"axis", value(Vec3(3 * axis))}}));
  const State start = machine.system.initial_state();
  for (const double s : {0.0, 0.7, -5.0}) {
    const State q = placed(start, none, at, s * axis);
    EXPECT_LE(joint_phi(machine.system, q).norm(), 1e-14);
    EXPECT_NEAR(joint_outputs(machine.system, q, 8)[6], s, 1e-14);
  }
  EXPECT_GT(joint_phi(machine.system, placed(start, none, at, axis.unitOrthogonal())).norm(), 0.99);
  for (const Vec3& turn : {Vec3(0.1 * axis), Vec3(0.1 * axis.unitOrthogonal())})
    EXPECT_GT(joint_phi(machine.system, placed(start, math::so3::exp_quaternion(turn), at, Vec3::Zero())).norm(), 0.09);
}

TEST(PrismaticJoint, DriveForceIsMassTimesAcceleration) {
  const Machine machine(body_on_ground("prismatic", 1, {{"axis", value(axis)}, {"translation", expression("3*t^2")}}));
  const State q = consistent_start(machine.system);
  EXPECT_NEAR(q.lambda[5], 6, 1e-13);
  EXPECT_NEAR(joint_outputs(machine.system, q, 8)[7], 6, 1e-13);
  EXPECT_LE((joint_outputs(machine.system, q, 8).head<3>() - 6 * axis).norm(), 1e-13);
}

// x'' = -4 (x - 1/2): back at the start after half a second times 2 pi, with an error of order 2.
TEST(PrismaticJoint, SpringSwingsWithItsFrequencyAboutItsFreeDisplacement) {
  const Machine machine(
      body_on_ground("prismatic", 1, {{"axis", value(axis)}, {"stiffness", 4.0}, {"free_displacement", 0.5}}));
  const State start = consistent_start(machine.system);
  std::array<double, 2> error{};
  for (int level = 0; level < 2; ++level) {
    const int steps = 200 << level;
    const State end =
        run(machine.system, start, method("lie_alpha"), to_round_off(), 1.25 * std::numbers::pi / steps, steps);
    error[level] = std::abs(end.x[1].dot(axis) - 0.5 * (1 - std::cos(2.5 * std::numbers::pi)));
    EXPECT_NEAR(machine.system.energies(end).total(), machine.system.energies(start).total(), 1e-3);
  }
  EXPECT_NEAR(error[0] / error[1], 4, 0.2);
  EXPECT_LE(error[1], 1e-3);
}

// m x'' = F_m - F_c while it slides; a motor below F_c hardly moves it: v = v_s atanh(F_m/F_c).
// At rest friction is zero, so the first step may be off by F_c h.
TEST(PrismaticJoint, DryFrictionBrakesAndHolds) {
  for (const double motor : {3.0, 1.0}) {
    const Machine machine(body_on_ground("prismatic", 1,
                                         {{"axis", value(axis)},
                                          {"motor", model::TimeFunction(motor)},
                                          {"friction.coulomb", 2.0},
                                          {"friction.velocity", 1e-3}}));
    const State end =
        run(machine.system, consistent_start(machine.system), method("lie_alpha"), to_round_off(), 0.005, 400);
    const double expected = motor > 2 ? (motor - 2) * 2 : 1e-3 * std::atanh(motor / 2);
    EXPECT_NEAR(end.v[1].head<3>().dot(axis), expected, motor > 2 ? 2 * 0.005 : 1e-6);
  }
}

TEST(PrismaticJoint, RefusesALawBesideADrive) {
  const model::Problems problems = problems_of(body_on_ground(
      "prismatic", 1,
      {{"axis", value(axis)}, {"translation", expression("t^2")}, {"damping", 1.0}, {"free_displacement", 1.0}}));
  ASSERT_EQ(problems.size(), 3u);  // free_displacement without stiffness, and two beside the drive
  EXPECT_EQ(problems[1].path, "joints.joint.damping");
}

}  // namespace
}  // namespace polhode::support::prismatic_test
