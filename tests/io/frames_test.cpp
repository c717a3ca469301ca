// SPDX-License-Identifier: BSD-3-Clause
// Entries and instances in the frames of nodes: where they stand, inner nodes of beams among the frames.
#include <gtest/gtest.h>

#include "deck_dump.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/model/builder.hpp"

namespace polhode::io {
namespace {

DeckSource framed_deck(const std::string& text) {
  return DeckSource("deck.yaml",
                    "format: polhode-deck/1\n" + text + "analysis: {type: transient, duration: 1, step: 0.1}\n");
}

const model::NodeEntry& framed_node(const Deck& deck, const std::string& name) {
  for (const model::NodeEntry& node : deck.model.nodes)
    if (node.name == name) return node;
  throw std::runtime_error("no node " + name);
}

const std::string turned_hub =
    "  hub: {position: [1, 2, 3], orientation: {matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}}\n";
const std::string rod_section = "sections: {s: {shape: circle, radius: 0.1, E: 1.0e+9, nu: 0.3, density: 1000}}\n";

// Any order: the last one is placed first.
TEST(Frames, NodesStandInTheFramesOfOthers) {
  const DeckSource source = framed_deck(
      "nodes:\n"
      "  third: {frame: nodes.second, position: [0, 0, 5]}\n"
      "  second: {frame: nodes.hub, position: [1, 0, 0], velocity: [0, 1, 0], orientation: {axis: [1, 0, 0], "
      "angle_deg: 90}}\n" +
      turned_hub);
  const Deck deck = source.read();
  EXPECT_LT((framed_node(deck, "second").position - math::Vec3(1, 3, 3)).norm(), 1e-15);
  EXPECT_LT((framed_node(deck, "second").velocity.value() - math::Vec3(-1, 0, 0)).norm(), 1e-15);
  // z of the second node is -y of the hub, which is x
  EXPECT_LT((framed_node(deck, "third").position - math::Vec3(6, 3, 3)).norm(), 1e-14);
  EXPECT_EQ(test::dump(DeckSource("flat.yaml", source.flat_text()).read()), test::dump(deck));
  EXPECT_EQ(source.flat_text().find("frame"), std::string::npos);
}

TEST(Frames, BeamsHavePointsAndDirectionsInThem) {
  const DeckSource source = framed_deck(
      "nodes:\n" + turned_hub + "  tip: {frame: nodes.hub, position: [4, 0, 0]}\n" + rod_section +
      "beams:\n"
      "  arm: {section: s, frame: nodes.hub, from: hub, to: tip, elements: 4, orientation: [0, 1, 0], points: [[1, 0, "
      "0.1], [2, 0, 0.2]]}\n"
      "  bow: {section: s, frame: nodes.hub, from: hub, to: tip, orientation: [0, 1, 0], arc: [2, 0, -1]}\n");
  const Deck deck = source.read();
  const model::Entry& arm = deck.model.entries[0];
  EXPECT_LT((arm.vector3("orientation") - math::Vec3(-1, 0, 0)).norm(), 1e-15);
  EXPECT_LT((math::Vec3(arm.matrix("points").row(1)) - math::Vec3(1, 4, 3.2)).norm(), 1e-15);
  EXPECT_LT((deck.model.entries[1].vector3("arc") - math::Vec3(1, 4, 2)).norm(), 1e-15);
  EXPECT_EQ(test::dump(DeckSource("flat.yaml", source.flat_text()).read()), test::dump(deck));
}

// The hub's x is inertial y, its y is inertial -x. What a follower load gives goes along with its node.
TEST(Frames, JointsAndForcesHavePointsAxesAndVectorsInThem) {
  const DeckSource source = framed_deck(
      "nodes:\n" + turned_hub + "  tip: {frame: nodes.hub, position: [4, 0, 0]}\n" +
      "bodies:\n  hub: {type: rigid_body, node: hub, mass: 1, inertia: [1, 1, 1]}\n"
      "  tip: {type: rigid_body, node: tip, mass: 1, inertia: [1, 1, 1]}\n"
      "joints:\n  pin: {type: revolute, frame: nodes.hub, connects: [hub, tip], at: [2, 0, 1], axis: [0, 1, 0]}\n"
      "  cross: {type: universal, frame: nodes.tip, connects: [ground, hub], at: [0, 0, 0], axes: [[1, 0, 0], [0, 1, "
      "0]]}\n"
      "forces:\n  push: {type: load, node: tip, frame: nodes.hub, force: [3, 0, 1]}\n"
      "  jet: {type: load, node: tip, frame: nodes.hub, force: [3, 0, 1], follower: true}\n");
  const Deck deck = source.read();
  const auto entry = [&](const std::string& name) -> const model::Entry& {
    for (const model::Entry& one : deck.model.entries)
      if (one.name == name && one.kind->family != model::Family::body) return one;
    throw std::runtime_error(name);
  };
  EXPECT_LT((entry("pin").vector3("at") - math::Vec3(1, 4, 4)).norm(), 1e-15);
  EXPECT_LT((entry("pin").vector3("axis") - math::Vec3(-1, 0, 0)).norm(), 1e-15);
  EXPECT_LT((entry("cross").vector3("at") - math::Vec3(1, 6, 3)).norm(), 1e-15);
  EXPECT_LT((entry("push").vector3("force") - math::Vec3(0, 3, 1)).norm(), 1e-15);
  EXPECT_LT((entry("jet").vector3("force") - math::Vec3(3, 0, 1)).norm(), 1e-15);
  EXPECT_EQ(test::dump(DeckSource("flat.yaml", source.flat_text()).read()), test::dump(deck));
}

// The frame is that of the node that the beam makes, whatever its shape, and also in an instance.
TEST(Frames, InnerNodesOfBeamsAreFrames) {
  const std::string beams =
      "    straight: {section: s, from: a, to: b, elements: 3, order: 2, orientation: [0, 1, 0.3]}\n"
      "    bow: {section: s, frame: nodes.a, from: a, to: b, elements: 4, arc: [2, 0.5, 1], orientation: [0, 1, 0]}\n";
  const Deck deck = framed_deck(
                        "parts:\n  pad: {nodes: {m: {position: [0, 0, 0]}}}\n"
                        "  frame:\n    nodes:\n"
                        "      a: {position: [0, 0, 0], orientation: {axis: [1, 1, 0], angle: 0.2}}\n"
                        "      b: {position: [4, 0, 1]}\n    beams:\n  " +
                        beams.substr(0, beams.find('\n') + 1) + "  " + beams.substr(beams.find('\n') + 1) +
                        "    sections: {s: {shape: circle, radius: 0.1, E: 1.0e+9, nu: 0.3, density: 1000}}\n"
                        "    instances: {own: {part: pad, frame: nodes.bow.2}}\n"
                        "instances:\n"
                        "  on: {part: pad, frame: nodes.f.straight.4}\n"
                        "  on_bow: {part: pad, frame: nodes.f.bow.2}\n"
                        "  f: {part: frame, at: [0.1, 0.2, 0.3], orientation: {axis: [0, 0, 1], angle: 0.4}}\n")
                        .read();
  model::Builder builder(deck.model);
  for (const model::Entry& entry : deck.model.entries) entry.kind->build(entry, builder);
  ASSERT_TRUE(builder.problems_.empty()) << builder.problems_[0].message;
  int found = 0;
  for (const auto& [inner, part] : {std::pair("f.straight.4", "on.m"), {"f.bow.2", "on_bow.m"}, {"f.bow.2", "f.own.m"}})
    for (const model::NodeData& node : builder.nodes_)
      if (node.name == inner) {
        ++found;
        EXPECT_EQ(node.position, framed_node(deck, part).position) << part;
        EXPECT_LT(node.orientation.angularDistance(framed_node(deck, part).orientation), 1e-15) << part;
      }
  EXPECT_EQ(found, 3);
}

}  // namespace
}  // namespace polhode::io
