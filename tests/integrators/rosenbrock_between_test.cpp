// SPDX-License-Identifier: BSD-3-Clause
// States within Rosenbrock steps: on the constraints, with accelerations and multipliers of their own instant.
#include <gtest/gtest.h>

#include <cmath>

#include "polhode/analyses/initial/start.hpp"
#include "polhode/integrators/rosenbrock/rosenbrock.hpp"
#include "support/runs.hpp"

namespace polhode::support {
namespace {

using integrators::Coordinates;
using integrators::Rosenbrock;

// An arm of 1 m, turned by a motor: nothing is free.
model::Model driven_arm() {
  ModelMaker m;
  m.node("arm", Vec3(1, 0, 0));
  m.body("arm", "arm", 3, Vec3(0.1, 0.1, 0.1));
  model::Entry& motor = m.joint("revolute", "hinge", "ground", "arm", Vec3::Zero());
  motor.values.emplace("axis", value(Vec3(0, 0, 1)));
  motor.values.emplace("rotation", expression("1 - cos(3*t)"));
  return std::move(m.model);
}

integrators::IntegratorSettings rosenbrock_settings(const std::string& name, Coordinates coordinates) {
  integrators::IntegratorSettings settings = method(name);
  settings.own = integrators::RosenbrockSettings{.coordinates = coordinates};
  return settings;
}

// How far forces are from balance, and positions and velocities from the constraints.
double residual_of(const assembly::System& system, const State& q) {
  assembly::Residual residual = system.make_residual();
  system.set_residual(q, residual);
  VectorX Bv = VectorX::Zero(system.rows());
  VectorX phi_t = Bv;
  VectorX gamma = Bv;
  system.set_rates(q, Bv, phi_t, gamma);
  return system.force_norm(residual) + residual.phi.norm() + (Bv + phi_t).norm();
}

struct BetweenCase {
  const char* method;
  Coordinates coordinates;
  const char* name;
  friend void PrintTo(const BetweenCase& c, std::ostream* out) { *out << c.name; }
};

class RosenbrockBetween : public testing::TestWithParam<BetweenCase> {};
INSTANTIATE_TEST_SUITE_P(Methods, RosenbrockBetween,
                         testing::Values(BetweenCase{"rosenbrock4", Coordinates::weighted, "rosenbrock4_weighted"},
                                         BetweenCase{"rosenbrock4", Coordinates::partition, "rosenbrock4_partition"},
                                         BetweenCase{"rosenbrock_w2", Coordinates::weighted, "rosenbrock_w2_weighted"}),
                         [](const auto& p) { return p.param.name; });

// Steps of 0.8 s, in which the arm turns by up to 2.4 rad and comes back.
TEST_P(RosenbrockBetween, WhatDrivesAloneMoveIsExactHoweverLongTheStepIs) {
  const Machine machine(driven_arm());
  Stepper stepper(machine.system, rosenbrock_settings(GetParam().method, GetParam().coordinates), {});
  State q = machine.system.initial_state();
  ASSERT_TRUE(stepper.start(q));
  State between = q;
  for (int n = 1; n <= 4; ++n) {
    const double begin = q.t;
    ASSERT_TRUE(stepper.advance(q, 0.8, 0.8 * n));
    for (const double part : {0.1, 0.35, 0.5, 0.77, 0.99}) {
      const double t = begin + part * 0.8;
      double work = 0;
      ASSERT_TRUE(stepper.method().between(t, between, work)) << t;
      const double angle = 1 - std::cos(3 * t);
      const double speed = 3 * std::sin(3 * t);
      const double acceleration = 9 * std::cos(3 * t);
      EXPECT_EQ(between.t, t);
      EXPECT_LE((between.x[1] - Vec3(std::cos(angle), std::sin(angle), 0)).norm(), 1e-9) << t;
      EXPECT_NEAR(between.v[1].head<3>().norm(), std::abs(speed), 1e-8) << t;
      EXPECT_NEAR(between.v[1][5], speed, 1e-8) << t;
      EXPECT_NEAR(between.vdot[1][5], acceleration, 1e-7) << t;
      EXPECT_LE(residual_of(machine.system, between), 1e-7) << t;
    }
  }
}

TEST_P(RosenbrockBetween, WhatIsFreeMeetsConstraintsAndForcesAndIsOfFourthOrder) {
  const Machine machine(driven_top());
  const integrators::IntegratorSettings settings = rosenbrock_settings(GetParam().method, GetParam().coordinates);
  const auto error_of_step = [&](double h) {
    Stepper coarse(machine.system, settings, {});
    Stepper fine(machine.system, rosenbrock_settings("rosenbrock4", GetParam().coordinates), {});
    State q = consistent_start(machine.system);
    State exact = q;
    State between = q;
    EXPECT_TRUE(coarse.start(q) && fine.start(exact));
    EXPECT_TRUE(coarse.advance(q, h, h));
    double work = *coarse.work();
    EXPECT_TRUE(coarse.method().between(0.5 * h, between, work));
    EXPECT_LE(residual_of(machine.system, between), 1e-7) << h;
    double exact_work = 0;
    for (int i = 1; i <= 16; ++i) {
      EXPECT_TRUE(fine.advance(exact, h / 32, i * h / 32));
      exact_work += *fine.work();
    }
    EXPECT_NEAR(work, exact_work, 0.1 * std::abs(*coarse.work()) + 1e-6) << h;
    return (between.x[2] - exact.x[2]).norm();
  };
  const double ratio = error_of_step(4e-3) / error_of_step(2e-3);
  // The steps of rosenbrock_w2 themselves are off by the third power.
  EXPECT_GT(std::log2(ratio), GetParam().method == std::string("rosenbrock4") ? 3.5 : 2.5);
}

TEST_P(RosenbrockBetween, LookingBetweenTheStepsChangesNoBitOfThem) {
  const Machine machine(driven_top());
  const integrators::IntegratorSettings settings = rosenbrock_settings(GetParam().method, GetParam().coordinates);
  integrators::NewtonSettings newton;
  if (settings.method == "rosenbrock_w2") newton.jacobian = integrators::NewtonSettings::Jacobian::kept;
  State plain = consistent_start(machine.system);
  State watched = plain;
  State between = plain;
  Stepper a(machine.system, settings, newton);
  Stepper b(machine.system, settings, newton);
  ASSERT_TRUE(a.start(plain) && b.start(watched));
  for (int n = 1; n <= 20; ++n) {
    ASSERT_TRUE(a.advance(plain, 0.01, 0.01 * n) && b.advance(watched, 0.01, 0.01 * n));
    double work = 0;
    for (const double part : {0.3, 0.7}) ASSERT_TRUE(b.method().between(0.01 * (n - 1 + part), between, work));
    ASSERT_EQ(plain.x[2], watched.x[2]) << n;
    ASSERT_EQ(plain.v[1], watched.v[1]) << n;
    ASSERT_EQ(plain.lambda, watched.lambda) << n;
  }
}

TEST_P(RosenbrockBetween, EndsOfTheStepAreTheirOwnStates) {
  const Machine machine(driven_top());
  Stepper stepper(machine.system, rosenbrock_settings(GetParam().method, GetParam().coordinates), {});
  State q = consistent_start(machine.system);
  ASSERT_TRUE(stepper.start(q));
  const State begin = q;
  ASSERT_TRUE(stepper.advance(q, 0.01, 0.01));
  State between = q;
  double work = 7;
  ASSERT_TRUE(stepper.method().between(0.01, between, work));
  EXPECT_LE((between.x[2] - q.x[2]).norm() + (between.v[2] - q.v[2]).norm(), 1e-12);
  EXPECT_NEAR(work, 7, 1e-12);
  ASSERT_TRUE(stepper.method().between(0, between, work));
  EXPECT_LE((between.x[2] - begin.x[2]).norm() + (between.v[2] - begin.v[2]).norm(), 1e-12);
  EXPECT_NEAR(work, 7 - *stepper.work(), 1e-12);
}

TEST(RosenbrockBetweenSteps, AreNoneBeforeTheFirstStepOutsideOfTheLastOneAndWithoutConstraints) {
  const Machine machine(driven_arm());
  Stepper stepper(machine.system, method("rosenbrock4"), {});
  State q = machine.system.initial_state();
  State between = q;
  double work = 0;
  ASSERT_TRUE(stepper.start(q));
  EXPECT_FALSE(stepper.method().between(0, between, work));
  ASSERT_TRUE(stepper.advance(q, 0.1, 0.1) && stepper.advance(q, 0.1, 0.2));
  EXPECT_FALSE(stepper.method().between(0.05, between, work));
  EXPECT_FALSE(stepper.method().between(0.21, between, work));
  EXPECT_TRUE(stepper.method().between(0.15, between, work));
  const Machine beam(cantilever(2));
  Stepper free_stepper(beam.system, method("rosenbrock4"), {});
  State bent = beam.system.initial_state();
  ASSERT_TRUE(free_stepper.start(bent) && free_stepper.advance(bent, 1e-4, 1e-4));
  EXPECT_FALSE(free_stepper.method().between(5e-5, bent, work));
}

}  // namespace
}  // namespace polhode::support
