// SPDX-License-Identifier: BSD-3-Clause
// The residual along a path of loads and its tangent, each against differences of the other.
#include "analyses/static/path_loads.hpp"

#include <gtest/gtest.h>

#include <random>

#include "analyses/motion/metric.hpp"
#include "analyses/static/displacements.hpp"
#include "analyses/static/path_record.hpp"
#include "analyses/static/tangent_stiffness.hpp"
#include "support/bench.hpp"
#include "support/dense.hpp"
#include "support/models.hpp"
#include "support/statics.hpp"

namespace polhode::support {
namespace {

using analyses::PathLoads;
using analyses::StaticSettings;
using analyses::TangentStiffness;

// A body on a hinge with a drive, gravity, a load, and a spring that is under tension from the start.
model::Model tensioned_arm() {
  ModelMaker m;
  m.model.gravity = Vec3(1, -9, 3);
  m.node("arm", Vec3(0.7, 0.2, 0)).orientation = math::so3::exp_quaternion(Vec3(0.4, -0.3, 0.9));
  m.node("tip", Vec3(1.6, 0.4, 0.3));
  m.body("arm", "arm", 2, Vec3(0.1, 0.2, 0.3), Vec3(0.1, 0, 0));
  m.body("tip", "tip", 1, Vec3(0.3, 0.2, 0.1));
  m.joint("revolute", "hinge", "ground", "arm", Vec3::Zero()).values.emplace("axis", value(Vec3(0, 0, 1)));
  m.joint("prismatic", "slide", "arm", "tip", Vec3(1.2, 0.3, 0.1)).values.emplace("axis", value(Vec3(1, 0, 0)));
  m.model.entries.back().values.emplace("translation", expression("0.1 + 0.2*t"));
  m.add(Family::force, "spring_damper", "spring",
        {{"connects", std::vector<std::string>{"ground", "arm"}},
         {"at", math::MatrixX((math::MatrixX(3, 2) << -1, 0.7, 2, 0.2, 0, 0).finished())},
         {"stiffness", 300.0},
         {"free_length", 0.5}});
  m.add(Family::force, "load", "push",
        {{"node", value("tip")}, {"force", value(Vec3(0, 8, 5))}, {"moment", value(Vec3(1, -2, 3))}});
  return std::move(m.model);
}

// [r; Phi] over the unknowns.
VectorX gathered(const assembly::System& system, const assembly::Residual& r, double force_scale = 1) {
  VectorX all = VectorX::Zero(system.size());
  system.gather(r, {}, force_scale, all);
  return all;
}

class PathOf : public testing::TestWithParam<bool> {
 protected:
  PathOf() {
    settings.rotation =
        GetParam() ? std::optional(analyses::Rotation{Vec3(0, 0.6, 0.8), 3, Vec3(0.2, 0, -0.1)}) : std::nullopt;
    start.t = 0.4;
    std::mt19937 random(3);
    VectorX aside(6 * static_cast<Eigen::Index>(system.nodes() - 1));
    for (double& x : aside) x = std::uniform_real_distribution<double>(-0.1, 0.1)(random);
    elsewhere = moved(start, aside);
    for (double& x : elsewhere.lambda) x = std::uniform_real_distribution<double>(-5, 5)(random);
  }
  VectorX residual(const PathLoads& loads, State q, double s, double force_scale = 1) const {
    assembly::Residual r = system.make_residual();
    loads.set_residual(q, s, r);
    return gathered(system, r, force_scale);
  }
  const Machine machine{tensioned_arm()};
  const assembly::System& system = machine.system;
  StaticSettings settings;
  State start = system.initial_state();
  State elsewhere;
};
INSTANTIATE_TEST_SUITE_P(Frames, PathOf, testing::Bool(),
                         [](const auto& p) { return p.param ? "turning" : "at_rest"; });

TEST_P(PathOf, TheStartIsItsFirstPointHoweverUnbalancedItIs) {
  for (const bool loaded : {false, true}) {
    const PathLoads loads(system, settings, loaded, start);
    EXPECT_EQ(residual(loads, start, 0).norm(), 0);
    EXPECT_GT(residual(loads, start, 1).norm(), 1) << "or there is nothing to do";
  }
}

TEST_P(PathOf, EndsAtTheEquationsOfTheModel) {
  const PathLoads loads(system, settings, false, start);
  State q = elsewhere;
  q.load_factor = 1;
  if (settings.rotation) analyses::set_steady_rotation(*settings.rotation, 1, q);
  assembly::Residual r = system.make_residual();
  system.set_residual(q, r);
  EXPECT_LE((residual(loads, elsewhere, 1) - gathered(system, r)).norm(), 1e-13 * gathered(system, r).norm());
}

TEST_P(PathOf, IsStraightInTheParameterAndItsRateIsTheSlope) {
  for (const bool loaded : {false, true}) {
    const PathLoads loads(system, settings, loaded, start);
    const VectorX first = residual(loads, elsewhere, 0);
    const VectorX slope = residual(loads, elsewhere, 1) - first;
    for (const double s : {0.1, 0.5, 0.9, 1.3})
      EXPECT_LE((residual(loads, elsewhere, s) - first - s * slope).norm(), 1e-12 * (first.norm() + slope.norm()));
    for (const double s : {0.0, 0.7})
      EXPECT_LE((gathered(system, loads.rate(elsewhere, s)) - slope).norm(), 1e-7 * slope.norm()) << s;
  }
}

TEST_P(PathOf, OfALoadedModelKeepsItsLoads) {
  const PathLoads loads(system, settings, true, start);
  State q = elsewhere;
  for (const double s : {0.0, 0.3, 1.0}) {
    loads.set_parameter(q, s);
    EXPECT_EQ(q.load_factor, 1);
  }
  const PathLoads growing(system, settings, false, start);
  growing.set_parameter(q, 0.3);
  EXPECT_EQ(q.load_factor, 0.3);
}

TEST_P(PathOf, TangentIsTheDerivativeOfTheScaledResidual) {
  const PathLoads loads(system, settings, false, start);
  const analyses::Displacements displacements(system);
  TangentStiffness tangent(loads, displacements.metric(), start);
  const double s = 0.8;
  State q = elsewhere;
  loads.set_parameter(q, s);
  ASSERT_TRUE(tangent.factorize(q, s));
  const MatrixX A = dense_of(tangent.matrix());
  const double c = tangent.scale();
  const Eigen::Index n = system.free_unknowns();
  for (Eigen::Index j = 0; j < n; ++j) {
    constexpr double d = 1e-4;
    const auto at = [&](double way) { return residual(loads, moved(q, way * VectorX::Unit(n, j)), s, c); };
    const VectorX slope = (8 * (at(d) - at(-d)) - (at(2 * d) - at(-2 * d))) / (12 * d);
    EXPECT_LE((A.col(j) - slope).norm(), 1e-8 * (1 + slope.norm())) << system.name_of(static_cast<int>(j));
  }
  // Multipliers by the inverse of the scale
  for (Eigen::Index row = n; row < system.size(); ++row) {
    State other = q;
    other.lambda[row - n] += 1 / c;
    const VectorX change = residual(loads, other, s, c) - residual(loads, q, s, c);
    EXPECT_LE((A.col(row) - change).norm(), 1e-11) << system.name_of(static_cast<int>(row));
  }
}

TEST_P(PathOf, SolutionsSolveTheTangentWithItsShift) {
  const PathLoads loads(system, settings, false, start);
  const analyses::Displacements displacements(system);
  TangentStiffness tangent(loads, displacements.metric(), start);
  ASSERT_TRUE(tangent.factorize(elsewhere, 0.5));
  const MatrixX without = dense_of(tangent.matrix());
  tangent.set_shift(0.25);
  ASSERT_TRUE(tangent.factorize(elsewhere, 0.5));
  const MatrixX with = dense_of(tangent.matrix());
  const MatrixX shift = 0.25 * displacements.metric().asDiagonal().toDenseMatrix();
  EXPECT_LE((with - without - shift).norm(), 1e-14 * with.norm());
  VectorX x = VectorX::LinSpaced(system.size(), -1, 2);
  const VectorX b = x;
  tangent.solve(x);
  EXPECT_LE((with * x - b).norm(), 1e-10 * b.norm());
}

TEST(TangentStiffness, IsScaledToAStiffestUnknownOfOne) {
  const Machine machine(tensioned_arm());
  const StaticSettings settings;
  const State start = machine.system.initial_state();
  const PathLoads loads(machine.system, settings, false, start);
  const analyses::Displacements displacements(machine.system);
  TangentStiffness tangent(loads, displacements.metric(), start);
  assembly::SparseMatrix A = machine.system.make_matrix();
  State q = start;
  loads.set_parameter(q, 0);
  tangent.set(q, 0, A);
  EXPECT_NEAR(analyses::stiffest_of(A, displacements.metric().head(machine.system.free_unknowns())), 1, 1e-14);
}

// Free in space: nothing answers a force but the shift.
TEST(TangentStiffness, AShiftAnswersTheForceItWasMadeForByItsDisplacement) {
  ModelMaker m;
  m.model.size = 4;
  m.node("stone", Vec3(1, 2, 3));
  m.body("stone", "stone", 2, Vec3(1, 1, 1));
  const Machine machine(std::move(m.model));
  const StaticSettings settings;
  const State start = machine.system.initial_state();
  const PathLoads loads(machine.system, settings, false, start);
  const analyses::Displacements displacements(machine.system);
  TangentStiffness tangent(loads, displacements.metric(), start);
  EXPECT_FALSE(tangent.factorize(start, 0)) << "singular";
  const double force = 12;
  tangent.set_shift(tangent.shift_of(force, 0.05));
  ASSERT_TRUE(tangent.factorize(start, 0));
  VectorX x = tangent.scale() * force * VectorX::Unit(6, 1);
  tangent.solve(x);
  EXPECT_LE((x - 0.05 * 4 * VectorX::Unit(6, 1)).norm(), 1e-14);
  tangent.set_shift(0);
  EXPECT_FALSE(tangent.factorize(start, 0)) << "the shift is no part of the tangent";
}

TEST(PathRecord, AddsUpStepsAndKeepsTheLastOne) {
  PathKeeper keeper;
  analyses::StaticResult result;
  analyses::PathRecord record(keeper, result);
  record.add_step({.load_factor = 0.25, .iterations = 3, .smallest_pivot = 0.5});
  record.add_step({.load_factor = 0.75, .iterations = 4, .smallest_pivot = 0.125});
  record.add_wasted(6);
  record.add_wasted(1);
  record.add_limit_load(0.8);
  record.add_limit_load(0.3);
  EXPECT_EQ(result.steps, 2);
  EXPECT_EQ(result.iterations, 7);
  EXPECT_EQ(result.wasted, 7);
  EXPECT_EQ(result.load_factor, 0.75);
  EXPECT_EQ(result.smallest_pivot, 0.125);
  EXPECT_EQ(result.limit_loads, (std::vector<double>{0.8, 0.3})) << "in the order in which they were passed";
  record.fail("no equilibrium", {"at s = 0.8"});
  EXPECT_EQ(result.end, analyses::StaticResult::End::failed);
  EXPECT_EQ(result.details, std::vector<std::string>{"at s = 0.8"});
  EXPECT_FALSE(record.end_if_interrupted()) << "nobody asked";
  EXPECT_EQ(result.end, analyses::StaticResult::End::failed);
  EXPECT_TRUE(keeper.warnings.empty()) << "a failure is no warning";
}

}  // namespace
}  // namespace polhode::support
