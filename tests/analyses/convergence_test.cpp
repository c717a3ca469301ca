// SPDX-License-Identifier: BSD-3-Clause
// Errors and observed orders: their norms, their times, and when an order means nothing.
#include "polhode/analyses/convergence/convergence.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/models.hpp"

namespace polhode::analyses {
namespace {

using support::cantilever;
using support::driven_top;
using support::Machine;
using support::State;
using support::Vec3;

TransientSettings transient(double duration) {
  TransientSettings settings;
  settings.duration = duration;
  return settings;
}

ConvergencePlan plan(const ConvergenceSettings& settings, std::string& problem, double duration = 1) {
  return plan_convergence(transient(duration), settings, false, 10, problem);
}

ConvergencePlan good_plan(const ConvergenceSettings& settings, double duration = 1) {
  std::string problem;
  ConvergencePlan result = plan(settings, problem, duration);
  EXPECT_EQ(problem, "");
  return result;
}

std::vector<Component> moving_components(const assembly::System& system) { return components_of(system); }

TEST(Trajectory, DistanceIsTheRootMeanSquareOverNodesAndRotationsCountByTheirAngle) {
  const Machine machine(cantilever(2));  // three nodes, the first one fixed
  const std::vector<Component> components = moving_components(machine.system);
  ASSERT_EQ(components.size(), 6u);  // no multipliers
  EXPECT_EQ(components[0].items.size(), 2u);
  State q = machine.system.initial_state();
  Trajectory a;
  Trajectory b;
  reserve(1, components, a);
  reserve(1, components, b);
  append(q, components, b);
  q.x[2] += Vec3(0.3, 0, 0.4);
  q.set_rotation(3, q.quat[3] * math::so3::exp_quaternion(Vec3(0, 0.6, 0.8)));
  q.quat[2].coeffs() *= -1;  // the same rotation
  append(q, components, a);
  EXPECT_NEAR(distances(components[0], 0, a, b).at(0), 0.5 / std::sqrt(2), 1e-15);
  EXPECT_NEAR(distances(components[1], 1, a, b).at(0), 1 / std::sqrt(2), 1e-14);
  EXPECT_EQ(distances(components[2], 2, a, b).at(0), 0);
}

TEST(Trajectory, MultipliersCountByJoint) {
  const Machine machine(driven_top());
  const Component component = components_of(machine.system).back();
  ASSERT_EQ(component.quantity, Quantity::multipliers);
  ASSERT_EQ(component.items.size(), 2u);
  const std::vector<Component> only{component};
  State q = machine.system.initial_state();
  Trajectory a;
  Trajectory b;
  reserve(1, only, b);
  append(q, only, b);
  q.lambda.setConstant(2);
  reserve(1, only, a);
  append(q, only, a);
  EXPECT_NEAR(distances(component, 0, a, b).at(0), std::sqrt(4.0 * machine.system.rows() / 2), 1e-14);
  EXPECT_NEAR(largest_size(component, 0, a), std::sqrt(4.0 * machine.system.rows() / 2), 1e-14);
}

TEST(ConvergencePlan, ComparesAtTheTimesThatAllRunsPass) {
  const ConvergencePlan p = good_plan({{2e-2, 5e-2, 1e-2}, {}, {}, {}, 1});
  EXPECT_EQ(p.steps, (std::vector<double>{5e-2, 2e-2, 1e-2}));
  EXPECT_EQ(p.counts, (std::vector<long>{20, 50, 100, 1000}));
  EXPECT_EQ(p.intervals, 10);
  EXPECT_EQ(p.kept.size(), 11u);
  EXPECT_DOUBLE_EQ(p.time(3), 0.3);
}

TEST(ConvergencePlan, RunsNoFurtherThanItCounts) {
  const ConvergencePlan p = good_plan({{2e-2, 1e-2}, 5e-3, 0.1, 0.31, 1});
  EXPECT_EQ(p.counts, (std::vector<long>{15, 30, 60}));
  EXPECT_DOUBLE_EQ(p.duration, 0.3);
  EXPECT_EQ(p.from, 0.1);
}

TEST(ConvergencePlan, TheTransientOfTheStartIsThatOfTheLargestStep) {
  EXPECT_NEAR(good_plan({{1e-3, 5e-4}, {}, {}, {}, 1}).from, 0.163, 1e-12);  // 163^2 0.9^163 = 9.3e-4
  EXPECT_EQ(good_plan({{1e-2, 5e-3}, {}, {}, {}, 1}).from, 0.5);
  integrators::IntegratorSettings settings;
  settings.rho_infinity = 1;
  EXPECT_EQ(steps_of_transient(settings), 1000000);
  settings.rho_infinity = 0;
  EXPECT_LE(steps_of_transient(settings), 4);
  settings.rho_infinity.reset();
  settings.hht_alpha = 0.05;  // rho = 0.95 / 1.05
  const long n = steps_of_transient(settings);
  const auto left = [](long m) { return static_cast<double>(m) * static_cast<double>(m) * std::pow(0.95 / 1.05, m); };
  EXPECT_LE(left(n), 1e-3);
  EXPECT_GT(left(n - 1), 1e-3);
}

TEST(ConvergencePlan, LongTrajectoriesOfLargeModelsAreThinnedToWhatMemoryHolds) {
  std::string problem;
  const ConvergencePlan p = plan_convergence(transient(1), {{1e-5, 5e-6}, {}, {}, {}, 1}, false, 1000000, problem);
  EXPECT_EQ(problem, "");
  EXPECT_LE(p.kept.size(), 40u);
  EXPECT_GE(p.kept.size(), 20u);
  EXPECT_EQ(p.kept.back(), p.intervals);
}

TEST(ConvergencePlan, SaysWhatIsWrongAndWhatToDo) {
  const auto problem_of = [](const ConvergenceSettings& settings) {
    std::string problem;
    plan(settings, problem);
    return problem;
  };
  EXPECT_EQ(problem_of({{0.1}, {}, {}, {}, 1}), "an order needs two steps or more, as in --steps 1e-3,5e-4,2.5e-4");
  EXPECT_EQ(problem_of({{0.1, 0.1}, {}, {}, {}, 1}), "one of the steps is there twice");
  EXPECT_EQ(problem_of({{0.1, 0.03}, {}, {}, {}, 1}),
            "a step of 0.03 s is no whole part of the duration of 1 s (33.3333 steps); the nearest are 0.0294117647 s "
            "and 0.0303030303 s, or change analysis.duration by --set");
  EXPECT_EQ(problem_of({{0.1, 1e-300}, {}, {}, {}, 1}),
            "a step of 1e-300 s makes 1e+300 steps, and a run has at most 2e+09; take larger ones, or a shorter run by "
            "--to");
  EXPECT_EQ(problem_of({{0.1, 0.05}, 1e-10, {}, {}, 1}),
            "a step of 1e-10 s makes 1e+10 steps, and a run has at most 2e+09; take larger ones, or a shorter run by "
            "--to");
  EXPECT_EQ(problem_of({{0.2, 0.125}, 0.025, {}, {}, 1}),
            "the steps share no time but the end, 1 s; take steps that are whole multiples of each other, as in "
            "0.2,0.1,0.05");
  EXPECT_EQ(problem_of({{0.1, 0.05}, 0.05, {}, {}, 1}),
            "the reference's step of 0.05 s is not smaller than all others");
  EXPECT_EQ(problem_of({{0.1, 0.05}, {}, 1.0, {}, 1}), "--from 1 lies outside of the run, (0, 1) s");
  EXPECT_EQ(problem_of({{0.1, 0.05}, {}, {}, 1.1, 1}), "--to 1.1 lies outside of the run, (0, 1] s");
  EXPECT_EQ(problem_of({{0.1, 0.05}, {}, {}, 0.15, 1}),
            "up to 0.15 s the steps share less than two times; the common grid is 0.1 s");
}

TEST(ConvergenceErrors, AreTheLargestOfTheIntervalAndOrdersTheirSlopes) {
  const std::vector<double> steps{0.4, 0.2, 0.1};
  const std::vector<double> time{0, 1, 2};
  const std::vector<std::vector<double>> distances{{0, 16, 3}, {0, 4, 1.5}, {0, 1, 0.75}};
  const Errors whole = errors_of(steps, distances, time, {"whole", 0, 2}, 10);
  EXPECT_EQ(whole.errors, (std::vector<double>{16, 4, 1}));
  EXPECT_TRUE(std::isnan(whole.orders[0]));
  EXPECT_NEAR(whole.orders[2], 2, 1e-14);
  EXPECT_NEAR(whole.order, 2, 1e-14);
  EXPECT_NEAR(errors_of(steps, distances, time, {"after", 1.5, 2}, 10).order, 1, 1e-14);
  EXPECT_EQ(whole.vague, (std::vector<bool>{false, false, false}));
}

TEST(ConvergenceErrors, OfAStepThatFailedAreLeftOut) {
  const Errors e = errors_of({0.4, 0.2, 0.1}, {{16}, {}, {1}}, {1}, {"whole", 0, 1}, 10);
  EXPECT_TRUE(std::isnan(e.errors[1]));
  EXPECT_TRUE(std::isnan(e.orders[1]));
  EXPECT_NEAR(e.orders[2], 2, 1e-14);
  EXPECT_NEAR(e.order, 2, 1e-14);
  EXPECT_TRUE(std::isnan(errors_of({0.2, 0.1}, {{}, {1}}, {1}, {"whole", 0, 1}, 10).order));
}

TEST(ConvergenceErrors, AtRoundOffOrNoLongerFallingAreMarked) {
  const Errors floor = errors_of({0.4, 0.2, 0.1}, {{16e-8}, {4e-8}, {3.9e-8}}, {1}, {"whole", 0, 1}, 1);
  EXPECT_EQ(floor.vague, (std::vector<bool>{false, false, true}));
  const Errors tiny = errors_of({0.4, 0.2}, {{4e-13}, {1e-13}}, {1}, {"whole", 0, 1}, 1);
  EXPECT_EQ(tiny.vague, (std::vector<bool>{true, true}));
  const Errors coarse = errors_of({0.4, 0.2}, {{0.4}, {0.39}}, {1}, {"whole", 0, 1}, 1);  // not yet falling
  EXPECT_EQ(coarse.vague, (std::vector<bool>{false, false}));
}

}  // namespace
}  // namespace polhode::analyses
