// SPDX-License-Identifier: BSD-3-Clause
// Studies are read to what they state; what is wrong is refused before anything runs.
#include "polhode/io/deck/study.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "support/places.hpp"
#include "tests/support/study_text.hpp"

namespace polhode::io {
namespace {

using support::refusal_of_study;
using support::StudyFile;
using support::top_study;

TEST(Study, OfTheFourBarIsReadAsWritten) {
  const Study study = read_study(POLHODE_SOURCE_DIR "/inputs/studies/four_bar_misaligned.yaml");
  ASSERT_EQ(study.axes.size(), 2u);
  EXPECT_EQ(study.axes[0].path, "parameters.tilt");
  EXPECT_EQ(study.axes[0].size(), 20u);
  EXPECT_EQ(study.axes[0].number(0), 0.01);
  EXPECT_EQ(study.axes[0].number(19), 0.2);
  EXPECT_TRUE(study.axes[1].logarithmic);
  EXPECT_NEAR(study.axes[1].number(2), std::sqrt(1e5 * 1e6), 1e-9);
  EXPECT_EQ(study.cases(), 100u);
  EXPECT_EQ(study.keep, Study::Keep::responses);
  const Deck deck = study.deck.read();
  ASSERT_EQ(deck.responses.size(), 3u);
  EXPECT_EQ(deck.responses[1].of, "nodes.C_bc.position.z");
}

TEST(Study, MayVaryWhatTheDeckLeavesToItsDefaults) {
  StudyFile study("  analysis.newton.max_iterations: [5, 6]\n  output.every: [2]\n  initial.positions: [1.0e-4]\n");
  study.study.deck.set_value("output.every", "2");
  EXPECT_EQ(study.study.deck.read().output.every, 2);
}

// A value out of bounds is a matter of its case, also where it stands first and the deck does not name the key.
TEST(Study, LeavesValuesToTheirCases) {
  EXPECT_EQ(refusal_of_study(top_study("  analysis.newton.max_iterations: [-5, 6]\n  bodies.top.mass: [-1]\n")), "");
}

TEST(Study, TakesNoMemoryForTheValuesOfARange) {
  const StudyFile study("  bodies.top.mass: {linspace: [1, 3, 100000000]}\n");
  const Axis& mass = study.study.axes[0];
  EXPECT_EQ(study.study.cases(), 100000000u);
  EXPECT_EQ(mass.numbers.size(), 2u);
  EXPECT_EQ(mass.number(0), 1);
  EXPECT_NEAR(mass.number(50000000), 2, 1e-7);
  EXPECT_EQ(mass.number(99999999), 3);
}

TEST(Study, OfTooManyCasesIsRefusedWithTheirNumber) {
  EXPECT_EQ(refusal_of_study(top_study("  bodies.top.mass: {linspace: [0, 1, 1.0e+9]}\n")),
            "4:21: vary.bodies.top.mass.linspace: makes 1e+09 cases, and a study has at most 1e+08; take fewer values");
  EXPECT_EQ(refusal_of_study(top_study("  bodies.top.mass: {linspace: [1, 2, 100000]}\n"
                                       "  gravity.2: {logspace: [1, 2, 20000]}\n")),
            "3:1: vary: makes a grid of 2e+09 cases, and a study has at most 1e+08; take fewer values, or samples");
}

TEST(Study, VariesParametersOfTheDeckAlone) {
  const support::TemporaryFile deck("deck.yaml",
                                    "format: polhode-deck/1\nparameters: {length: 2}\n"
                                    "nodes: {a: {position: [0, 0, \"=length\"]}}\n"
                                    "bodies: {ball: {type: point_mass, node: a, mass: 1}}\n"
                                    "analysis: {type: transient, duration: 1, step: 0.1}\n");
  const std::string begin = "format: polhode-study/1\ndeck: " + deck.path + "\nvary:\n";
  EXPECT_EQ(refusal_of_study(begin + "  parameters.length: [1, 2]\n"), "");
  EXPECT_EQ(refusal_of_study(begin + "  parameters.lenght: [1, 2]\n"),
            "4:3: vary.parameters.lenght: the deck has no 'parameters.lenght'; did you mean 'parameters.length'?");
  EXPECT_EQ(refusal_of_study(top_study("  parameters.mass: [1, 2]\n")),
            "4:3: vary.parameters.mass: the deck has no 'parameters.mass'; it has no parameters at all");
}

TEST(Study, SaysWhereItsDeckIsMissingOrWrong) {
  EXPECT_EQ(refusal_of_study("format: polhode-study/1\ndeck: none.yaml\nvary: {a: [1]}\n").substr(0, 22),
            "2:1: deck: cannot read");
  const support::TemporaryFile deck("deck.yaml", "format: polhode-deck/1\nnodes: {a: {}}\n");
  EXPECT_NE(refusal_of_study("format: polhode-study/1\ndeck: " + deck.path + "\nvary: {a: [1]}\n")
                .find("2:9: nodes.a: 'position' is missing"),
            std::string::npos);
  EXPECT_NE(refusal_of_study("format: polhode-study/1\nvary: {a: [1]}\n").find("1:1: study: 'deck' is missing"),
            std::string::npos);
  EXPECT_NE(refusal_of_study("").find("a study begins with 'format: polhode-study/1'"), std::string::npos);
}

TEST(Study, IsKnownByWhatItsNumbersDependOn) {
  const auto identity = [](const std::string& rest) { return StudyFile(rest).study.identity; };
  const std::string base = "  bodies.top.mass: [1, 2]\n";
  EXPECT_EQ(identity(base), identity("  bodies.top.mass: [ 1,  2 ]  # a comment\ntitle: another\nkeep: all\n"));
  EXPECT_NE(identity(base), identity("  bodies.top.mass: [1, 3]\n"));
  EXPECT_NE(identity(base), identity(base + "sampling: zip\n"));
  EXPECT_NE(identity(base), identity(base + "responses: {e: {last: energy.total}}\n"));
}

TEST(Study, SchemaAndReferenceNameEachKey) {
  const std::string schema = study_schema();
  for (const char* key :
       {"vary", "sampling", "latin_hypercube", "sobol", "linspace", "logspace", "keep", "responses"}) {
    EXPECT_NE(schema.find("\"" + std::string(key) + "\": {"), std::string::npos) << key;
    EXPECT_NE(study_reference().find("| `" + std::string(key) + "` |"), std::string::npos) << key;
  }
  EXPECT_NE(schema.find("polhode-study/1"), std::string::npos);
  std::ifstream page(POLHODE_SOURCE_DIR "/docs/study.md");
  EXPECT_TRUE(study_reference() == std::string(std::istreambuf_iterator<char>(page), {}))
      << "docs/study.md is out of date: polhode schema study --markdown >docs/study.md";
}

}  // namespace
}  // namespace polhode::io
