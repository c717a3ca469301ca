// SPDX-License-Identifier: BSD-3-Clause
// The spring-damper: its law, tables, passing through zero length, and the balance of energy in motion.
#include "elements/forces/spring_damper/spring_damper.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/bench.hpp"
#include "support/runs.hpp"

namespace polhode::support::spring_damper_test {
namespace {

using elements::ForceCurve;

// A point of 2 kg at (l, 0, 0), on a spring from the origin.
ModelMaker point_on_spring(double length, ModelMaker::Values values) {
  ModelMaker m;
  m.node("point", Vec3(length, 0, 0)).translation_only = true;
  m.add(Family::body, "point_mass", "point", {{"node", value("point")}, {"mass", 2.0}});
  model::Entry& spring = m.add(Family::force, "spring_damper", "spring", values);
  Eigen::Matrix<double, 3, 2> at;
  at << 0, length, 0, 0, 0, 0;
  spring.values.emplace("connects", std::vector<std::string>{"ground", "point"});
  spring.values.emplace("at", math::MatrixX(at));
  return m;
}

Vec3 force_on_point(const assembly::System& system, const State& q) {
  assembly::Residual r = system.make_residual();
  system.set_residual(q, r, {false, true, false});
  return -r.force[1].head<3>();
}

TEST(SpringDamper, PullsAtItsPointsAlongTheLineBetweenThem) {
  ModelMaker m;
  m.node("a", Vec3(0, 0, 0)).orientation = math::so3::exp_quaternion(Vec3(0.4, -1, 0.7));
  m.node("b", Vec3(2, 1, 0)).orientation = math::so3::exp_quaternion(Vec3(1, 0.2, -0.3));
  m.body("a", "a", 1, Vec3(1, 1, 1));
  m.body("b", "b", 1, Vec3(1, 1, 1));
  Eigen::Matrix<double, 3, 2> at;
  at << 0.5, 1.5, 0, 1, 0.2, 0.2;
  m.add(Family::force, "spring_damper", "spring",
        {{"connects", std::vector<std::string>{"a", "b"}},
         {"at", math::MatrixX(at)},
         {"stiffness", 100.0},
         {"damping", 7.0},
         {"free_length", 1.0}});
  const Machine machine(std::move(m.model));
  State q = machine.system.initial_state();
  q.v[2].head<3>() = Vec3(3, 0, 0);
  assembly::Residual r = machine.system.make_residual();
  machine.system.set_residual(q, r, {false, true, false});
  const Vec3 along = Vec3(1, 1, 0).normalized();
  const double tension = 100 * (std::sqrt(2.0) - 1) + 7 * 3 / std::sqrt(2.0);
  EXPECT_LE((r.force[2].head<3>() - tension * along).norm(), 1e-12);
  EXPECT_LE((q.R[2] * r.force[2].tail<3>() - (Vec3(1.5, 1, 0.2) - q.x[2]).cross(tension * along)).norm(), 1e-12);
  EXPECT_LE((q.R[1] * r.force[1].tail<3>() + Vec3(0.5, 0, 0.2).cross(tension * along)).norm(), 1e-12);
}

TEST(SpringDamper, HasNoForceInTheDecksConfigurationUnlessAFreeLengthIsGiven) {
  const Machine relaxed(point_on_spring(0.7, {{"stiffness", 1e6}}).model);
  EXPECT_LE(force_on_point(relaxed.system, relaxed.system.initial_state()).norm(), 1e-9);
  const Machine tight(point_on_spring(0.7, {{"stiffness", 1e3}, {"free_length", 0.4}}).model);
  EXPECT_LE((force_on_point(tight.system, tight.system.initial_state()) - Vec3(-300, 0, 0)).norm(), 1e-10);
  EXPECT_NEAR(tight.system.energies(tight.system.initial_state()).strain, 0.5 * 1e3 * 0.09, 1e-11);
}

TEST(ForceCurve, IsStraightBetweenItsRowsAndBeyondThem) {
  const ForceCurve curve({-1, 0.5, 1}, {-3, 0, 4});
  for (const auto& [e, force, slope] :
       {std::array{-2.0, -5.0, 2.0}, {-1, -3, 2}, {0, -1, 2}, {0.75, 2, 8}, {3, 20, 8}}) {
    EXPECT_NEAR(curve(e).force, force, 1e-14);
    EXPECT_NEAR(curve(e).stiffness, slope, 1e-14);
  }
  EXPECT_EQ(curve(0).energy, 0);
  for (const double e : {-3.0, -0.2, 0.7, 2.0})
    EXPECT_NEAR((curve(e + 1e-5).energy - curve(e - 1e-5).energy) / 2e-5, curve(e).force, 1e-8);
}

TEST(ForceCurve, RefusesTablesThatAreNone) {
  EXPECT_THROW(ForceCurve({0}, {1}), std::invalid_argument);
  EXPECT_THROW(ForceCurve({0, 1}, {1}), std::invalid_argument);
  EXPECT_THROW(ForceCurve({0, 1, 1}, {1, 2, 3}), std::invalid_argument);
}

// Where its ends meet, a spring has neither direction nor a force, but all is finite; a hair beside it pushes apart.
TEST(SpringDamper, IsFiniteWhereItsEndsMeet) {
  const Machine machine(point_on_spring(1, {{"stiffness", 100.0}, {"damping", 3.0}}).model);
  State q = machine.system.initial_state();
  q.x[1].setZero();
  q.v[1].head<3>() = Vec3(-2, 1, 0);
  EXPECT_EQ(force_on_point(machine.system, q), Vec3(0, 0, 0));
  q.x[1] = Vec3(-1e-6, 0, 0);
  q.v[1].setZero();
  EXPECT_LE((force_on_point(machine.system, q) - Vec3(-100, 0, 0)).norm(), 0.01);
}

// A spring without free length is linear: x = cos(w t) through zero and back, to the order of the method.
TEST(SpringDamper, SwingsThroughZeroLength) {
  const double w = 5;
  std::array<double, 2> error{};
  for (int level = 0; level < 2; ++level) {
    const Machine machine(point_on_spring(1, {{"stiffness", 2 * w * w}, {"free_length", 0.0}}).model);
    const int steps = 200 << level;
    run(machine.system, consistent_start(machine.system), method("lie_alpha"), to_round_off(), 2.0 / steps, steps,
        [&](const State& q, const auto&) {
          error[level] = std::max(error[level], std::abs(q.x[1][0] - std::cos(w * q.t)));
        });
  }
  EXPECT_LE(error[0], 1e-2);
  EXPECT_NEAR(error[0] / error[1], 4, 0.2);
}

// With a free length the force turns over on the way through; at this speed it cannot hold the point back.
TEST(SpringDamper, PassesThroughZeroLengthWithAFreeLength) {
  ModelMaker m = point_on_spring(1, {{"stiffness", 8.0}, {"damping", 0.1}});
  m.model.nodes[0].velocity = Vec3(-10, 0, 0);
  const Machine machine(std::move(m.model));
  const State end = run(machine.system, consistent_start(machine.system), method("lie_alpha"), to_round_off(), 0.01, 20,
                        [](const State& q, const auto&) { EXPECT_TRUE(std::isfinite(q.x[1].norm())); });
  EXPECT_LT(end.x[1][0], -0.8);
}

// Energy less what damper and actuator do is what it was, but for the order of the method.
TEST(SpringDamper, WorkOfDamperAndActuatorIsTheChangeOfEnergy) {
  ModelMaker m = point_on_spring(1, {{"stiffness", 40.0}, {"damping", 2.0}, {"actuator", expression("5*sin(6*t)")}});
  m.model.nodes[0].velocity = Vec3(0, 2, 1);
  const Machine machine(std::move(m.model));
  const State start = consistent_start(machine.system);
  std::array<double, 2> drift{};
  for (int level = 0; level < 2; ++level) {
    const int steps = 200 << level;
    double work = 0;
    double power = machine.system.power(start);
    run(machine.system, start, method("lie_alpha"), to_round_off(), 2.0 / steps, steps,
        [&](const State& q, const auto&) {
          const double now = machine.system.power(q);
          work += (power + now) / steps;
          power = now;
          drift[level] = machine.system.energies(q).total() - machine.system.energies(start).total() - work;
        });
    EXPECT_GT(std::abs(work), 1);
  }
  EXPECT_LE(std::abs(drift[0]), 1e-2);
  EXPECT_NEAR(drift[0] / drift[1], 4, 0.5);
}

TEST(SpringDamper, RefusesEndsAtTheSamePlace) {
  const ModelMaker m = point_on_spring(0, {{"stiffness", 1.0}});
  model::Problems problems;
  EXPECT_FALSE(assembly::System::make(m.model, problems));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "forces.spring.at");
}

}  // namespace
}  // namespace polhode::support::spring_damper_test
