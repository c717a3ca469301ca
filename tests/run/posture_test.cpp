// SPDX-License-Identifier: BSD-3-Clause
// Joint coordinates as initial values of decks: closed forms, decks that are written in the posture, what is refused.
#include "polhode/analyses/initial/posture.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "polhode/run/check.hpp"
#include "polhode/run/run.hpp"
#include "run/decks.hpp"
#include "support/models.hpp"

namespace polhode::run::posture_test {
namespace {

using math::Vec3;
using model::State;

const std::string head = "format: polhode-deck/1\ngravity: [0, -9.81, 0]\n";
const std::string run_text =
    "analysis: {type: transient, duration: 0.5, step: 0.002, integrator: {method: lie_alpha, rho_infinity: 0.9}}\n";

// The state where a deck starts, and its system.
struct Start {
  explicit Start(const std::string& deck) : machine(support::deck_of(deck).model), q(machine.system.initial_state()) {
    found = analyses::set_coordinates(machine.system, q, report, problems);
  }
  const Vec3& position(std::size_t node) const { return q.x[node]; }
  Vec3 turn_rate(std::size_t node) const { return q.R[node] * q.v[node].tail<3>(); }

  support::Machine machine;
  State q;
  analyses::PostureReport report;
  model::Problems problems;
  bool found = false;
};

// Two rods of 1 m along x on hinges about z; nodes in their middles.
std::string hinged_rods(const std::string& first, const std::string& second, const std::string& more = "") {
  return head +
         "nodes: {a: {position: [0.5, 0, 0]}, b: {position: [1.5, 0, 0]}}\n"
         "bodies:\n"
         "  a: {type: rigid_body, node: a, mass: 1, inertia: [1e-3, 0.08, 0.08]}\n"
         "  b: {type: rigid_body, node: b, mass: 1, inertia: [1e-3, 0.08, 0.08]}\n"
         "joints:\n"
         "  A: {type: revolute, connects: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]" +
         first + "}\n  B: {type: revolute, connects: [a, b], at: [1, 0, 0], axis: [0, 0, 1]" + second + "}\n" + more +
         run_text;
}

TEST(Posture, DoublePendulumStandsWhereItsAnglesAre) {
  for (const double one : {2.5, -2.5})
    for (const double two : {2.5, -2.5, 0.4}) {
      const Start start(hinged_rods(fmt::format(", initial: {{angle: {}, rate: 1.5}}", one),
                                    fmt::format(", initial: {{angle: {}, rate: -2}}", two)));
      ASSERT_TRUE(start.found);
      const auto rod = [](double angle) { return Vec3(std::cos(angle), std::sin(angle), 0); };
      const auto across = [](double angle) { return Vec3(-std::sin(angle), std::cos(angle), 0); };
      EXPECT_LE((start.position(1) - 0.5 * rod(one)).norm(), 1e-15);
      EXPECT_LE((start.position(2) - rod(one) - 0.5 * rod(one + two)).norm(), 2e-15);
      EXPECT_LE((start.turn_rate(1) - Vec3(0, 0, 1.5)).norm(), 1e-14);
      EXPECT_LE((start.turn_rate(2) - Vec3(0, 0, -0.5)).norm(), 1e-14);
      const Vec3 velocity = 1.5 * across(one) - 0.25 * across(one + two);
      EXPECT_LE((start.q.v[2].head<3>() - velocity).norm(), 1e-14);
    }
}

// Without a rate what hangs on the joint follows like a rigid body, and without a value the joint stays where it is.
TEST(Posture, WhatIsNotGivenStaysOrFollows) {
  const Start start(hinged_rods(", initial: {rate: 2}", ", initial: {angle_deg: 90}"));
  ASSERT_TRUE(start.found);
  EXPECT_LE((start.position(1) - Vec3(0.5, 0, 0)).norm(), 1e-15);
  EXPECT_LE((start.position(2) - Vec3(1, 0.5, 0)).norm(), 1e-15);
}

TEST(Posture, ARateAloneTurnsAllThatHangsThereOnce) {
  const Start start(hinged_rods(", initial: {rate: 2}", ", initial: {rate: 0}"));
  ASSERT_TRUE(start.found);
  EXPECT_LE((start.turn_rate(1) - Vec3(0, 0, 2)).norm(), 1e-14);
  EXPECT_LE((start.turn_rate(2) - Vec3(0, 0, 2)).norm(), 1e-14);
}

// A rigid motion of the whole is that of the places where nodes have come to, and the joint does not move in it.
TEST(Posture, InitialMotionHoldsInThePosture) {
  const Start start(hinged_rods("", ", initial: {angle: 1.2}", "initial_motion: {angular_velocity: [0, 0, 3]}\n"));
  ASSERT_TRUE(start.found);
  const Vec3 omega(0, 0, 3);
  EXPECT_LE((start.q.v[2].head<3>() - omega.cross(start.position(2))).norm(), 1e-14);
  EXPECT_LE((start.turn_rate(2) - omega).norm(), 1e-14);
}

TEST(Posture, SliderCrankHasItsClosedForm) {
  io::Deck deck = io::read_deck(support::shipped("examples/slider_crank.yaml"));
  for (const double phi : {0.3, 2.5, -1.9, 40.0}) {
    model::Model model = deck.model;
    for (model::Entry& entry : model.entries) {
      if (entry.name != "motor") continue;
      entry.values.erase("rotation");
      entry.values.insert_or_assign("initial.angle", phi);
      entry.values.insert_or_assign("initial.rate", 3.0);
    }
    const support::Machine machine(model);
    State q = machine.system.initial_state();
    analyses::PostureReport report;
    model::Problems problems;
    ASSERT_TRUE(analyses::set_coordinates(machine.system, q, report, problems)) << phi;
    const double root = std::sqrt(0.04 - std::pow(0.05 * std::sin(phi), 2));
    const double rate = 3 * (-0.05 * std::sin(phi) - 0.0025 * std::sin(phi) * std::cos(phi) / root);
    EXPECT_NEAR(q.x[3].x(), 0.05 * std::cos(phi) + root, 1e-14) << phi;
    EXPECT_NEAR(q.v[3].x(), rate, 1e-13) << phi;
    // Crank and crank pin count the turns on the way.
    EXPECT_NEAR(q.history.lpNorm<Eigen::Infinity>(), std::abs(phi), 0.26) << phi;
  }
}

// The deck in that posture, written by hand: angles count from there, and all else is the same.
TEST(Posture, ResultsAreThoseOfADeckInThatPosture) {
  const std::string responses =
      "responses: {x: {last: nodes.b.position.x}, y: {last: nodes.b.position.y}, pin: {max_abs: joints.A.force}}\n";
  const RunResult moved = run_deck(support::deck_of(
      hinged_rods(", initial: {angle: 0.5, rate: 2}", ", initial: {angle: 0.7, rate: -1}") + responses));
  const double angle = 0.5;
  const double sum = 1.2;
  const auto node = [](double x, double y, double turn, double vx, double vy, double rate) {
    return fmt::format(
        "{{position: [{:.17g}, {:.17g}, 0], orientation: {{axis: [0, 0, 1], angle: {:.17g}}}, velocity: [{:.17g}, "
        "{:.17g}, 0], angular_velocity: [0, 0, {:.17g}]}}",
        x, y, turn, vx, vy, rate);
  };
  std::string by_hand = hinged_rods("", "");
  const auto replace = [&by_hand](const std::string& from, const std::string& to) {
    const std::size_t at = by_hand.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    by_hand.replace(at, from.size(), to);
  };
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const double c2 = std::cos(sum);
  const double s2 = std::sin(sum);
  replace("{position: [0.5, 0, 0]}", node(0.5 * c, 0.5 * s, angle, -s, c, 2));
  replace("{position: [1.5, 0, 0]}", node(c + 0.5 * c2, s + 0.5 * s2, sum, -2 * s - 0.5 * s2, 2 * c + 0.5 * c2, 1));
  replace("at: [1, 0, 0]", fmt::format("at: [{:.17g}, {:.17g}, 0]", c, s));
  const RunResult written = run_deck(support::deck_of(by_hand + responses));
  ASSERT_EQ(moved.status, Status::completed);
  ASSERT_EQ(written.status, Status::completed);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(moved.responses[i].value, written.responses[i].value, 1e-8 * std::abs(written.responses[i].value));
}

// A beam clamped to a hub on a hinge, with a tip mass: moved as one, whatever lies between.
TEST(Posture, AFlexiblePendulumIsMovedWithoutStrain) {
  const Start start(head +
                    "nodes: {hub: {position: [0, 0, 0]}, tip: {position: [1, 0, 0]}}\n"
                    "sections: {s: {shape: circle, radius: 0.02, E: 2.0e+9, nu: 0.3, density: 1000}}\n"
                    "bodies: {tip: {type: rigid_body, node: tip, mass: 1, inertia: [1e-3, 1e-3, 1e-3]}}\n"
                    "beams: {rod: {section: s, from: hub, to: tip, elements: 5, order: 2, orientation: [0, 0, 1]}}\n"
                    "joints: {pin: {type: revolute, connects: [ground, hub], at: [0, 0, 0], axis: [0, 0, 1], initial: "
                    "{angle: 0.3, rate: 2}}}\n" +
                    run_text);
  ASSERT_TRUE(start.found);
  EXPECT_LE(start.machine.system.energies(start.q).strain, 1e-20);
  EXPECT_LE((start.position(2) - Vec3(std::cos(0.3), std::sin(0.3), 0)).norm(), 1e-15);
  for (std::size_t i = 1; i < start.machine.system.nodes(); ++i)
    EXPECT_LE((start.q.v[i].head<3>() - Vec3(0, 0, 2).cross(start.position(i))).norm(), 1e-14);
}

// A rotor of two blades that sag under a load fixed to them: `static` bends them, `initial` turns them as they are bent.
std::string rotor(const std::string& rate, const std::string& analyses) {
  return "format: polhode-deck/1\n"
         "nodes: {hub: {position: [0, 0, 0]}, tip: {position: [1, 0, 0]}, end: {position: [-1, 0, 0]}}\n"
         "sections: {s: {shape: circle, radius: 0.02, E: 2.0e+9, nu: 0.3, density: 1000}}\n"
         "bodies: {hub: {type: rigid_body, node: hub, mass: 1, inertia: [0.01, 0.01, 0.01]}}\n"
         "beams:\n"
         "  one: {section: s, from: hub, to: tip, elements: 4, orientation: [0, 0, 1]}\n"
         "  two: {section: s, from: hub, to: end, elements: 4, orientation: [0, 0, 1]}\n"
         "forces:\n"
         "  one: {type: load, node: tip, force: [0, 0, 2], follower: true}\n"
         "  two: {type: load, node: end, force: [0, 0, 2], follower: true}\n"
         "joints: {shaft: {type: revolute, connects: [ground, hub], at: [0, 0, 0], axis: [0, 0, 1]" +
         rate + "}}\nanalysis: [" + analyses +
         "]\nresponses: {strain: {last: energy.strain}, kinetic: {last: energy.kinetic}, x: {last: "
         "nodes.tip.velocity.x}, y: {last: nodes.tip.velocity.y}, sag: {last: nodes.tip.position.z}, r: {last: "
         "nodes.tip.position.x}}\n";
}

TEST(Posture, InitialBehindStaticTurnsTheWholeAsItIsDeformed) {
  const auto values = [](const std::string& deck) {
    const RunResult result = run_deck(support::deck_of(deck));
    EXPECT_EQ(result.status, Status::completed) << (result.problems.empty() ? "" : result.problems[0].message);
    std::map<std::string, double> all;
    for (const ResponseValue& one : result.responses) all[one.name] = one.value;
    return all;
  };
  // By the rate of a free shaft, and by the motion that the drive of a shaft goes with.
  const std::string motion = "initial_motion: {angular_velocity: [0, 0, 3]}\n";
  for (const auto& [shaft, more] : {std::pair{std::string(", initial: {rate: 3}"), std::string()},
                                    std::pair{std::string(", rotation: \"=3*t\""), motion}}) {
    auto bent = values(rotor(shaft, "{type: static}") + more);
    auto turning = values(rotor(shaft, "{type: static}, {type: initial}") + more);
    EXPECT_GT(bent["strain"], 1e-3);
    EXPECT_EQ(bent["kinetic"], 0);
    EXPECT_NEAR(turning["strain"], bent["strain"], 1e-12 * bent["strain"]);
    EXPECT_NEAR(turning["sag"], bent["sag"], 1e-14);
    EXPECT_NEAR(turning["x"], 0, 1e-12);
    EXPECT_NEAR(turning["y"], 3 * bent["r"], 1e-12);
  }
}

// In the turning frame the rotor is at rest; the transient behind it goes on turning, without a vibration.
TEST(Posture, StaticWithRotationGoesOnTurning) {
  const std::string turning = "{type: static, rotation: {axis: [0, 0, 1], speed: 3}}";
  const RunResult start = run_deck(support::deck_of(rotor("", turning)));
  const RunResult later =
      run_deck(support::deck_of(rotor("", turning + ", {type: transient, duration: 0.5, step: 0.002}")));
  ASSERT_EQ(start.status, Status::completed);
  ASSERT_EQ(later.status, Status::completed);
  const auto value = [](const RunResult& result, const std::string& name) {
    for (const ResponseValue& one : result.responses)
      if (one.name == name) return one.value;
    return std::nan("");
  };
  EXPECT_NEAR(value(start, "y"), 3 * value(start, "r"), 1e-9);
  for (const char* name : {"strain", "kinetic", "sag"})
    EXPECT_NEAR(value(later, name), value(start, name), 1e-4 * std::abs(value(start, name))) << name;
}

TEST(Posture, AnglesCountWholeTurnsFromTheStart) {
  const RunResult result = run_deck(support::deck_of(hinged_rods(", initial: {angle: -20, rate: 0}", "") +
                                                     "responses: {angle: {max: joints.A.coordinates}}\n"));
  ASSERT_EQ(result.status, Status::completed);
  EXPECT_NEAR(result.responses[0].value, -20, 2);
}

// A spring that is free two turns on: counted otherwise it would turn the joint there.
TEST(Posture, StaticAndInitialKeepTheTurns) {
  for (const std::string first : {"{type: static}", "{type: initial}"}) {
    std::string deck = hinged_rods(", stiffness: 3, free_angle: 13, initial: {angle: 13}", ", stiffness: 3");
    deck.replace(deck.find("gravity: [0, -9.81, 0]"), 22, "gravity: [0, 0, 0]");
    deck.replace(deck.find("analysis: "), std::string::npos, "analysis: [" + first + "]\n");
    const RunResult result = run_deck(
        support::deck_of(deck + "responses: {angle: {last: joints.A.coordinates}, strain: {last: energy.strain}}\n"));
    ASSERT_EQ(result.status, Status::completed) << first;
    EXPECT_NEAR(result.responses[0].value, 13, 1e-9) << first;
    EXPECT_NEAR(result.responses[1].value, 0, 1e-12) << first;
  }
}

TEST(Posture, ARunReportsWhatWasMoved) {
  Kept kept;
  RunCallbacks callbacks;
  callbacks.messages = &kept.messages;
  run_deck(support::deck_of(hinged_rods(", initial: {angle: 0.25, rate: 2}", "")), {}, callbacks);
  EXPECT_TRUE(kept.has(Level::info, "initial coordinates: joints.A at 0.25 rad with 2 rad/s; 2 of 2 nodes moved"));
  EXPECT_TRUE(kept.has(Level::info, "nodes.b "));
  const ModelSummary summary = check_deck(support::deck_of(hinged_rods(", initial: {angle: 0.25}", "")));
  EXPECT_EQ(summary.start.find("initial coordinates: joints.A at 0.25 rad; 2 of 2 nodes moved"), 0u) << summary.start;
}

TEST(Posture, RefusesWhatADriveGivesAndWhatIsNoCoordinate) {
  const auto refusal = [](const std::string& first) {
    const ModelSummary summary = check_deck(support::deck_of(hinged_rods(first, "")));
    return summary.problems.empty() ? std::string() : summary.problems[0].path + " " + summary.problems[0].message;
  };
  EXPECT_EQ(
      refusal(", rotation: \"=t\", initial: {angle: 1}"),
      "joints.A.initial.angle is of a coordinate that `rotation` drives, which gives its value and its rate at the "
      "start; remove one of them");
  EXPECT_EQ(refusal(", rotation: \"=t\", initial: {rate: 1}").find("joints.A.initial.rate is of a coordinate"), 0u);
  EXPECT_EQ(refusal(", initial: {angle: 1}"), "");
  const auto unread = [](const std::string& first) { return support::refusal_of(hinged_rods(first, "")); };
  EXPECT_NE(unread(", initial: {angle: .nan}").find("joints.A.initial.angle: must be finite"), std::string::npos);
  EXPECT_NE(unread(", initial: {rate: .inf}").find("joints.A.initial.rate: must be finite"), std::string::npos);
  EXPECT_NE(unread(", initial: {displacement: 1}").find("joints.A.initial.displacement"), std::string::npos);
  EXPECT_NE(unread(", initial: 1").find("joints.A.initial"), std::string::npos);
}

// The four-bar of the examples, whose equations are redundant.
TEST(Posture, ALoopThatDoesNotCloseEndsTheRunWithItsName) {
  io::Deck deck = io::read_deck(support::shipped("examples/four_parallel_hinges.yaml"));
  const auto give = [&deck](const std::string& joint, const char* key, double number) {
    for (model::Entry& entry : deck.model.entries)
      if (entry.name == joint) entry.values.insert_or_assign(key, number);
  };
  give("D", "initial.angle", 2);
  const RunResult beyond = run_deck(deck);
  EXPECT_EQ(beyond.status, Status::invalid);
  ASSERT_EQ(beyond.problems.size(), 1u);
  EXPECT_EQ(beyond.problems[0].path, "joints.D.initial");
  EXPECT_NE(beyond.problems[0].message.find("loop of joints.A, joints.B, joints.C, joints.D does not close"),
            std::string::npos)
      << beyond.problems[0].message;
  EXPECT_NE(beyond.problems[0].message.find("joints.D gets to 0."), std::string::npos) << beyond.problems[0].message;
  give("A", "initial.angle", 0.3);
  give("D", "initial.angle", 0.1);
  const RunResult both = run_deck(deck);
  ASSERT_EQ(both.problems.size(), 1u);
  EXPECT_NE(both.problems[0].message.find("joints.D: rotation is open by "), std::string::npos)
      << both.problems[0].message;
  for (model::Entry& entry : deck.model.entries)
    std::erase_if(entry.values, [](const auto& one) { return one.first == "initial.angle"; });
  give("A", "initial.rate", 1);
  give("D", "initial.rate", 1);
  const RunResult rates = run_deck(deck);
  ASSERT_EQ(rates.problems.size(), 1u);
  EXPECT_NE(rates.problems[0].message.find("rates at the start contradict each other"), std::string::npos);
}

}  // namespace
}  // namespace polhode::run::posture_test
