// SPDX-License-Identifier: BSD-3-Clause
// The cylindrical joint: two coordinates, each driven or not.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/joints.hpp"

namespace polhode::support::cylindrical_test {
namespace {

const Vec3 axis = Vec3(1, 2, -2) / 3;
const Vec3 at(0.2, 0.5, -0.3);

TEST(CylindricalJoint, HoldsWhereBHasTurnedAndSlidAlongTheAxis) {
  const Machine machine(two_bodies("cylindrical", at, {{"axis", value(axis)}}));
  State q = machine.system.initial_state();
  const State start = q;
  for (int n = 1; n <= 10; ++n) {
    const State next = placed(start, math::so3::exp_quaternion(Vec3(1.5 * n * axis)), at, 0.2 * n * axis);
    q.x = next.x;
    q.quat = next.quat;
    q.R = next.R;
    EXPECT_LE(joint_phi(machine.system, q).norm(), 1e-14);
    machine.system.update_history(q);
    EXPECT_NEAR(joint_outputs(machine.system, q, 10)[6], 1.5 * n, 1e-13);
    EXPECT_NEAR(joint_outputs(machine.system, q, 10)[7], 0.2 * n, 1e-13);
  }
  const Vec3 across = axis.unitOrthogonal();
  EXPECT_GT(
      joint_phi(machine.system, placed(start, math::so3::exp_quaternion(Vec3(0.1 * across)), at, {0, 0, 0})).norm(),
      0.09);
  EXPECT_GT(joint_phi(machine.system, placed(start, {1, 0, 0, 0}, at, across)).norm(), 0.99);
}

// Each of the four forms: drives give their inertia times acceleration, laws what they say, the axes are free of all
// else.
TEST(CylindricalJoint, EachCoordinateIsDrivenOrUnderItsLaw) {
  for (const bool rotation : {false, true})
    for (const bool translation : {false, true}) {
      model::Model model = body_on_ground("cylindrical", 0.25, {{"axis", value(axis)}});
      auto& values = model.entries.back().values;
      if (rotation)
        values.emplace("rotation", expression("4*t^2"));
      else
        values.emplace("about.motor", model::TimeFunction(0.5));
      if (translation)
        values.emplace("translation", expression("t^2"));
      else
        values.emplace("along.motor", model::TimeFunction(3));
      const Machine machine(std::move(model));
      const State q = consistent_start(machine.system);
      const VectorX out = joint_outputs(machine.system, q, 10);
      EXPECT_NEAR(out[8], rotation ? 0.25 * 8 : 0.5, 1e-13);
      EXPECT_NEAR(out[9], translation ? 2 : 3, 1e-13);
      EXPECT_LE((q.vdot[1].head<3>() - (translation ? 2 : 3) * axis).norm(), 1e-13);
      EXPECT_LE((q.vdot[1].tail<3>() - (rotation ? 8 : 2) * axis).norm(), 1e-13);
    }
}

}  // namespace
}  // namespace polhode::support::cylindrical_test
