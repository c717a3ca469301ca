// SPDX-License-Identifier: BSD-3-Clause
// Methods in state-space form in a transient: breakpoints, limits of the step, redundant constraints, the balance of
// energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "support/places.hpp"
#include "support/transients.hpp"

namespace polhode::support {
namespace {

INSTANTIATE_TEST_SUITE_P(Rosenbrock, StateSpaceMethod, testing::Values("rosenbrock4", "rosenbrock_w2"),
                         [](const auto& p) { return p.param; });

TEST(StateSpaceRun, AJumpOfALoadIsHitAndNotSeenBeforeItsTime) {
  const Transient run(pushed("t < 0.3 ? 0 : 4", "{tolerance: 1.0e-4}"));
  ASSERT_EQ(run.result.end, TransientResult::End::done);
  EXPECT_EQ(std::count(run.looker.times.begin(), run.looker.times.end(), 0.3), 1);
  EXPECT_NEAR(run.q.v[1][0], 2 * 0.7, 1e-10);
  EXPECT_NEAR(run.q.x[1][0], 0.7 * 0.7, 1e-10);
  EXPECT_EQ(run.result.progress.rejected_for_error, 0);  // by the second stage, beyond the jump
  EXPECT_NEAR(run.result.progress.external_work, 0.5 * 2 * 1.4 * 1.4, 1e-9);
}

TEST_P(StateSpaceMethod, JumpsOfALoadAreHit) {
  const Transient run(pushed("t < 0.3 ? 0 : 4", "{tolerance: 1.0e-7}", GetParam()));
  ASSERT_EQ(run.result.end, TransientResult::End::done);
  EXPECT_EQ(std::count(run.looker.times.begin(), run.looker.times.end(), 0.3), 1);
  EXPECT_NEAR(run.q.v[1][0], 2 * 0.7, 1e-5);
  EXPECT_NEAR(run.q.x[1][0], 0.7 * 0.7, 1e-5);
  EXPECT_NEAR(run.result.progress.external_work, 0.5 * 2 * 1.4 * 1.4, 2e-5);
}

// Of the slope: 1 N a second from 0.3 to 0.6 s, nothing before and behind.
TEST_P(StateSpaceMethod, KinksOfALoadAreHit) {
  const auto pushed_at = [](const char* tolerance) {
    return pushed("t < 0.3 ? 0 : t < 0.6 ? t - 0.3 : 0.3", std::string("{tolerance: ") + tolerance + "}", GetParam());
  };
  const Transient run(pushed_at("1.0e-7"));
  ASSERT_EQ(run.result.end, TransientResult::End::done);
  for (const double kink : {0.3, 0.6})
    EXPECT_EQ(std::count(run.looker.times.begin(), run.looker.times.end(), kink), 1) << kink;
  // m x = integral of (1 - t) f(t) over 0.3 to 1
  const double v = (0.3 * 0.3 / 2 + 0.4 * 0.3) / 2;
  const double x = (0.045 * 0.4 + 0.3 * 0.3 * 0.3 / 6 + 0.3 * 0.4 * 0.4 / 2) / 2;
  EXPECT_NEAR(run.q.v[1][0], v, 2e-6);
  EXPECT_NEAR(run.q.x[1][0], x, 2e-6);
  // The work has no say in the error test, and the multistep methods take long steps where the motion is simple.
  const auto gap = [&](const Transient& of) { return std::abs(of.result.progress.external_work - 0.5 * 2 * v * v); };
  if (GetParam() != "adams" && GetParam() != "bdf") {
    EXPECT_LE(gap(run), 1e-6);
    return;
  }
  const Transient coarse(pushed_at("1.0e-4"));
  ASSERT_EQ(coarse.result.end, TransientResult::End::done);
  EXPECT_LE(gap(run), std::min(gap(coarse), 0.01 * v * v));
}

// Work of dampers beside the motion: the balance of energy closes with the order of the method.
TEST(StateSpaceRun, BalanceOfEnergyClosesToFourthOrder) {
  std::array<double, 3> gain{};
  for (std::size_t level = 0; level < gain.size(); ++level) {
    const io::Deck deck = io::read_deck(
        POLHODE_SOURCE_DIR "/inputs/benchmarks/double_pendulum_stiff.yaml",
        {"forces.b.stiffness=40", "forces.b.damping=1.5", "analysis.step=" + std::to_string(0.02 / (1 << level))});
    const Transient run(deck);
    ASSERT_EQ(run.result.end, TransientResult::End::done);
    EXPECT_LT(run.result.progress.external_work, -10);
    const double before = run.machine.system.energies(run.machine.system.initial_state()).total();
    gain[level] = (run.machine.system.energies(run.q).total() - before - run.result.progress.external_work) / before;
  }
  EXPECT_GE(std::log2(std::abs(gain[1] / gain[2])), 3.5) << gain[0] << ' ' << gain[1] << ' ' << gain[2];
  EXPECT_LE(std::abs(gain[2]), 1e-5);
}

TEST(StateSpaceRun, APartitionThatChangesIsReportedWithoutAWarning) {
  const Transient run(io::read_deck(POLHODE_SOURCE_DIR "/inputs/benchmarks/pendulum.yaml",
                                    {"analysis={type: transient, duration: 2, step: {tolerance: 1.0e-4}, integrator: "
                                     "{method: rosenbrock4, coordinates: partition}}",
                                     "responses={}"}));
  ASSERT_EQ(run.result.end, TransientResult::End::done);
  EXPECT_TRUE(run.looker.warnings.empty());
  EXPECT_TRUE(std::any_of(run.result.notices.begin(), run.result.notices.end(), [](const std::string& text) {
    return text.find("other unknowns are independent from here on (partition 2)") != std::string::npos;
  }));
}

TEST(TransientNotices, AMethodThatIsTheSameAsAnotherIsReportedWithoutAWarning) {
  const Transient run(pushed("sin(t)", "0.01", "lie_alpha_index2"));
  ASSERT_EQ(run.result.end, TransientResult::End::done);
  EXPECT_TRUE(run.looker.warnings.empty());
  ASSERT_EQ(run.result.notices.size(), 1U);
  EXPECT_NE(run.result.notices.front().find("the same as lie_alpha"), std::string::npos);
}

// A parallelogram whose cranks go round: where all bars lie in one line, at (pi - 1)/3 s, it might fold the other way.
TEST_P(StateSpaceMethod, ASingularPositionIsToldWithTheJoint) {
  const Transient run(deck_of(
      "format: polhode-deck/1\nparameters: {c: \"=cos(1)\", s: \"=sin(1)\"}\nnodes:\n"
      "  left: {position: [\"=c/2\", \"=s/2\", 0], velocity: [\"=-1.5*s\", \"=1.5*c\", 0], angular_velocity: [0, 0, "
      "3]}\n"
      "  right: {position: [\"=2 + c/2\", \"=s/2\", 0], velocity: [\"=-1.5*s\", \"=1.5*c\", 0], angular_velocity: "
      "[0, 0, 3]}\n"
      "bodies:\n"
      "  left: {type: rigid_body, node: left, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
      "  right: {type: rigid_body, node: right, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
      "joints:\n"
      "  pivot_left: {type: revolute, connects: [ground, left], at: [0, 0, 0], axis: [0, 0, 1]}\n"
      "  pivot_right: {type: revolute, connects: [ground, right], at: [2, 0, 0], axis: [0, 0, 1]}\n"
      "  rod: {type: distance, connects: [left, right], at: [[\"=c\", \"=s\", 0], [\"=2 + c\", \"=s\", 0]]}\n"
      "analysis: {type: transient, duration: 0.8, step: {tolerance: 1.0e-5, max: 2.0e-3}, integrator: {method: " +
      GetParam() + "}}\n"));
  ASSERT_EQ(run.result.end, TransientResult::End::done);
  ASSERT_EQ(run.looker.warnings.size(), 1u);
  EXPECT_EQ(run.looker.warnings[0].find("t = 0.71"), 0u) << run.looker.warnings[0];
  EXPECT_NE(run.looker.warnings[0].find("close to a singular position"), std::string::npos);
  EXPECT_NE(run.looker.warnings[0].find("joints.rod [distance]"), std::string::npos) << run.looker.warnings[0];
}

TEST(StateSpaceRun, AToleranceOutOfReachEndsWithThePlace) {
  const Transient run(pushed("sin(300*t)", "{tolerance: 2.0e-8, min: 1.0e-2, initial: 1.0e-2, max: 0.1}"));
  EXPECT_EQ(run.result.end, TransientResult::End::failed);
  EXPECT_EQ(run.result.failure.outcome, integrators::Outcome::inaccurate);
  ASSERT_FALSE(run.result.failure.worst.empty());
  EXPECT_NE(run.result.failure.worst.front().find("nodes.mass: force x"), std::string::npos);
}

TEST_P(StateSpaceMethod, RedundantConstraintsAreLeftOutAndHold) {
  const Transient run(io::read_deck(POLHODE_SOURCE_DIR "/inputs/benchmarks/bennett.yaml",
                                    {"analysis={type: transient, duration: 1, step: {tolerance: 1.0e-5}, integrator: "
                                     "{method: " +
                                         GetParam() + "}}",
                                     "responses={}"}));
  ASSERT_EQ(run.result.end, TransientResult::End::done);
  EXPECT_FALSE(run.q.dropped.empty());
  assembly::Residual r = run.machine.system.make_residual();
  run.machine.system.set_residual(run.q, r, {false, false, true});
  EXPECT_LE(r.phi.lpNorm<Eigen::Infinity>(), 1e-10);
}

// Hinged beams of two elements, from the horizontal: constraints hold, whatever the stiffness.
TEST(StateSpaceRun, BeamsKeepTheirHinge) {
  for (const char* EA : {"1.0e+3", "1.0e+6"}) {
    const Transient run(deck_of(std::string("format: polhode-deck/1\ngravity: [0, 0, -9.81]\nparameters: {EA: ") + EA +
                                "}\n"
                                "nodes: {a: {position: [0, 0, 0]}, b: {position: [1, 0, 0]}}\n"
                                "sections:\n  s:\n"
                                "    stiffness: {EA: \"=EA\", GAy: \"=EA\", GAz: \"=EA\", GJ: \"=1e-3*EA\", EIy: "
                                "\"=1e-3*EA\", EIz: \"=1e-3*EA\"}\n"
                                "    mass: {per_length: 1, inertia: [2.0e-3, 1.0e-3, 1.0e-3]}\n"
                                "beams: {arm: {section: s, from: a, to: b, elements: 2}}\n"
                                "joints: {hinge: {type: revolute, connects: [ground, a], at: [0, 0, 0], axis: [0, 1, "
                                "0]}}\n"
                                "analysis: {type: transient, duration: 0.2, step: 0.005, integrator: {method: "
                                "rosenbrock4}}\n"));
    ASSERT_EQ(run.result.end, TransientResult::End::done);
    assembly::Residual r = run.machine.system.make_residual();
    run.machine.system.set_residual(run.q, r, {false, false, true});
    EXPECT_LE(r.phi.lpNorm<Eigen::Infinity>(), 1e-10);
    EXPECT_LT(run.q.x[2][2], -0.1);  // it has fallen
  }
}

}  // namespace
}  // namespace polhode::support
