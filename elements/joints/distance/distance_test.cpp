// SPDX-License-Identifier: BSD-3-Clause
// The distance: its multiplier is the force in the rod.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/joints.hpp"

namespace polhode::support::distance_test {
namespace {

model::Model on_a_rod(const Vec3& point, const Vec3& velocity) {
  ModelMaker m;
  m.model.gravity = Vec3(0, 0, -10);
  model::NodeEntry& node = m.node("mass", point);
  node.translation_only = true;
  node.velocity = velocity;
  m.add(Family::body, "point_mass", "mass", {{"node", value("mass")}, {"mass", 2.0}});
  math::MatrixX at(3, 2);
  at << Vec3::Zero(), point;
  m.add(Family::joint, "distance", "rod", {{"connects", std::vector<std::string>{"ground", "mass"}}, {"at", at}});
  return std::move(m.model);
}

// Hanging with 3 m/s at 0.5 m: weight and m v^2/L; the same with ground and mass exchanged, by the sign of tension.
TEST(Distance, MultiplierIsTheTensionOfTheRod) {
  const Machine machine(on_a_rod(Vec3(0, 0, -0.5), Vec3(3, 0, 0)));
  const State q = consistent_start(machine.system);
  EXPECT_NEAR(q.lambda[0], 2 * 10 + 2 * 9 / 0.5, 1e-12);
  EXPECT_LE((joint_outputs(machine.system, q, 6).head<3>() - Vec3(0, 0, q.lambda[0])).norm(), 1e-12);
  EXPECT_LE(joint_outputs(machine.system, q, 6).tail<3>().norm(), 1e-12);
}

TEST(Distance, HoldsOnTheSphereOnly) {
  const Machine machine(on_a_rod(Vec3(0, 0, -0.5), Vec3::Zero()));
  State q = machine.system.initial_state();
  q.x[1] = Vec3(0.3, 0, 0.4);
  EXPECT_NEAR(joint_phi(machine.system, q)[0], 0, 1e-15);
  q.x[1] *= 1.001;
  EXPECT_NEAR(joint_phi(machine.system, q)[0], 0.0005, 1e-6);
}

TEST(Distance, OfZeroIsRefused) {
  const model::Problems problems = problems_of(on_a_rod(Vec3::Zero(), Vec3::Zero()));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "joints.rod.at");
}

}  // namespace
}  // namespace polhode::support::distance_test
