// SPDX-License-Identifier: BSD-3-Clause
// The comparison of steps as a library call, and checks of a deck without a run.
#include "polhode/run/convergence.hpp"

#include <gtest/gtest.h>

#include "polhode/run/check.hpp"
#include "run/decks.hpp"

namespace polhode::run {
namespace {

ConvergenceRequest request_of(std::vector<double> steps) {
  ConvergenceRequest request;
  request.settings.steps = std::move(steps);
  request.settings.jobs = 1;
  return request;
}

TEST(CompareSteps, PositionsOfLieAlphaConvergeWithOrderTwo) {
  long last = 0;
  long all = 0;
  ConvergenceCallbacks callbacks;
  callbacks.progress = [&](long done, long of) {
    last = done;
    all = of;
  };
  const ConvergenceResult result =
      compare_steps(heavy_top({"analysis.duration=0.1"}), request_of({2e-3, 1e-3}), callbacks);
  EXPECT_EQ(result.status, Status::completed);
  EXPECT_EQ(result.table.runs.size(), 3u);
  EXPECT_EQ(last, all);
  EXPECT_EQ(all, 50 + 100 + 1000);
  ASSERT_FALSE(result.table.components.empty());
  EXPECT_EQ(result.table.components[0].component.name, "position");
  EXPECT_NEAR(result.table.components[0].errors[0].order, 2, 0.1);
}

// The method's own values are those of the middle of a step; what is compared is what a run stores.
TEST(CompareSteps, AccelerationsAndMultipliersOfEnergyMomentumAreThoseOfResults) {
  const ConvergenceResult result =
      compare_steps(heavy_top({"analysis.duration=0.1", "analysis.integrator={method: energy_momentum}"}),
                    request_of({4e-4, 2e-4}), {});
  ASSERT_EQ(result.status, Status::completed);
  ASSERT_FALSE(result.table.components.empty());
  for (const auto& component : result.table.components)
    EXPECT_GE(component.errors[0].order, 1.85) << component.component.name;
}

TEST(CompareSteps, AWrongRequestSaysWhatToDo) {
  const ConvergenceResult result = compare_steps(heavy_top({"analysis.duration=0.1"}), request_of({2e-3}));
  EXPECT_EQ(result.status, Status::invalid);
  EXPECT_EQ(result.wrong_request, "an order needs two steps or more, as in --steps 1e-3,5e-4,2.5e-4");
  EXPECT_TRUE(result.problems.empty());
}

TEST(CompareSteps, ADeckWithoutASingleTransientIsRefusedByItsAnalyses) {
  const ConvergenceResult none = compare_steps(heavy_top({"analysis={type: initial}"}), request_of({2e-3, 1e-3}));
  EXPECT_EQ(none.status, Status::invalid);
  ASSERT_EQ(none.problems.size(), 1u);
  EXPECT_EQ(none.problems[0].path, "analysis.type");
  const ConvergenceResult two =
      compare_steps(heavy_top({"analysis=[{type: initial}, {type: initial}]"}), request_of({2e-3, 1e-3}));
  ASSERT_EQ(two.problems.size(), 1u);
  EXPECT_NE(two.problems[0].message.find("this deck has 2 analyses"), std::string::npos);
}

TEST(CompareSteps, AnInterruptEndsAllRunsWithoutATable) {
  ConvergenceCallbacks callbacks;
  callbacks.interrupted = [] { return true; };
  const ConvergenceResult result =
      compare_steps(heavy_top({"analysis.duration=0.1"}), request_of({2e-3, 1e-3}), callbacks);
  EXPECT_EQ(result.status, Status::interrupted);
  EXPECT_TRUE(result.table.components.empty());
}

TEST(CheckDeck, CountsUnknownsAndConstraints) {
  const ModelSummary summary = check_deck(heavy_top({"analysis.duration=0.1"}));
  EXPECT_TRUE(summary.problems.empty());
  EXPECT_EQ(summary.nodes, 1u);
  EXPECT_EQ(summary.unknowns, 6);
  EXPECT_EQ(summary.constraint_rows, 3);
  EXPECT_EQ(summary.constraint_rank, 3);
  EXPECT_EQ(summary.kinds.at("spherical"), 1);
  EXPECT_EQ(summary.states, 51);
  EXPECT_FALSE(summary.states_are_guessed);
  EXPECT_EQ(summary.start.find("constraints met to "), 0u) << summary.start;
}

TEST(CheckDeck, AnInitialAnalysisSaysHowManyNodesItMoves) {
  const ModelSummary summary = check_deck(heavy_top({"analysis={type: initial}"}));
  EXPECT_NE(summary.start.find(" nodes are moved to meet the constraints"), std::string::npos) << summary.start;
}

TEST(CheckDeck, ResponsesThatTheModelCannotGiveAreProblems) {
  const io::Deck deck = heavy_top({"responses={wrong: {last: joints.none.force}}"});
  EXPECT_EQ(check_deck(deck).problems.at(0).path, "responses.wrong");
  model::Problems problems;
  EXPECT_TRUE(check_responses(deck, problems).empty());
  EXPECT_EQ(problems.size(), 1u);
}

}  // namespace
}  // namespace polhode::run
