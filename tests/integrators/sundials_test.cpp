// SPDX-License-Identifier: BSD-3-Clause
// adams, bdf, explicit_rk: errors that follow the tolerance, constraints, dense output, work, and what stiffness costs.
#include "polhode/integrators/sundials/sundials.hpp"

#include <gtest/gtest.h>

#include <array>

#include "polhode/integrators/rosenbrock/rosenbrock.hpp"
#include "support/double_pendulum.hpp"
#include "support/motions.hpp"
#include "support/places.hpp"
#include "support/transients.hpp"

namespace polhode::support {
namespace {

using integrators::Sundials;

struct SundialsMotion {
  // at the duration, and at 0.437 of it, by dense output
  State end;
  State middle;
  double work = 0;
  double middle_work = 0;
  Violation violation;
  long steps = 0;
  long evaluations = 0;
  bool good = true;
};

SundialsMotion sundials_run(const assembly::System& system, const std::string& method, double tolerance,
                            double duration) {
  integrators::StepControlSettings control;
  control.tolerance = tolerance;
  Sundials solver(system, method, control, 1e-14, duration, duration);
  SundialsMotion motion;
  motion.end = system.initial_state();
  motion.good = solver.make_consistent(motion.end, 0);
  solver.start(motion.end, {.stop = duration});
  const double between = 0.437 * duration;
  for (double before = 0; motion.good && solver.time() < duration;) {
    const auto report = solver.step();
    motion.good = report.succeeded();
    ++motion.steps;
    motion.evaluations += report.iterations;
    motion.end = solver.state();
    motion.work = solver.work();
    motion.violation.add(system, motion.end);
    if (before < between && between <= solver.time()) {
      motion.good = motion.good && solver.between(between, motion.middle, motion.middle_work);
      motion.violation.add(system, motion.middle);
    }
    before = solver.time();
    solver.remember(motion.end);
  }
  return motion;
}

State fine(const assembly::System& system, double duration, int steps) {
  integrators::IntegratorSettings settings;
  settings.method = "rosenbrock4";
  integrators::Rosenbrock method(system, settings);
  State q = system.initial_state();
  State next = q;
  EXPECT_TRUE(make_consistent(system, method.space(), q, 0));
  for (int n = 1; n <= steps; ++n) {
    EXPECT_EQ(method.attempt(q, duration / steps, n * duration / steps), integrators::Rosenbrock::Attempt::done);
    EXPECT_TRUE(method.finish(next));
    std::swap(q, next);
    method.accepted();
  }
  return q;
}

class SundialsMethod : public testing::TestWithParam<std::string> {};
const auto methods_of_sundials = testing::Values("adams", "bdf", "explicit_rk");
INSTANTIATE_TEST_SUITE_P(Methods, SundialsMethod, methods_of_sundials, [](const auto& p) { return p.param; });
INSTANTIATE_TEST_SUITE_P(Sundials, StateSpaceMethod, methods_of_sundials, [](const auto& p) { return p.param; });

// Also between the steps, by the methods' own dense output.
TEST_P(SundialsMethod, ErrorFallsWithTheToleranceAndConstraintsHold) {
  const Machine machine(double_pendulum().model);
  const State end = fine(machine.system, 1, 1600);
  const State middle = fine(machine.system, 0.437, 800);
  std::vector<double> errors;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    const SundialsMotion motion = sundials_run(machine.system, GetParam(), tolerance, 1);
    ASSERT_TRUE(motion.good);
    errors.push_back(distance(motion.end, end));
    const double allowed = 100 * tolerance * machine.system.length();  // tolerances are relative to the size
    EXPECT_LE(errors.back(), allowed);
    EXPECT_LE(distance(motion.middle, middle), allowed);
    EXPECT_LE(motion.violation.position, 1e-10);
    EXPECT_LE(motion.violation.velocity, 1e-10);
  }
  // Of the first run by itself not: the steps of bdf, and its error by a factor of three, hang on the last bits there.
  EXPECT_LT(errors[1], 0.3 * errors[0]);
  EXPECT_LT(errors[2], 0.01 * errors[0]);
  EXPECT_LT(errors[2], 0.1 * errors[1]);
}

// Of dampers, by their power as a component of the state.
TEST_P(SundialsMethod, WorkClosesTheBalanceOfEnergy) {
  const Machine machine(double_pendulum().model);
  const double before = machine.system.energies(machine.system.initial_state()).total();
  std::array<double, 2> gap{};     // by the work
  std::array<double, 2> middle{};  // it has no say in the error test
  for (std::size_t i = 0; i < gap.size(); ++i) {
    const SundialsMotion motion = sundials_run(machine.system, GetParam(), i == 0 ? 1e-4 : 1e-7, 1);
    ASSERT_LT(motion.work, -10);
    gap[i] = std::abs((machine.system.energies(motion.end).total() - before) / motion.work - 1);
    middle[i] = std::abs((machine.system.energies(motion.middle).total() - before) / motion.middle_work - 1);
  }
  EXPECT_LE(gap[0], 1e-2);  // a hundred times the tolerance
  EXPECT_LE(gap[1], 0.1 * gap[0]) << gap[0];
  EXPECT_LE(middle[1], 1e-4);
}

// The matrix of Newton's method of before the body stood still must not serve inside its friction.
TEST(SundialsBdf, RenewsItsMatrixBeforeSharpFrictionMisleadsIt) {
  const Machine machine(deck_of(R"deck(
format: polhode-deck/1
gravity: [0, 0, -9.81]
nodes: {bar: {position: [0.5, 0, 0]}}
bodies: {bar: {type: rigid_body, node: bar, mass: 1, inertia: [0.01, 0.08, 0.08]}}
joints:
  pin: {type: revolute, connects: [ground, bar], at: [0, 0, 0], axis: [0, 1, 0], friction: {coulomb: 1, velocity: 1.0e-4}}
analysis: {type: transient, duration: 1, step: 0.1}
)deck")
                            .model);
  const SundialsMotion motion = sundials_run(machine.system, "bdf", 1e-5, 1);
  ASSERT_TRUE(motion.good);
  // rosenbrock4 at 1e-8; the end is 0.16 m off with a matrix for 20 steps
  EXPECT_LE((motion.end.x[1] - Vec3(-0.41864495, 0, -0.27337959)).norm(), 1e-4);
}

// A mechanism in space that is driven, with a motion that takes bodies around more than once.
TEST_P(SundialsMethod, FollowsASpatialMechanism) {
  const Machine machine(io::read_deck(POLHODE_SOURCE_DIR "/inputs/benchmarks/spatial_slider_crank.yaml").model);
  const SundialsMotion motion = sundials_run(machine.system, GetParam(), 1e-7, 0.5);
  ASSERT_TRUE(motion.good);
  EXPECT_LE(motion.violation.position, 1e-10);
  EXPECT_LE(motion.violation.velocity, 1e-10);
  EXPECT_LE(distance(motion.end, fine(machine.system, 0.5, 1000)), 1e-4);
}

// Springs of 3e5 N m/rad with dampers of 5e4 N m s/rad (Negrut et al. 2003, Table 7): steps by stability, whatever the
// tolerance. Counted from 0.1 to 0.11 s, and over 2 s that would be 5.5e4 and 2.6e5.
TEST(SundialsStiff, ExplicitMethodsTakeTheStepsOfTheirStability) {
  const Machine machine(io::read_deck(POLHODE_SOURCE_DIR "/inputs/benchmarks/double_pendulum_stiff.yaml").model);
  const auto steps_of = [&](const char* method, double tolerance) {
    return static_cast<double>(sundials_run(machine.system, method, tolerance, 0.02).steps -
                               sundials_run(machine.system, method, tolerance, 0.01).steps) *
           200;
  };
  for (const double tolerance : {1e-2, 1e-4}) {
    EXPECT_NEAR(steps_of("explicit_rk", tolerance), 5.5e4, 1.5e4) << tolerance;
    EXPECT_NEAR(steps_of("adams", tolerance), 2.6e5, 1e5) << tolerance;
    EXPECT_LT(sundials_run(machine.system, "bdf", tolerance, 2).steps, 300) << tolerance;
  }
}

}  // namespace
}  // namespace polhode::support
