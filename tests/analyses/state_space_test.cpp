// SPDX-License-Identifier: BSD-3-Clause
// Rosenbrock methods in a transient: breakpoints, limits of the step, redundant constraints, states between the steps.
#include <gtest/gtest.h>

#include "polhode/analyses/dense_output.hpp"
#include "polhode/analyses/transient.hpp"
#include "support/deck_text.hpp"
#include "support/models.hpp"

namespace polhode::support {
namespace {

using analyses::TransientResult;

struct Looker final : analyses::Observer {
  std::vector<double> times;
  std::vector<std::string> warnings;
  void observe(const State& q, const integrators::Stepper&, const analyses::Progress&, bool) override {
    times.push_back(q.t);
  }
  void warn(const std::string& message) override { warnings.push_back(message); }
};

struct Transient {
  explicit Transient(const io::Deck& deck) : machine(deck.model), q(machine.system.initial_state()) {
    result = run_transient(machine.system, std::get<analyses::TransientSettings>(deck.analyses.front()), q, 0, looker,
                           problems);
  }
  Machine machine;
  State q;
  Looker looker;
  model::Problems problems;
  TransientResult result;
};

io::Deck pushed(const std::string& history, const std::string& step) {
  return deck_of(
      "format: polhode-deck/1\nnodes: {mass: {position: [0, 0, 0]}}\n"
      "bodies: {mass: {type: rigid_body, node: mass, mass: 2, inertia: [1, 1, 1]}}\n"
      "forces: {push: {type: load, node: mass, force: [1, 0, 0], history: \"=" +
      history +
      "\"}}\n"
      "analysis: {type: transient, duration: 1, step: " +
      step + ", integrator: {method: rosenbrock4}}\n");
}

TEST(StateSpaceRun, AJumpOfALoadIsHitAndNotSeenBeforeItsTime) {
  const Transient run(pushed("t < 0.3 ? 0 : 4", "{tolerance: 1.0e-4}"));
  ASSERT_EQ(run.result.end, TransientResult::End::done);
  EXPECT_EQ(std::count(run.looker.times.begin(), run.looker.times.end(), 0.3), 1);
  EXPECT_NEAR(run.q.v[1][0], 2 * 0.7, 1e-10);
  EXPECT_NEAR(run.q.x[1][0], 0.7 * 0.7, 1e-10);
  EXPECT_EQ(run.result.progress.rejected_for_error, 0);  // by the second stage, beyond the jump
  EXPECT_NEAR(run.result.progress.external_work, 0.5 * 2 * 1.4 * 1.4, 1e-9);
}

TEST(StateSpaceRun, AToleranceOutOfReachEndsWithThePlace) {
  const Transient run(pushed("sin(300*t)", "{tolerance: 2.0e-8, min: 1.0e-2, initial: 1.0e-2, max: 0.1}"));
  EXPECT_EQ(run.result.end, TransientResult::End::failed);
  EXPECT_EQ(run.result.failure.outcome, integrators::Outcome::inaccurate);
  ASSERT_FALSE(run.result.failure.worst.empty());
  EXPECT_NE(run.result.failure.worst.front().find("nodes.mass: force x"), std::string::npos);
}

TEST(StateSpaceRun, RedundantConstraintsAreLeftOutAndHold) {
  const io::Deck deck = io::read_deck(POLHODE_SOURCE_DIR "/inputs/benchmarks/bennett.yaml",
                                      {"analysis={type: transient, duration: 1, step: {tolerance: 1.0e-5}, integrator: "
                                       "{method: rosenbrock4}}",
                                       "responses={}"});
  const Transient run(deck);
  ASSERT_EQ(run.result.end, TransientResult::End::done);
  EXPECT_FALSE(run.machine.system.left_out().empty());
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
