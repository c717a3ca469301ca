// SPDX-License-Identifier: BSD-3-Clause
// The coupling: gears and racks over many turns, and what it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/joints.hpp"

namespace polhode::support::coupling_test {
namespace {

// Two wheels on the ground, a rack, and couplings between them.
ModelMaker gears() {
  ModelMaker m;
  m.node("first", Vec3::Zero());
  m.node("second", Vec3(1, 0, 0));
  m.node("rack", Vec3(0, 1, 0));
  m.body("first", "first", 1, Vec3(0.1, 0.1, 0.2));
  m.body("second", "second", 1, Vec3(0.3, 0.3, 0.5));
  m.body("rack", "rack", 2, Vec3(0.1, 0.1, 0.1));
  m.joint("revolute", "first", "ground", "first", Vec3::Zero()).values.emplace("axis", value(Vec3(0, 0, 1)));
  m.joint("revolute", "second", "ground", "second", Vec3(1, 0, 0)).values.emplace("axis", value(Vec3(0, 0, 1)));
  m.joint("cylindrical", "rack", "ground", "rack", Vec3(0, 1, 0)).values.emplace("axis", value(Vec3(1, 0, 0)));
  return m;
}

// Torque 3 on the first: (J_1 + J_2/4) phi'' = 3 with phi_2 = -phi_1/2, over many turns, to round-off; lambda is the
// torque on the first (weight 1), twice that on the second.
TEST(Coupling, GearsTurnTogetherOverManyTurns) {
  ModelMaker m = gears();
  m.model.entries[3].values.emplace("motor", model::TimeFunction(3));
  m.add(Family::joint, "coupling", "teeth", {{"joints", model::Weights{{"first", 1}, {"second", 2}}}});
  const Machine machine(std::move(m.model));
  const State start = consistent_start(machine.system);
  const double a = 3 / (0.2 + 0.5 / 4);
  EXPECT_NEAR(start.vdot[1][5], a, 1e-12);
  EXPECT_NEAR(start.vdot[2][5], -a / 2, 1e-12);
  const int row = machine.system.rows();
  double lambda = 0;
  for (int i = 0; i < row; ++i)
    if (machine.system.name_of(machine.system.free_unknowns() + i) == "joints.teeth: coupling")
      lambda = start.lambda[i];
  EXPECT_NEAR(lambda, 0.2 * a - 3, 1e-12);
  EXPECT_NEAR(2 * lambda, -0.5 * a / 2, 1e-12);
  const State end = run(machine.system, start, method("lie_alpha"), to_round_off(), 0.01, 300);
  EXPECT_NEAR(end.v[1][5], 3 * a, 1e-9);
  EXPECT_NEAR(end.v[2][5], -1.5 * a, 1e-9);
}

TEST(Coupling, RackRunsWithItsPinion) {
  ModelMaker m = gears();
  m.model.entries[3].values.emplace("rotation", expression("2*t^2"));
  m.add(Family::joint, "coupling", "teeth", {{"joints", model::Weights{{"first", 0.3}, {"rack.translation", -1}}}});
  const Machine machine(std::move(m.model));
  const State end =
      run(machine.system, consistent_start(machine.system), method("lie_alpha"), to_round_off(), 0.01, 300);
  EXPECT_NEAR(end.x[3][0], 0.3 * 2 * 9, 1e-9);
}

// A differential: three coordinates, two of them free.
TEST(Coupling, OfThreeIsADifferential) {
  ModelMaker m = gears();
  m.add(Family::joint, "coupling", "teeth",
        {{"joints", model::Weights{{"first", 1}, {"second", 1}, {"rack.rotation", -2}}}});
  m.model.entries[3].values.emplace("motor", model::TimeFunction(1));
  const Machine machine(std::move(m.model));
  const State end =
      run(machine.system, consistent_start(machine.system), method("lie_alpha"), to_round_off(), 0.01, 200);
  EXPECT_GT(end.v[1][5], 1);
  EXPECT_NEAR(end.v[1][5] + end.v[2][5] - 2 * end.v[3][3], 0, 1e-9);
}

TEST(Coupling, RefusesWhatHasNoSingleCoordinate) {
  ModelMaker m = gears();
  m.node("other", Vec3(0, 0, 3));
  m.body("other", "other", 1, Vec3(0.1, 0.1, 0.1));
  m.joint("spherical", "ball", "ground", "other", Vec3::Zero());
  m.add(Family::joint, "coupling", "bad",
        {{"joints", model::Weights{{"first", 0}, {"rack", 1}, {"ball", 1}, {"second.translation", 1}}}});
  m.add(Family::joint, "coupling", "single", {{"joints", model::Weights{{"first", 1}}}});
  const model::Problems problems = problems_of(m.model);
  ASSERT_EQ(problems.size(), 5u);
  const std::array names{"ball", "first", "rack", "second.translation"};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(problems[i].path, std::string("joints.bad.joints.") + names[i]);
}

}  // namespace
}  // namespace polhode::support::coupling_test
