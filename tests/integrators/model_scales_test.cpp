// SPDX-License-Identifier: BSD-3-Clause
// Sizes that make tolerances free of units and of the place of a model: a mass, a point, round-off of positions.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "integrators/constraint_accuracy.hpp"
#include "integrators/mass_scale.hpp"
#include "integrators/reference_point.hpp"
#include "support/mechanisms.hpp"

namespace polhode::support {
namespace {

model::Model stone_at(const Vec3& place, double mass, double size) {
  ModelMaker m;
  m.model.size = size;
  m.node("stone", place);
  m.body("stone", "stone", mass, Vec3::Constant(100 * mass));
  return std::move(m.model);
}

double mass_scale_of(double mass) {
  const Machine machine(stone_at(Vec3::Zero(), mass, 1));
  assembly::SparseMatrix work = machine.system.make_matrix();
  return integrators::mass_scale(machine.system, work);
}

TEST(MassScale, IsThePowerOfTwoThatIsNearestToTheMass) {
  for (const double mass : {1e-12, 0.3, 1.0, 1.4, 7.0, 5e9}) {
    const double scale = mass_scale_of(mass);
    int exponent = 0;
    EXPECT_EQ(std::frexp(scale, &exponent), 0.5) << "divides without rounding";
    EXPECT_LE(std::abs(std::log2(mass / scale)), 0.5 + 1e-14) << mass;
    EXPECT_EQ(mass_scale_of(1024 * mass), 1024 * scale);
  }
}

TEST(MassScale, IsOneWhereWhatMayMoveHasNoMass) {
  ModelMaker m;
  m.node("held", Vec3(1, 2, 3)).fixed.fill(true);
  m.body("held", "held", 50, Vec3(1, 1, 1));
  m.node("mark", Vec3(1, 1, 1));
  m.joint("fixed", "weld", "held", "mark", Vec3(1, 1, 1));
  const Machine machine(std::move(m.model));
  assembly::SparseMatrix work = machine.system.make_matrix();
  EXPECT_EQ(integrators::mass_scale(machine.system, work), 1);
}

TEST(ReferencePoint, IsTheOriginForModelsThatAreNearIt) {
  for (const Vec3& place : {Vec3(0, 0, 0), Vec3(1.9, -1.9, 0.5), Vec3(2, 2, -2)})
    EXPECT_EQ(integrators::reference_point(Machine(stone_at(place, 1, 2)).system), Vec3(Vec3::Zero()));
}

// Nearest to the origin of all points that are no further than the length from the center, direction by direction.
TEST(ReferencePoint, OfModelsFarAwayIsTheNearestWithinTheirLength) {
  const double length = 2;
  for (const Vec3& place : {Vec3(10, 0, 0), Vec3(-1e6, 5, 1), Vec3(3, -4, 1e9)}) {
    const Vec3 point = integrators::reference_point(Machine(stone_at(place, 1, length)).system);
    for (int i = 0; i < 3; ++i) {
      EXPECT_LE(std::abs(point[i] - place[i]), std::max(length, std::abs(place[i])));
      EXPECT_LE(std::abs(point[i] - place[i]), length + 1e-6);
      EXPECT_NEAR(std::abs(point[i]), std::max(0.0, std::abs(place[i]) - length), 1e-6);
      EXPECT_GE(point[i] * place[i], 0) << "never on the other side";
    }
  }
}

TEST(PositionAccuracy, IsThatOfTheConstraintsUnlessTheModelIsFarAway) {
  const Machine near(stone_at(Vec3(1, 2, 3), 1, 10));
  const auto here = integrators::position_accuracy(near.system, near.system.initial_state());
  EXPECT_EQ(here.exact, integrators::exact_violation);
  EXPECT_EQ(here.acceptable, integrators::acceptable_violation);
  // 1e6 lengths away, positions have ten digits of the length left.
  const Machine far(stone_at(Vec3(0, -1e7, 0), 1, 10));
  const auto there = integrators::position_accuracy(far.system, far.system.initial_state());
  const double bit = std::numeric_limits<double>::epsilon() * 1e6;
  EXPECT_GE(there.exact, bit);
  EXPECT_LE(there.exact, 8 * bit);
  EXPECT_GE(there.acceptable, there.exact);
  EXPECT_LE(there.acceptable, 64 * bit);
}

// Of a ball joint and a hinge: lengths by that of the model, angles as they are.
TEST(LargestViolation, ComparesLengthsWithTheModelAndAnglesWithOne) {
  model::Model model = row_of_bodies(3, "revolute");
  model.size = 20;
  const Machine machine(std::move(model));
  const assembly::System& system = machine.system;
  for (int row = 0; row < system.rows(); ++row) {
    VectorX phi = VectorX::Constant(system.rows(), 1e-3);
    phi[row] = -5;
    EXPECT_DOUBLE_EQ(integrators::largest_violation(system, phi), system.row_is_length(row) ? 0.25 : 5);
    std::vector<char> kept(static_cast<std::size_t>(system.rows()), 1);
    kept[static_cast<std::size_t>(row)] = 0;
    EXPECT_DOUBLE_EQ(integrators::largest_violation(system, phi, kept), 1e-3) << "an equation that does not count";
    phi[row] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(integrators::largest_violation(system, phi))) << row;
    EXPECT_FALSE(std::isnan(integrators::largest_violation(system, phi, kept))) << row;
  }
}

}  // namespace
}  // namespace polhode::support
