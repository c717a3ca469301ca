// SPDX-License-Identifier: BSD-3-Clause
// Decks with parts as their users run them: the flat deck, settings and studies of instances, and the turbine.
#include <gtest/gtest.h>

#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "polhode/run/check.hpp"
#include "support/program.hpp"

namespace polhode::support {
namespace {

using io::ResultsReader;

const std::string deck_of_two_legs = R"(format: polhode-deck/1
gravity: [0, 0, -9.81]
parts:
  leg:
    parameters: {length: 1, stiffness: 100}
    nodes:
      hip: {position: [0, 0, 0]}
      foot: {position: ["=length", 0, 0.1]}
    bodies: {hip: {type: rigid_body, node: hip, mass: 0.7, inertia: [0.01, 0.02, 0.03]}}
    sections:
      rod: {shape: circle, radius: 0.01, E: 2.1e+9, nu: 0.3, density: 1000, damping: 0.001}
    beams: {rod: {section: rod, from: hip, to: foot, elements: 2, order: 2, orientation: [0, 1, 0.2]}}
    joints: {hip: {type: revolute, connects: [base, hip], at: [0, 0, 0], axis: [0.1, 1, 0], stiffness: "=stiffness"}}
    forces:
      pull: {type: load, node: rod.2, force: [1, 2, 3]}
      foot: {type: load, node: foot, force: [0, 0, 1], follower: true}
nodes:
  base: {position: [0, 0, 2], orientation: {axis: [1, 2, 3], angle: 0.3}}
bodies:
  base: {type: rigid_body, node: base, mass: 5, inertia: [1, 1, 1]}
joints:
  held: {type: fixed, connects: [ground, base]}
instances:
  leg: {part: leg, repeat: 2, frame: nodes.base, at: [0.1, "=0.3*i", 0], orientation: {axis: [0, 0, 1], angle: "=0.7*i"}}
analysis: {type: transient, duration: 0.1, step: 0.01}
responses:
  hip: {last: joints.leg.1.hip.coordinates}
  foot: {last: nodes.leg.0.foot.position.z}
  bend: {max_abs: beams.leg.0.rod.forces}
)";

// All histories of two results, bit by bit.
void expect_same_bits(const ResultsReader& a, const ResultsReader& b) {
  for (const char* path : {"/time", "/nodes/position", "/nodes/rotation", "/nodes/velocity", "/nodes/acceleration",
                           "/nodes/angular_velocity", "/beams/forces", "/beams/strains", "/joints/force",
                           "/joints/moment", "/energy/total"}) {
    ASSERT_TRUE(a.has(path)) << path;
    EXPECT_EQ(a.numbers(path), b.numbers(path)) << path;
  }
  EXPECT_EQ(a.texts("/nodes/names"), b.texts("/nodes/names"));
}

// Runs a deck of the workshop and what `check --expand` makes of it.
void expect_same_flat_run(const Workshop& workshop, const std::string& options = "") {
  const Outcome flat = workshop.polhode("check --expand deck.yaml");
  ASSERT_EQ(flat.status, 0) << flat.err;
  for (const char* key : {"parts:", "instances:"}) EXPECT_FALSE(contains(flat.out, std::string("\n") + key));
  workshop.write("flat.yaml", flat.out);
  for (const std::string deck : {"deck", "flat"}) {
    const Outcome outcome = workshop.polhode("run " + deck + ".yaml --responses " + deck + ".json " + options);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }
  expect_same_bits(ResultsReader(workshop.file("deck.h5")), ResultsReader(workshop.file("flat.h5")));
  EXPECT_EQ(content_of(workshop.file("deck.json")), content_of(workshop.file("flat.json")));
  // A flat deck stays as it is.
  EXPECT_EQ(workshop.polhode("check --expand flat.yaml").out, flat.out);
}

TEST(RunsOfParts, HaveTheBitsOfTheFlatDeck) {
  const Workshop workshop;
  workshop.write("deck.yaml", deck_of_two_legs);
  expect_same_flat_run(workshop);
}

TEST(RunsOfParts, OfTheTurbineHaveTheBitsOfTheFlatDeck) {
  const Workshop workshop;
  workshop.write("deck.yaml", content_of(shipped("examples/turbine.yaml")));
  expect_same_flat_run(workshop, "--set analysis.1.duration=0.1 --set parameters.T=0.1");
}

TEST(RunsOfParts, TheBaseOfTheTurbineCarriesItsWeight) {
  const Workshop workshop;
  const std::string file = shipped("examples/turbine.yaml");
  const run::ModelSummary summary = run::check_deck(io::read_deck(file));
  const Outcome outcome = workshop.polhode("run '" + file + "' -o turbine.h5 --set analysis='{type: static}'");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::vector<double> force = ResultsReader(workshop.file("turbine.h5")).numbers("/reactions/base/force");
  ASSERT_GE(force.size(), 3u);
  // Newton's method ends at increments of 1e-8.
  const double weight = summary.masses.front().mass * 9.81;
  EXPECT_NEAR(force.back() / weight, 1, 1e-8);
  EXPECT_NEAR(force[force.size() - 3] / weight, 0, 1e-8);
  EXPECT_NEAR(force[force.size() - 2] / weight, 0, 1e-8);
}

TEST(RunsOfParts, SettingsReachEntriesOfInstances) {
  const Workshop workshop;
  workshop.write("deck.yaml", deck_of_two_legs);
  const std::string set = "--set parts.leg.parameters.length=1.5 --set bodies.leg.1.hip.mass=3 ";
  ASSERT_EQ(workshop.polhode("run deck.yaml " + set).status, 0);
  const io::Deck deck = io::DeckSource("deck.yaml", ResultsReader(workshop.file("deck.h5")).text("/deck")).read();
  EXPECT_EQ(deck.model.nodes.back().name, "leg.1.foot");
  for (const model::Entry& entry : deck.model.entries) {
    if (entry.path() == "bodies.leg.0.hip") {
      EXPECT_EQ(entry.number("mass"), 0.7);
    } else if (entry.path() == "bodies.leg.1.hip") {
      EXPECT_EQ(entry.number("mass"), 3);
    }
  }
  const Outcome wrong = workshop.polhode("run deck.yaml --set instances.leg.parameters.lenght=2");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(contains(wrong.err,
                       "instances.leg.parameters.lenght: part 'leg' has no parameter 'lenght'; did you mean "
                       "'length'? (given by --set)"))
      << wrong.err;
  const Outcome unused = workshop.polhode("run deck.yaml --set parts.leg.parameters.lenght=2");
  EXPECT_EQ(unused.status, 2);
  EXPECT_TRUE(contains(unused.err, "part 'leg' has no parameter 'lenght', and no expression uses it; did you mean"))
      << unused.err;
}

TEST(RunsOfParts, StudiesVaryParametersAndEntriesOfInstances) {
  const Workshop workshop;
  workshop.write("deck.yaml", deck_of_two_legs);
  const std::string head =
      "format: polhode-study/1\ndeck: deck.yaml\nresponses: {foot_x: {last: nodes.leg.0.foot.position.x}}\nvary: {";
  workshop.write("study.yaml", head +
                                   "instances.leg.parameters.length: [1, 2], bodies.leg.0.hip.mass: [1, 2], "
                                   "parts.leg.parameters.stiffness: [50]}\n");
  const Outcome outcome = workshop.polhode("sweep study.yaml --jobs 1");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Outcome printed = workshop.polhode("sweep study.yaml --print-case 3");
  EXPECT_TRUE(contains(printed.out, "mass: 2\n")) << printed.out;
  workshop.write("study.yaml", head +
                                   "instances.leg.parameters.lenght: [1, 2], bodies.leg.0.hop.mass: [1],\n"
                                   " parts.leg.parameters.stiffnes: [1]}\n");
  const Outcome wrong = workshop.polhode("sweep study.yaml");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(contains(wrong.err, "study.yaml:4:8: vary.instances.leg.parameters.lenght: the deck has no"))
      << wrong.err;
  EXPECT_TRUE(contains(wrong.err, "vary.bodies.leg.0.hop.mass: the deck has no 'bodies.leg.0.hop.mass'")) << wrong.err;
  EXPECT_TRUE(contains(wrong.err, "study.yaml:5:2: vary.parts.leg.parameters.stiffnes: the deck has no")) << wrong.err;
}

}  // namespace
}  // namespace polhode::support
