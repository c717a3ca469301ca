// SPDX-License-Identifier: BSD-3-Clause
// Estimated errors of responses, on decks whose answers are known.
#include "polhode/run/verify.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "polhode/run/run.hpp"
#include "run/decks.hpp"

namespace polhode::run {
namespace {

using support::deck_of;

Verification verify(const io::Deck& deck, const VerifySettings& settings = {}) {
  const RunResult result = run_deck(deck);
  EXPECT_EQ(result.status, Status::completed);
  return verify_run(deck, result, settings);
}

io::Deck top(const std::string& step) {
  return heavy_top(
      {"analysis.duration=0.5", "analysis.step=" + step, "responses={z: {last: nodes.centre.position.z}}"});
}

TEST(Verify, EstimatesTheErrorOfFixedSteps) {
  const double exact = run_deck(top("0.0000625")).responses[0].value;
  for (const char* step : {"0.002", "0.001", "0.0005"}) {
    const io::Deck deck = top(step);
    const RunResult result = run_deck(deck);
    const Verification found = verify_run(deck, result, {});
    ASSERT_EQ(found.errors.size(), 1U);
    const double error = std::abs(result.responses[0].value - exact);
    EXPECT_GT(found.errors[0].all, 0.5 * error) << step;
    EXPECT_LT(found.errors[0].all, 3 * error) << step;
    EXPECT_EQ(found.errors[0].all, found.errors[0].steps);
    EXPECT_FALSE(found.errors[0].elements);
    EXPECT_TRUE(found.notes.empty());
  }
}

TEST(Verify, EstimatesTheErrorOfStepsUnderControl) {
  const double exact = run_deck(top("0.0000625")).responses[0].value;
  const io::Deck deck = top("{tolerance: 1.0e-4}");
  const RunResult result = run_deck(deck);
  const double error = std::abs(result.responses[0].value - exact);
  const Verification found = verify_run(deck, result, {});
  EXPECT_GT(found.errors.at(0).all, 0.5 * error);
  EXPECT_LT(found.errors.at(0).all, 3 * error);
}

// Parabolas are exact for the method: nothing but round-off is left.
TEST(Verify, FindsNoErrorWhereThereIsNone) {
  const io::Deck deck = deck_of(falling(one_second));
  const Verification found = verify(deck);
  ASSERT_EQ(found.errors.size(), 2U);
  for (const ResponseError& error : found.errors) EXPECT_LT(error.all, 1e-12) << error.name;
}

// A cantilever of one two-node element under a force at its tip: the error of elements is known from beam theory,
// F L^3 / (3 E I) + F L / (k G A).
TEST(Verify, EstimatesTheErrorOfElements) {
  const io::Deck deck = deck_of(
      "format: polhode-deck/1\n"
      "nodes: {root: {position: [0, 0, 0], fixed: true}, tip: {position: [1, 0, 0]}}\n"
      "sections: {bar: {stiffness: {EA: 1.0e+6, GAy: 1.0e+6, GAz: 1.0e+6, GJ: 1.0e+3, EIy: 1.0e+3, EIz: 1.0e+3}, "
      "mass: {per_length: 1, inertia: [0.02, 0.01, 0.01]}}}\n"
      "beams: {arm: {section: bar, from: root, to: tip, elements: 4, orientation: [0, 1, 0]}}\n"
      "forces: {push: {type: load, node: tip, force: [0, 0, 0.01]}}\n"
      "responses: {z: {last: nodes.tip.position.z}}\n"
      "analysis: {type: static}\n");
  const RunResult result = run_deck(deck);
  const double error = std::abs(result.responses[0].value - (0.01 / 3e3 + 0.01 / 1e6));
  const Verification found = verify_run(deck, result, {.elements = true});
  ASSERT_TRUE(found.errors.at(0).elements);
  EXPECT_FALSE(found.errors[0].steps);
  EXPECT_GT(found.errors[0].all, 0.5 * error);
  EXPECT_LT(found.errors[0].all, 3 * error);

  const Verification without = verify_run(deck, result, {});
  EXPECT_TRUE(std::isnan(without.errors.at(0).all));
  ASSERT_EQ(without.notes.size(), 1U);
  EXPECT_NE(without.notes[0].find("--verify-elements"), std::string::npos);
}

TEST(Verify, SaysWhatItCannotDo) {
  io::Deck bare = heavy_top({"analysis.duration=0.1"});
  EXPECT_EQ(verify(bare).notes.at(0), "nothing to verify: the deck has no `responses`");
  const Verification rigid = verify(top("0.002"), {.elements = true});
  EXPECT_EQ(rigid.notes.at(0), "elements are not verified: no beam has a number of elements");
}

// A beam of twice the elements has inner nodes and integration points of the same numbers at other places.
TEST(Verify, SaysWhereNamedPlacesWouldBeOthers) {
  for (const auto& [response, what] :
       {std::pair{"nodes.arm.2.position.z", "inner nodes"}, std::pair{"beams.arm.forces[1][4]", "integration points"},
        std::pair{"beams.arm.strains[1][4]", "integration points"}}) {
    const io::Deck deck = deck_of(fmt::format(
        "format: polhode-deck/1\n"
        "nodes: {{root: {{position: [0, 0, 0], fixed: true}}, tip: {{position: [1, 0, 0]}}}}\n"
        "sections: {{bar: {{stiffness: {{EA: 1.0e+6, GAy: 1.0e+6, GAz: 1.0e+6, GJ: 1.0e+3, EIy: 1.0e+3, EIz: 1.0e+3}}, "
        "mass: {{per_length: 1, inertia: [0.02, 0.01, 0.01]}}}}}}\n"
        "beams: {{arm: {{section: bar, from: root, to: tip, elements: 4}}}}\n"
        "forces: {{push: {{type: load, node: tip, force: [0, 0, 0.01]}}}}\n"
        "responses: {{q: {{last: \"{}\"}}}}\n"
        "analysis: {{type: static}}\n",
        response));
    const Verification found = verify_run(deck, run_deck(deck), {.elements = true});
    EXPECT_FALSE(found.errors.at(0).elements) << response;
    EXPECT_EQ(found.notes.at(0),
              fmt::format("elements are not verified: the deck names {} of beams.arm, which would be others", what));
  }
}

TEST(Verify, GivesNoEstimateWhereTheFinerRunEnds) {
  const io::Deck deck = top("0.002");
  const RunResult result = run_deck(deck);
  RunCallbacks callbacks;
  callbacks.interrupted = [] { return true; };
  const Verification found = verify_run(deck, result, {}, callbacks);
  EXPECT_TRUE(std::isnan(found.errors.at(0).all));
  EXPECT_EQ(found.notes.at(0), "no estimate: the run with half the step did not end well");
  EXPECT_NE(lines_of(found, result).at(0).find("error not known"), std::string::npos);
}

TEST(Verify, PrintsTheErrorBesideTheResponse) {
  RunResult result;
  result.responses = {{"peak", "N", "", 12.5}, {"flat", "m", "", 0}};
  Verification found;
  found.errors = {{"peak", 0.002, 0.001, 0.003}, {"flat", 1e-9, std::nullopt, 1e-9}};
  found.notes = {"a note"};
  EXPECT_EQ(lines_of(found, result),
            (std::vector<std::string>{"peak = 12.5 +- 0.003  (0.024 %): steps 0.002, elements 0.001",
                                      "flat = 0 +- 1e-09", "a note"}));
}

}  // namespace
}  // namespace polhode::run
