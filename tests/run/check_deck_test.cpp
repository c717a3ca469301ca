// SPDX-License-Identifier: BSD-3-Clause
// A deck checked without a run: what its sizes promise of one another, and of the run that follows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "polhode/run/check.hpp"
#include "polhode/run/run.hpp"
#include "run/decks.hpp"

namespace polhode::run {
namespace {

using support::deck_of;

// A double pendulum; with `constraints`, kept in its plane by a joint that says again what the hinges say.
std::string two_rods(const std::string& analysis, const std::string& constraints = "") {
  return "format: polhode-deck/1\ngravity: [0, -10, 0]\n" + constraints +
         "nodes: {a: {position: [0.5, 0, 0]}, b: {position: [1.5, 0, 0]}}\n"
         "bodies:\n"
         "  a: {type: rigid_body, node: a, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
         "  b: {type: rigid_body, node: b, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
         "joints:\n"
         "  A: {type: revolute, connects: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
         "  B: {type: revolute, connects: [a, b], at: [1, 0, 0], axis: [0, 0, 1]}\n" +
         (constraints.empty() ? "" : "  C: {type: planar, connects: [ground, b], at: [1.5, 0, 0], axis: [0, 0, 1]}\n") +
         "responses: {height: {last: nodes.b.position.y}, turn: {max_abs: nodes.a.angular_velocity}}\n"
         "analysis: " +
         analysis + "\n";
}
ModelSummary summary_of_rods(const std::string& analysis, const std::string& constraints = "") {
  return check_deck(deck_of(two_rods(analysis, constraints)));
}

void expect_no_problems(const ModelSummary& summary) {
  for (const model::Problem& problem : summary.problems) ADD_FAILURE() << problem.path << ": " << problem.message;
}

TEST(CheckDeck, EveryElementIsOfOneKindAndEveryHistoryCounts) {
  const ModelSummary summary = summary_of_rods(one_second);
  expect_no_problems(summary);
  EXPECT_EQ(summary.kinds, (std::map<std::string, int>{{"rigid_body", 2}, {"revolute", 2}}));
  EXPECT_EQ(summary.nodes, 2u);
  EXPECT_EQ(summary.unknowns, 12);
  EXPECT_EQ(summary.constraint_rows, 10);
  EXPECT_EQ(summary.constraint_rank, 10);
  EXPECT_EQ(summary.redundant, "");
  EXPECT_GT(summary.histories, 0u);
}

// A bar of steel under its weight, 1 m long, in the units of its deck.
std::string steel_bar(const std::string& units, double gravity, double length, double E, double density) {
  return fmt::format(
      "format: polhode-deck/1\n{}gravity: [0, 0, -{}]\n"
      "nodes: {{a: {{position: [0, 0, 0], fixed: true}}, b: {{position: [{}, 0, 0]}}}}\n"
      "sections: {{bar: {{shape: rectangle, height: {}, width: {}, E: {}, nu: 0.3, density: {}}}}}\n"
      "beams: {{bar: {{section: bar, from: a, to: b, elements: 2, orientation: [0, 1, 0]}}}}\n"
      "responses: {{root: {{last: reactions.a.moment}}}}\n"
      "analysis: {{type: static}}\n",
      units, gravity, length, 0.01 * length, 0.01 * length, E, density);
}

TEST(CheckDeck, WarnsOfGravityAndStiffnessInUndeclaredUnits) {
  const auto warnings = [](const std::string& deck) { return check_deck(deck_of(deck)).warnings; };
  const std::string mm = "units: {length: mm, mass: t, time: s}\n";
  EXPECT_TRUE(warnings(steel_bar("", 9.81, 1, 2.1e11, 7850)).empty());
  EXPECT_TRUE(warnings(steel_bar(mm, 9810, 1000, 2.1e5, 7.85e-9)).empty());
  const std::vector<std::string> undeclared = warnings(steel_bar("", 9810, 1000, 2.1e5, 7.85e-9));
  ASSERT_EQ(undeclared.size(), 2u);
  EXPECT_NE(undeclared[0].find("gravity is 9810 m/s^2"), std::string::npos) << undeclared[0];
  EXPECT_NE(undeclared[1].find("sections.bar: waves along the beam run at 5.17e+06 m/s"), std::string::npos);
  // Density off by 1e9, and E in MPa, among numbers in SI
  for (const auto& [E, density] : {std::pair(2.1e11, 7.85e-6), std::pair(2.1e5, 7.85e3 * 1.2)})
    EXPECT_EQ(warnings(steel_bar("", 9.81, 1, E, density)).size(), 1u);
}

TEST(CheckDeck, NamesUnitsOfResponsesAfterTheDeck) {
  model::Problems problems;
  const io::Deck deck = deck_of(steel_bar("units: {length: mm, mass: t, time: s}\n", 9810, 1000, 2.1e5, 7.85e-9));
  ASSERT_EQ(check_responses(deck, problems).size(), 1u);
  EXPECT_EQ(check_responses(deck, problems)[0].units, "N mm");
}

TEST(CheckDeck, EquationsThatAreDroppedDoNotCountInTheRank) {
  const ModelSummary summary = summary_of_rods(one_second, "constraints: {redundant: resolve}\n");
  expect_no_problems(summary);
  EXPECT_EQ(summary.constraint_rows, 13);
  EXPECT_EQ(summary.constraint_rank, 10);
  EXPECT_NE(summary.redundant.find("3 redundant constraint equations"), std::string::npos) << summary.redundant;
}

TEST(CheckDeck, SizesOfResultsGrowWithTheStatesAndByEachAlike) {
  const auto bytes = [](const std::string& duration) {
    const ModelSummary summary = summary_of_rods("{type: transient, duration: " + duration + ", step: 0.01}");
    EXPECT_NEAR(summary.states, 100 * std::stod(duration) + 1, 1e-9);
    EXPECT_FALSE(summary.states_are_guessed);
    return summary.result_bytes;
  };
  const double some = bytes("100");
  const double twice = bytes("200");
  const double more = bytes("400");
  EXPECT_GT(twice, some);
  EXPECT_NEAR((more - twice) / (twice - some), 2, 0.1);
}

// The state between two of them is stored once; a count for the size of a file may have it twice.
TEST(CheckDeck, AnalysesOfAListAddTheirStatesButForThoseBetweenThem) {
  const double first = summary_of_rods(one_second).states;
  const double second = summary_of_rods("{type: transient, duration: 2, step: 0.01}").states;
  const ModelSummary both = summary_of_rods("[" + one_second + ", {type: transient, duration: 2, step: 0.01}]");
  EXPECT_EQ(both.states, first + second - 1) << "the one between them is stored once";
}

TEST(CheckDeck, OnlyStepsUnderControlAreGuessed) {
  const ModelSummary guessed = summary_of_rods("{type: transient, duration: 1, step: {tolerance: 1.0e-4}}");
  expect_no_problems(guessed);
  EXPECT_TRUE(guessed.states_are_guessed);
  EXPECT_TRUE(guessed.result_bytes_are_guessed);
  EXPECT_GT(guessed.states, 1);
  const double structure = guessed.known_result_bytes;
  EXPECT_LT(structure, guessed.result_bytes);
  const ModelSummary timed =
      summary_of_rods("{type: transient, duration: 1, step: {tolerance: 1.0e-4}}\noutput: {interval: 1.0e-8}");
  EXPECT_GT(timed.known_result_bytes, 1e8 * sizeof(double)) << "states at given times, whatever the steps are";
  const ModelSummary fixed = summary_of_rods(one_second);
  EXPECT_FALSE(fixed.states_are_guessed);
  EXPECT_FALSE(fixed.result_bytes_are_guessed);
  EXPECT_EQ(fixed.known_result_bytes, fixed.result_bytes);
}

// A check is no run: it may be made any number of times, before and after one.
TEST(CheckDeck, ChangesNothingAndSaysTheSameAgain) {
  const io::Deck deck = deck_of(two_rods("{type: transient, duration: 0.1, step: 0.01}"));
  const ModelSummary before = check_deck(deck);
  const RunResult run = run_deck(deck);
  const ModelSummary after = check_deck(deck);
  EXPECT_EQ(run.status, Status::completed);
  EXPECT_EQ(before.start, after.start);
  EXPECT_EQ(before.result_bytes, after.result_bytes);
  EXPECT_EQ(before.length, after.length);
  EXPECT_EQ(run_deck(deck).responses.at(0).value, run.responses.at(0).value);
}

TEST(CheckDeck, ProblemsOfResponsesAndAnalysesAreReportedTogether) {
  const io::Deck deck =
      deck_of(two_rods(one_second), {"responses={x: {last: nodes.none.position}, y: {last: joints.A.color}}"});
  const ModelSummary summary = check_deck(deck);
  ASSERT_EQ(summary.problems.size(), 2u) << "a deck with several is corrected once";
  EXPECT_EQ(summary.problems[0].path, "responses.x");
  EXPECT_EQ(summary.problems[1].path, "responses.y");
  EXPECT_EQ(run_deck(deck).status, Status::invalid) << "and does not run";
}

// Columns of a study are known before its cases.
TEST(CheckResponses, AreThoseOfARunWithoutValues) {
  const io::Deck deck = deck_of(two_rods("{type: transient, duration: 0.1, step: 0.01}"));
  model::Problems problems;
  const std::vector<ResponseValue> columns = check_responses(deck, problems);
  EXPECT_TRUE(problems.empty());
  const RunResult run = run_deck(deck);
  ASSERT_EQ(columns.size(), run.responses.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    EXPECT_EQ(columns[i].name, run.responses[i].name);
    EXPECT_EQ(columns[i].units, run.responses[i].units);
    EXPECT_EQ(columns[i].description, run.responses[i].description);
    EXPECT_TRUE(std::isnan(columns[i].value));
    EXPECT_FALSE(std::isnan(run.responses[i].value));
  }
}

TEST(ShortageOfSpace, IsReportedWithBothSizesWhereResultsAreLargerThanTheDisk) {
  const test::TemporaryFolder folder;
  ModelSummary summary;
  summary.result_bytes = 1;
  EXPECT_EQ(shortage_of_space(summary, folder.file("run.h5")), "");
  summary.result_bytes = 2.5e18;
  const std::string text = shortage_of_space(summary, folder.file("run.h5"));
  EXPECT_NE(text.find(": the results do not fit on its disk: about 2.5e+03 PB, and "), std::string::npos) << text;
  EXPECT_NE(text.find(" are free; store fewer states or fields (`output`)"), std::string::npos) << text;
  EXPECT_EQ(shortage_of_space(summary, folder.file("none/run.h5")), "") << "nothing is known of its disk";
}

}  // namespace
}  // namespace polhode::run
