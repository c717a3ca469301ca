// SPDX-License-Identifier: BSD-3-Clause
// Parts and their instances: the flat deck that they make, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

#include "deck_dump.hpp"
#include "polhode/io/deck/deck.hpp"

namespace polhode::io {
namespace {

const std::string deck_begin = "format: polhode-deck/1\n";
const std::string deck_end = "analysis: {type: transient, duration: 1, step: 0.1}\n";

Deck deck_of_parts(const std::string& text, const std::vector<std::string>& settings = {}) {
  DeckSource source("deck.yaml", deck_begin + text + deck_end);
  for (const std::string& setting : settings) source.set(setting);
  return source.read();
}

std::string flat_text_of(const std::string& text) {
  return DeckSource("deck.yaml", deck_begin + text + deck_end).flat_text();
}

// The messages with which a deck is refused, "" where it is read.
std::string refusal_of_parts(const std::string& text, const std::vector<std::string>& settings = {}) {
  try {
    deck_of_parts(text, settings);
    return "";
  } catch (const DeckError& error) {
    return error.what();
  }
}

const std::string leg_part =
    "parts:\n"
    "  leg:\n"
    "    parameters: {length: 2, foot_mass: \"=3*length\", axis: [0, 1, 0]}\n"
    "    nodes:\n"
    "      hip: {position: [0, 0, 0]}\n"
    "      foot: {position: [\"=length\", 0, 0], velocity: [0, 1, 0]}\n"
    "    bodies:\n"
    "      hip: {type: rigid_body, node: hip, mass: 1, inertia: [1, 1, 1]}\n"
    "      foot: {type: rigid_body, node: foot, mass: \"=foot_mass\", inertia: [1, 1, 1]}\n"
    "    joints:\n"
    "      knee: {type: revolute, connects: [hip, foot], at: [1, 0, 0], axis: \"=axis\"}\n"
    "      root: {type: revolute, connects: [base, hip], at: [0, 0, 0], axis: [0, 0, 1]}\n";
const std::string base_entries =
    "nodes: {base: {position: [0, 0, 5], fixed: true}}\n"
    "bodies: {base: {type: rigid_body, node: base, mass: 1, inertia: [1, 1, 1]}}\n";

TEST(Parts, ExpandedDeckIsTheFlatDeckToTheLastBit) {
  const std::string text = leg_part + base_entries +
                           "instances:\n"
                           "  a: {part: leg, at: [1, 0, 5]}\n"
                           "  b: {part: leg, orientation: {axis: [0, 0, 1], angle_deg: 90}, parameters: {length: 4}}\n";
  const Deck by_parts = deck_of_parts(text);
  const Deck written = DeckSource("flat.yaml", flat_text_of(text)).read();
  EXPECT_EQ(test::dump(by_parts), test::dump(written));
  EXPECT_EQ(by_parts.model.nodes.size(), 5u);
}

TEST(Parts, PointsAreMovedAndTurnedAndDirectionsTurned) {
  const Deck read =
      deck_of_parts(leg_part + base_entries +
                    "instances: {a: {part: leg, at: [1, 2, 3], orientation: {matrix: [[0, -1, 0], [1, 0, 0], "
                    "[0, 0, 1]]}}}\n");
  const auto named = [&](const std::string& name) {
    for (const model::NodeEntry& node : read.model.nodes)
      if (node.name == name) return node;
    throw std::runtime_error("no node " + name);
  };
  // A quarter turn takes x to y, up to the round-off of a rotation
  EXPECT_LT((named("a.foot").position - math::Vec3(1, 4, 3)).norm(), 1e-15);
  EXPECT_LT((named("a.foot").velocity.value() - math::Vec3(-1, 0, 0)).norm(), 1e-15);
  EXPECT_LT(
      named("a.foot").orientation.angularDistance(Eigen::Quaterniond(Eigen::AngleAxisd(M_PI / 2, math::Vec3::UnitZ()))),
      1e-15);
  for (const model::Entry& entry : read.model.entries)
    if (entry.path() == "joints.a.knee") {
      EXPECT_LT((entry.vector3("axis") - math::Vec3(-1, 0, 0)).norm(), 1e-15);
      EXPECT_LT((entry.vector3("at") - math::Vec3(1, 3, 3)).norm(), 1e-15);
      EXPECT_EQ(entry.names("connects"), (std::vector<std::string>{"a.hip", "a.foot"}));
    }
}

// A quarter turn about z; rates of the joint's own axes are scalars.
TEST(Parts, InitialRotationsOfJointsTurnWithThePart) {
  const Deck read = deck_of_parts(
      "parts:\n  arm:\n    nodes: {tip: {position: [1, 0, 0]}}\n    bodies: {tip: {type: rigid_body, node: tip, mass: "
      "1, "
      "inertia: [1, 1, 1]}}\n    joints: {ball: {type: spherical, connects: [ground, tip], at: [0, 0, 0], initial: "
      "{rotation_vector: [0.5, 0, 0.1], angular_velocity: [0, 2, 0]}}}\n" +
      base_entries +
      "instances: {a: {part: arm, at: [1, 2, 3], orientation: {matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}}}\n");
  for (const model::Entry& entry : read.model.entries)
    if (entry.path() == "joints.a.ball") {
      EXPECT_LT((entry.vector3("initial.rotation_vector") - math::Vec3(0, 0.5, 0.1)).norm(), 1e-15);
      EXPECT_LT((entry.vector3("initial.angular_velocity") - math::Vec3(-2, 0, 0)).norm(), 1e-15);
    }
}

TEST(Parts, FollowerLoadsKeepTheirComponents) {
  const std::string text = flat_text_of(
      "parts:\n"
      "  mass:\n"
      "    nodes: {m: {position: [0, 0, 0]}}\n"
      "    bodies: {m: {type: rigid_body, node: m, mass: 1, inertia: [1, 1, 1]}}\n"
      "    forces:\n"
      "      own: {type: load, node: m, force: [1, 0, 0], follower: true}\n"
      "      space: {type: load, node: m, force: [1, 0, 0]}\n"
      "instances: {a: {part: mass, orientation: {matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}}}\n");
  EXPECT_NE(text.find("force: [1, 0, 0]\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("force: [1, 0, 0]\n"), text.rfind("force: [1, 0, 0]\n")) << text;
}

TEST(Parts, CopiesHaveNumbersAndNestedPartsHaveBothNames) {
  const Deck read = deck_of_parts(
      "parts:\n"
      "  bead: {nodes: {m: {position: [0, 0, 1]}}, bodies: {m: {type: point_mass, node: m, mass: 1}}}\n"
      "  pair: {instances: {left: {part: bead}, right: {part: bead, at: [0, 7, 0]}}}\n"
      "instances: {row: {part: pair, repeat: 3, at: [\"=2*i\", 0, 0]}}\n");
  ASSERT_EQ(read.model.nodes.size(), 6u);
  EXPECT_EQ(read.model.nodes[5].name, "row.2.right.m");
  EXPECT_EQ(read.model.nodes[5].position, math::Vec3(4, 7, 1));
}

TEST(Parts, FramesOfNodesAreThoseOfTheFlatDeck) {
  const Deck read = deck_of_parts(
      "parts:\n"
      "  bead: {nodes: {m: {position: [1, 0, 0]}}, bodies: {m: {type: rigid_body, node: m, mass: 1, inertia: [1, 1, "
      "1]}}}\n"
      "instances:\n"
      "  second: {part: bead, frame: nodes.first.m, at: [1, 0, 0]}\n"
      "  first: {part: bead, at: [0, 0, 3], orientation: {matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}}\n");
  for (const model::NodeEntry& node : read.model.nodes)
    if (node.name == "second.m") {
      EXPECT_LT((node.position - math::Vec3(0, 3, 3)).norm(), 1e-15);
    }
}

TEST(Parts, SettingsReachParametersOfInstances) {
  const std::string text = leg_part + base_entries + "instances: {a: {part: leg, parameters: {length: 2}}}\n";
  EXPECT_EQ(deck_of_parts(text, {"instances.a.parameters.length=7"}).model.nodes.back().position, math::Vec3(7, 0, 0));
  EXPECT_EQ(deck_of_parts(text, {"parts.leg.parameters.foot_mass=9"}).model.nodes.back().position, math::Vec3(2, 0, 0));
  EXPECT_NE(refusal_of_parts(text, {"instances.a.parameters.lenght=7"})
                .find("part 'leg' has no parameter 'lenght'; did you mean 'length'?"),
            std::string::npos);
}

TEST(Parts, VectorsAndMatricesAreParameters) {
  const Deck read = deck_of_parts(
      "parameters: {p: [1, 2, 3], J: [[1, 0, 0], [0, 2, 0], [0, 0, 2]]}\n"
      "nodes: {m: {position: \"=p\"}}\n"
      "bodies: {m: {type: rigid_body, node: m, mass: \"=p[2] + J[1][1]\", inertia: \"=J\"}}\n");
  EXPECT_EQ(read.model.nodes[0].position, math::Vec3(1, 2, 3));
  EXPECT_EQ(read.model.entries[0].number("mass"), 5);
  EXPECT_EQ(read.model.entries[0].matrix3("inertia"), math::Mat3(math::Vec3(1, 2, 2).asDiagonal()));
}

TEST(Parts, MergeKeysFillInWhatIsMissing) {
  const Deck read = deck_of_parts(
      "nodes:\n"
      "  a: &a {position: [1, 0, 0], velocity: [0, 0, 1]}\n"
      "  b: {<<: *a, position: [2, 0, 0]}\n"
      "bodies:\n"
      "  a: {type: point_mass, node: a, mass: 1}\n"
      "  b: {type: point_mass, node: b, mass: 1}\n");
  EXPECT_EQ(read.model.nodes[1].position, math::Vec3(2, 0, 0));
  EXPECT_EQ(read.model.nodes[1].velocity.value(), math::Vec3(0, 0, 1));
}

TEST(Parts, PartsThatPlaceThemselvesAreNamed) {
  const std::string text = refusal_of_parts(
      "parts:\n"
      "  a: {instances: {b: {part: b}}}\n"
      "  b: {instances: {a: {part: a}}}\n"
      "instances: {x: {part: a}}\n" +
      base_entries);
  EXPECT_NE(text.find("part 'a' contains itself: a -> b -> a"), std::string::npos) << text;
}

TEST(Parts, FaultsStandAtTheirPlaceInThePartAndNameTheInstance) {
  EXPECT_EQ(refusal_of_parts("parts:\n"
                             "  bead:\n"
                             "    nodes: {m: {position: [0, 0]}}\n"
                             "    bodies: {m: {type: point_mass, node: m, mass: 1}}\n"
                             "instances: {a: {part: bead}}\n"),
            "deck.yaml:4:17: nodes.a.m.position: expected a list of 3 numbers, found a list of 2");
  EXPECT_EQ(refusal_of_parts("instances: {a: {part: bed}}\nparts: {bead: {nodes: {m: {position: [0, 0, 0]}}}}\n" +
                             base_entries),
            "deck.yaml:2:17: instances.a.part: there is no part 'bed'; did you mean 'bead'?");
}

TEST(Parts, PlacedNumbersAreWrittenWithAllTheirDigits) {
  const std::string text = leg_part + base_entries +
                           "instances: {a: {part: leg, at: [0.1, 0.2, 0.3], orientation: {rotation_vector: [0.1, 0.2, "
                           "0.3]}}}\n";
  const Deck by_parts = deck_of_parts(text);
  const Deck written = DeckSource("flat.yaml", flat_text_of(text)).read();
  for (std::size_t i = 0; i < by_parts.model.nodes.size(); ++i) {
    EXPECT_EQ(by_parts.model.nodes[i].position, written.model.nodes[i].position);
    EXPECT_EQ(by_parts.model.nodes[i].orientation.coeffs(), written.model.nodes[i].orientation.coeffs());
  }
}

TEST(Parts, VectorsOfTheDeckAndOfPartsStandInExpressionsOfParts) {
  const Deck read = deck_of_parts(
      "parameters: {n: 2, p: [1, \"=n\", 3], q: [\"=2*p[1]\", 0, 0]}\n"
      "parts:\n"
      "  bead:\n"
      "    parameters: {n: 5, s: [0, \"=n\", 1e1]}\n"
      "    nodes: {m: {position: \"=s\", velocity: [\"=p[2] + s[1]\", \"=n\", \"=1e1*n\"]}}\n"
      "    bodies: {m: {type: point_mass, node: m, mass: \"=n*q[0]\"}}\n"
      "instances: {a: {part: bead}, b: {part: bead, parameters: {s: [1, 2, 3]}}}\n");
  EXPECT_EQ(read.model.nodes[0].position, math::Vec3(0, 5, 10));
  EXPECT_EQ(read.model.nodes[0].velocity.value(), math::Vec3(8, 5, 50));
  EXPECT_EQ(read.model.nodes[1].position, math::Vec3(1, 2, 3));
  EXPECT_EQ(read.model.entries[0].number("mass"), 20);
  EXPECT_EQ(refusal_of_parts("parameters: {p: [1, 2, 3]}\nnodes: {m: {position: [\"=p[3]\", \"=2*p\", 0]}}\n"
                             "bodies: {m: {type: point_mass, node: m, mass: 1}}\n"),
            "deck.yaml:3:24: nodes: in '=p[3]': 'p' is a list of 3, counted from 0\n"
            "deck.yaml:3:33: nodes: in '=2*p': 'p' is a list of 3; name a component, p[0]");
}

TEST(Parts, TheSameFaultInManyInstancesIsOneLine) {
  const std::string text = refusal_of_parts(
      "parts:\n"
      "  bead:\n"
      "    nodes: {m: {position: [0, 0]}}\n"
      "    bodies: {m: {type: point_mass, node: m, mass: 1}}\n"
      "instances: {row: {part: bead, repeat: 1000}}\n");
  EXPECT_EQ(
      text,
      "deck.yaml:4:17: nodes.row.0.m.position: expected a list of 3 numbers, found a list of 2 (the same for 999 "
      "more: nodes.row.1.m.position, nodes.row.2.m.position, nodes.row.3.m.position, nodes.row.4.m.position, ...)");
}

TEST(Parts, CopiesWithoutEndAreRefused) {
  std::string text = "parts:\n  p0: {}\n";
  for (int i = 1; i < 40; ++i)
    text += "  p" + std::to_string(i) + ": {instances: {a: {part: p" + std::to_string(i - 1) + "}, b: {part: p" +
            std::to_string(i - 1) + "}}}\n";
  const std::string said = refusal_of_parts(text + "instances: {x: {part: p39}}\n");
  EXPECT_NE(said.find("is more than 1000000 instances in all; place fewer"), std::string::npos) << said.substr(0, 300);
}

TEST(Parts, TenThousandInstancesAreReadInASecond) {
  const std::string text =
      "parts: {bead: {nodes: {m: {position: [0, 0, 1]}}, bodies: {m: {type: point_mass, node: m, mass: 1}}}}\n"
      "instances: {row: {part: bead, repeat: 10000, at: [\"=0.2*i\", 0, 0]}}\n";
  const std::clock_t begin = std::clock();
  EXPECT_EQ(deck_of_parts(text).model.nodes.size(), 10000u);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  RecordProperty("cpu_seconds", std::to_string(seconds));
#ifdef NDEBUG
  EXPECT_LT(seconds, 1);
#endif
}

}  // namespace
}  // namespace polhode::io
