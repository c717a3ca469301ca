// SPDX-License-Identifier: BSD-3-Clause
// The universal joint: its angles, and the axes that it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/joints.hpp"

namespace polhode::support {
namespace {

const Vec3 at(0.2, 0.5, -0.3), u = Vec3(1, 2, -2) / 3, v = Vec3(2, 1, 2) / 3;

math::MatrixX axes(const Vec3& first, const Vec3& second) {
  math::MatrixX result(3, 2);
  result << first, second;
  return result;
}

TEST(UniversalJoint, HoldsForTurnsAboutBothAxesOfTheCrossAndCountsThem) {
  const Machine machine(two_bodies("universal", at, {{"axes", axes(2 * u, 3 * v)}}));
  State q = machine.system.initial_state();
  const State start = q;
  for (int n = 1; n <= 10; ++n) {
    const math::so3::Quaternion turn =
        math::so3::exp_quaternion(Vec3(1.1 * n * u)) * math::so3::exp_quaternion(Vec3(-0.9 * n * v));
    const State next = placed(start, turn, at, Vec3::Zero());
    q.x = next.x, q.quat = next.quat, q.R = next.R;
    EXPECT_LE(joint_phi(machine.system, q).norm(), 1e-14);
    machine.system.update_history(q);
    EXPECT_NEAR(joint_outputs(machine.system, q, 8)[6], 1.1 * n, 1e-13);
    EXPECT_NEAR(joint_outputs(machine.system, q, 8)[7], -0.9 * n, 1e-13);
  }
  const State twisted = placed(start, math::so3::exp_quaternion(Vec3(0.1 * u.cross(v))), at, Vec3::Zero());
  EXPECT_NEAR(std::abs(joint_phi(machine.system, twisted)[3]), std::sin(0.1), 1e-14);
}

TEST(UniversalJoint, RefusesAxesThatAreNotAtRightAngles) {
  const auto message = [](const Vec3& second) {
    const model::Problems problems = problems_of(two_bodies("universal", at, {{"axes", axes(u, second)}}));
    return problems.size() == 1 && problems[0].path == "joints.joint.axes" ? problems[0].message : "";
  };
  EXPECT_NE(message(-2 * u).find("singular position"), std::string::npos);
  EXPECT_NE(message(u + v).find("45 degrees"), std::string::npos) << message(u + v);
  EXPECT_EQ(message(v), "");
}

}  // namespace
}  // namespace polhode::support
