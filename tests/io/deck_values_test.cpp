// SPDX-License-Identifier: BSD-3-Clause
// Values of a deck: numbers, expressions, orientations, functions of time, --set.
#include <gtest/gtest.h>

#include <numbers>

#include "polhode/model/catalog.hpp"
#include "tests/support/deck_text.hpp"

namespace polhode::io {
namespace {

using math::Vec3;
using support::deck_of;
using support::refusal_of;

constexpr double pi = std::numbers::pi;
const std::string head = "format: polhode-deck/1\n";
const std::string run = "analysis: {type: transient, duration: 1, step: 0.1}\n";

const analyses::TransientSettings& transient_of(const Deck& deck) {
  return *deck.analyses[0].as<analyses::TransientSettings>();
}
const std::string one_node = "nodes: {a: {position: [0, 0, 0]}}\n";

Deck with_node(const std::string& node, const std::string& more = "") {
  return deck_of(head + more + "nodes: {a: {position: [0, 0, 0], " + node + "}}\n" + run);
}

Vec3 position(const std::string& vector, const std::string& more = "") {
  return deck_of(head + more + "nodes: {a: {position: " + vector + "}}\n" + run).model.nodes[0].position;
}

model::TimeFunction history(const std::string& function) {
  const Deck deck = deck_of(head + one_node +
                            "forces: {f: {type: load, node: a, force: [1, 0, 0], history: " + function + "}}\n" + run);
  return deck.model.entries.back().function("history");
}

TEST(DeckValues, NumbersHaveAllSpellingsOfYaml) {
  EXPECT_EQ(position("[4e7, 4.0e+7, -.5]"), Vec3(4e7, 4e7, -0.5));
  EXPECT_EQ(position("[+1, 2., 1E-3]"), Vec3(1, 2, 1e-3));
  EXPECT_EQ(position("[007, 1.0e-400, -0.0]"), Vec3(7, 0, 0));
  for (const std::string wrong : {"0x10", "1_000", "1e", "--1", "1.2.3", ".", "e5", "~", "true", "1 2"})
    EXPECT_NE(refusal_of(head + "nodes: {a: {position: [" + wrong + ", 0, 0]}}\n" + run), "") << wrong;
}

TEST(DeckValues, ParametersMayReferToEachOtherInAnyOrder) {
  EXPECT_EQ(position("[\"=c\", \"=b\", \"=-a^2\"]", "parameters: {c: \"=a + b\", b: \"=2*a\", a: 3}\n"),
            Vec3(9, 6, -9));
  EXPECT_EQ(position("[\"=log(exp(1))\", \"=pi\", \"=1 < 2 ? 5 : 6\"]"), Vec3(1, pi, 5));
}

TEST(DeckValues, AChainOfManyParametersIsRead) {
  std::string parameters = "parameters:\n";
  for (int i = 0; i < 20000; ++i)
    parameters += "  p" + std::to_string(i) + ": \"=p" + std::to_string(i + 1) + " + 1\"\n";
  EXPECT_EQ(position("[\"=p0\", 0, 0]", parameters + "  p20000: 1\n"), Vec3(20001, 0, 0));
}

TEST(DeckValues, AnchorsAndAliasesStandForWhatTheyName) {
  const Deck deck = deck_of(head + "nodes:\n  a: {position: &p [1, 2, 3]}\n  b: {position: *p}\n" + run);
  EXPECT_EQ(deck.model.nodes[1].position, Vec3(1, 2, 3));
  EXPECT_EQ(deck.places.at("nodes.b.position").line, 4);
}

TEST(DeckValues, FiveFormsOfAnOrientationAgree) {
  const Eigen::Quaterniond expected(Eigen::AngleAxisd(pi / 2, Vec3::UnitZ()));
  for (const std::string form : {
           "quaternion: [\"=sqrt(0.5)\", 0, 0, \"=sqrt(0.5)\"]",
           "rotation_vector: [0, 0, \"=pi/2\"]",
           "rotation_vector_deg: [0, 0, 90]",
           "axis: [0, 0, 7], angle: \"=pi/2\"",
           "axis: [0, 0, 7], angle_deg: 90",
           "matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]",
           "x_axis: [0, 3, 0], y_axis: [-1, 5, 0]",
       }) {
    const Deck deck = with_node("orientation: {" + form + "}");
    EXPECT_LT(deck.model.nodes[0].orientation.angularDistance(expected), 1e-15) << form;
    EXPECT_NEAR(deck.model.nodes[0].orientation.norm(), 1, 1e-15) << form;
  }
}

TEST(DeckValues, FixedFreedomsAreThoseNamed) {
  EXPECT_EQ(with_node("fixed: [z, x]").model.nodes[0].fixed, (std::array<bool, 6>{true, false, true}));
  EXPECT_EQ(with_node("fixed: [rx, rz]").model.nodes[0].fixed,
            (std::array<bool, 6>{false, false, false, true, false, true}));
  EXPECT_EQ(with_node("fixed: false").model.nodes[0].fixed, (std::array<bool, 6>{}));
  EXPECT_TRUE(with_node("dofs: translation").model.nodes[0].translation_only);
}

TEST(DeckValues, FunctionsOfTimeHaveFourForms) {
  EXPECT_EQ(history("3")(7).value, 3);
  EXPECT_DOUBLE_EQ(history("\"=t^2\"")(3).first, 6);
  EXPECT_DOUBLE_EQ(history("{table: {time: [0, 2], value: [0, \"=2*5\"]}}")(0.5).value, 2.5);
  EXPECT_NEAR(history("{table: {time: [0, 1, 2], value: [0, 1, 0]}, interpolation: cubic}")(1).first, 0, 1e-15);
}

TEST(DeckValues, ColumnsOfAFileBesideTheDeckAreAFunctionOfTime) {
  for (const std::string columns : {"[t, a]", "[1, 3]"}) {
    const support::TemporaryFile csv("quake.csv", "t, b, a\n# a remark\n0, 9, 1\n\n2.0, 9, 5\r\n");
    const std::string deck = csv.path.substr(0, csv.path.rfind('/')) + "/deck.yaml";
    std::ofstream(deck) << head << one_node
                        << "forces: {f: {type: load, node: a, force: [1, 0, 0], history: {file: quake.csv, columns: " +
                               columns + "}}}\n"
                        << run;
    EXPECT_DOUBLE_EQ(read_deck(deck).model.entries.back().function("history")(1).value, 3) << columns;
  }
}

TEST(DeckValues, AnAngleMayBeGivenInDegrees) {
  const std::string joint = "joints: {j: {type: revolute, connects: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], ";
  for (const std::string form :
       {"rotation_deg: \"=t < 1 ? 90*t : 90\"", "rotation_deg: {table: {time: [0, 1], value: [0, 90]}}"}) {
    const Deck deck = deck_of(head + one_node + joint + form + "}}\n" + run);
    EXPECT_NEAR(deck.model.entries.back().function("rotation")(0.5).value, pi / 4, 1e-15) << form;
  }
}

TEST(DeckValues, AFullMassMatrixHasItsOffsetInTheOrderOfVelocities) {
  // m = 2, c = (0, 3, 0): m tilde(c) = [0 0 6; 0 0 0; -6 0 0].
  const Deck deck = deck_of(head + one_node +
                            "sections:\n  s:\n    stiffness: {EA: 1, GAy: 1, GAz: 1, GJ: 1, EIy: 1, EIz: 1}\n"
                            "    mass: [[2, 0, 0, 0, 0, -6], [0, 2, 0, 0, 0, 0], [0, 0, 2, 6, 0, 0],\n"
                            "           [0, 0, 6, 20, 0, 0], [0, 0, 0, 0, 1, 0], [-6, 0, 0, 0, 0, 20]]\n" +
                            run);
  EXPECT_EQ((deck.model.sections[0].mass.bottomLeftCorner<3, 3>()), 2 * math::tilde(Vec3(0, 3, 0)));
}

TEST(DeckValues, ASectionByShapeMayBeDamped) {
  const Deck deck = deck_of(head + one_node +
                            "sections:\n  s: {shape: circle, radius: 0.05, E: 1.0e+9, nu: 0.3, density: 1000, "
                            "damping: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}\n" +
                            run);
  EXPECT_NEAR(deck.model.sections[0].stiffness(0, 0), 1e9 * pi * 0.01 / 4, 1e-3);
  for (int i = 0; i < 6; ++i) EXPECT_DOUBLE_EQ(deck.model.sections[0].damping[i], 0.1 * (i + 1)) << i;
}

TEST(DeckValues, ASectionHasADampingInOneOfFourForms) {
  const auto section = [](const std::string& damping) {
    return deck_of(head + one_node +
                   "sections:\n  s: {shape: circle, radius: 0.05, E: 1.0e+9, nu: 0.3, density: 1000, " + damping +
                   "}\n" + run)
        .model.sections[0];
  };
  const model::SectionEntry one = section("damping: 0.1, mass_damping: 3");
  EXPECT_EQ(one.damping, math::Vec6::Constant(0.1));
  EXPECT_TRUE(one.damping_matrix.isZero(0));
  EXPECT_EQ(one.mass_damping, 3);

  const model::SectionEntry full = section(
      "mass_damping: 2, damping: [[1, 0, 0, 0, 0, 0.5], [0, 2, 0, 0, 0, 0], [0, 0, 3, 0, 0, 0], [0, 0, 0, 4, 0, 0], "
      "[0, 0, 0, 0, 0, 0], [0.5, 0, 0, 0, 0, 6]]");
  math::Mat6 D = math::Mat6::Zero();
  D.diagonal() << 1, 2, 3, 4, 0, 6;
  D(0, 5) = D(5, 0) = 0.5;
  EXPECT_EQ(full.damping_matrix, D);
  EXPECT_TRUE(full.damping.isZero(0));
  EXPECT_EQ(full.mass_damping, 2);

  // ratio(f) = alpha/(4 pi f) + pi tau f
  for (const std::string frequencies : {"[2, 20]", "[20, 2]", "[\"=1+1\", 20]"}) {
    const model::SectionEntry ratio = section("damping: {ratio: 0.03, frequencies: " + frequencies + "}");
    EXPECT_EQ(ratio.damping, math::Vec6::Constant(ratio.damping[0]));
    EXPECT_TRUE(ratio.damping_matrix.isZero(0));
    for (const double f : {2.0, 20.0})
      EXPECT_NEAR(ratio.mass_damping / (4 * pi * f) + pi * ratio.damping[0] * f, 0.03, 1e-16);
  }
}

TEST(DeckValues, InitialMotionIsForAllOrForTheNamedParts) {
  const Deck deck = deck_of(head + one_node + "bodies: {b: {type: point_mass, node: a, mass: 1}}\n" +
                            "initial_motion:\n  - {velocity: [1, 0, 0]}\n"
                            "  - {angular_velocity: [0, 0, 2], about: [0, 1, 0], bodies: [b], nodes: [a]}\n" +
                            run);
  ASSERT_EQ(deck.model.initial_motion.size(), 2u);
  EXPECT_TRUE(deck.model.initial_motion[0].everything);
  EXPECT_FALSE(deck.model.initial_motion[1].everything);
  EXPECT_EQ(deck.model.initial_motion[1].bodies, std::vector<std::string>{"b"});
}

TEST(DeckValues, WhatTheDeckAsksForHasItsDefaults) {
  const Deck deck = deck_of(head + one_node + run);
  EXPECT_EQ(transient_of(deck).newton.max_iterations, integrators::NewtonSettings{}.max_iterations);
  EXPECT_EQ(transient_of(deck).newton.predictor, integrators::NewtonSettings::Predictor::extrapolate);
  EXPECT_FALSE(transient_of(deck).integrator.rho_infinity);
  EXPECT_EQ(deck.output.every, 1);
  EXPECT_TRUE(deck.output.fields.empty());
}

TEST(DeckValues, ResponsesNameAResult) {
  const Deck deck =
      deck_of(head + one_node + run +
              "output: {every: 3, fields: [nodes, energy]}\n"
              "responses: {peak: {max_abs: nodes.a.position}, then: {at: {time: 0.5, of: energy.total}}}\n");
  ASSERT_EQ(deck.responses.size(), 2u);
  EXPECT_EQ(deck.responses[0].kind, results::Response::Kind::max_abs);
  EXPECT_EQ(deck.responses[1].of, "energy.total");
  EXPECT_EQ(deck.responses[1].time, 0.5);
  EXPECT_EQ(deck.output.every, 3);
}

TEST(DeckSettings, ReplaceAddAndReachIntoLists) {
  const std::string list = head + one_node + "analysis: [{type: transient, duration: 1, step: 0.1}]\n";
  const Deck deck = deck_of(list, {"analysis.0.step=0.05", "analysis.0.newton.halvings=0",
                                   "nodes.a.position=[1, 2, \"=2+1\"]", "nodes.a.position.0==sqrt(16)"});
  EXPECT_EQ(transient_of(deck).step, 0.05);
  EXPECT_EQ(transient_of(deck).newton.halvings, 0);
  EXPECT_EQ(deck.model.nodes[0].position, Vec3(4, 2, 3));
}

TEST(DeckSettings, TheTextOfTheResultsIsTheDeckThatWasRun) {
  const Deck first =
      deck_of(head + "description: |\n  two lines:\n  \"quoted\"\n" + one_node + "parameters: {a: 2}\n" + run,
              {"analysis.step=0.05", "parameters.b==a*3", "gravity=[0, 0, \"=b\"]"});
  const Deck second = deck_of(first.text);
  EXPECT_EQ(transient_of(second).step, 0.05);
  EXPECT_EQ(second.model.gravity, Vec3(0, 0, 6));
  EXPECT_EQ(second.description, "two lines:\n\"quoted\"\n");
}

TEST(DeckValues, OutputTimesAreSortedAndNamedTwiceStoredOnce) {
  const Deck deck = deck_of(head + one_node + run + "output: {times: [0.5, 0.1, \"=0.1 + 0.2\", 0.3, 0.5]}\n");
  ASSERT_EQ(deck.output.times.size(), 3u);
  EXPECT_EQ(deck.output.times[0], 0.1);
  EXPECT_EQ(deck.output.times[2], 0.5);
}

// A key that is missing stores all; one with an empty list says something else.
TEST(DeckValues, OutputListsWithoutEntriesAreRefused) {
  for (const std::string key : {"times", "fields"}) {
    const std::string refusal = refusal_of(head + one_node + run + "output: {" + key + ": []}\n", {});
    EXPECT_NE(refusal.find("output." + key + ": the list is empty; give a "), std::string::npos) << refusal;
    EXPECT_NE(refusal.find("or remove it"), std::string::npos) << refusal;
  }
}

TEST(DeckSettings, AnUnknownKeyIsRefusedLikeOneInTheFile) {
  EXPECT_EQ(refusal_of(head + one_node + run, {"analysis.stepp=1"}),
            "0:0: analysis.stepp: unknown key 'stepp'; did you mean 'step'? (given by --set)");
  EXPECT_EQ(refusal_of(head + one_node + run, {"analysis.step=-1"}),
            "0:0: analysis.step: must be in (0, inf), is -1 (given by --set)");
}

TEST(DeckSettings, AParameterThatNothingUsesIsRefusedWithTheNearestName) {
  const std::string deck = head + "parameters: {length: 2, unused: 1}\n" + one_node + run;
  EXPECT_EQ(refusal_of(deck, {"parameters.length=3", "parameters.unused=4"}), "");
  EXPECT_EQ(refusal_of(deck, {"parameters.lenght=3"}),
            "0:0: parameters.lenght: the deck has no parameter 'lenght', and no expression uses it; did you mean "
            "'length'? (given by --set)");
  EXPECT_NE(refusal_of(deck, {"parameters={lenght: 3, length: 2}"}), "");
  EXPECT_EQ(refusal_of(head + one_node + run, {"parameters.k=3"}),
            "0:0: parameters.k: the deck has no parameter 'k', and no expression uses it; it has no parameters at all "
            "(given by --set)");
  EXPECT_EQ(refusal_of(head + one_node + run, {"parameters.k=3", "gravity=[0, 0, \"=k\"]"}), "");
}

TEST(DeckSettings, AMessageIsOneLine) {
  EXPECT_EQ(refusal_of(head + "? \"a\\nb\"\n: 1\n" + one_node + run).find('\n'), std::string::npos);
}

TEST(DeckSettings, WhatIsNoSettingIsWrongUsage) {
  for (const std::string wrong : {"analysis.step", "=1", "a..b=1", "analysis.step.x=1", "analysis.step=[1"})
    EXPECT_THROW(deck_of(head + one_node + run, {wrong}), SettingError) << wrong;
}

}  // namespace
}  // namespace polhode::io
