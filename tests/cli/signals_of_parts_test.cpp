// SPDX-License-Identifier: BSD-3-Clause
// Signals, events and responses of parts and of files with a prefix: the bits of the deck that is written flat.
#include <gtest/gtest.h>

#include <cmath>

#include "polhode/io/hdf5/results_reader.hpp"
#include "support/program.hpp"

namespace polhode::support {
namespace {

using io::ResultsReader;

const std::string leg_head =
    "format: polhode-deck/1\ngravity: [0, 0, -9.81]\n"
    "analysis: {type: transient, duration: 0.1, step: 0.005}\n";

// A leg on the node `base`. `@` stands before each of its names, `$` before each of its parameters.
const std::string leg_entries = R"deck(nodes:
  @hip: {position: [0, 0, 0], orientation: {axis: [0, 1, 1], angle: 0.1}}
  @foot: {position: [1, 0, 0.1], frame: nodes.@hip}
bodies:
  @hip: {type: rigid_body, node: @hip, mass: 0.7, inertia: [0.01, 0.02, 0.03]}
  @foot: {type: rigid_body, node: @foot, mass: 0.5, inertia: [0.01, 0.02, 0.03]}
sections:
  @rod: {shape: circle, radius: 0.03, E: 2.1e+9, nu: 0.3, density: 1000, damping: 0.001}
beams:
  @rod: {section: @rod, from: @hip, to: @foot, frame: nodes.@hip, elements: 2, order: 2, orientation: [0, 1, 0.2]}
joints:
  @knee: {type: revolute, connects: [base, @hip], at: [0, 0, 0], axis: [0.1, 1, 0], motor: @torque}
forces:
  @pull: {type: load, node: @rod.2, force: [1, 2, 3], history: "=1 + 0.1*@plant.0"}
signals:
  @angle: {of: joints.@knee.coordinates}
  @rate: {of: "joints.@knee.rates"}
  @height: {of: nodes.@foot.position.z}
  @error: "=$goal*1e0 - @angle"
  @torque: {type: pid, input: @error, kp: =$kp, ki: 10, kd: 5, rate: "=-@rate", limit: [-50, 50]}
  @plant: {type: state_space, inputs: [@angle, "=2*@rate"], A: [[-1]], B: [[1, 0.1]], C: [[1], [2]]}
  @max: "=@plant.0 + max(@plant.1, @height)"
  @more: "=2*@max"
  @phase: {type: mode, initial: 1}
events:
  @catch: {when: "=@phase - 1.5", do: {lock: joints.@knee}}
  @kick: {when: 0.02, do: {node: @foot, impulse: ["=0.01*@plant.1", 0, 0.02]}}
  @switch: {when: "=@angle - 0.002", direction: up, do: {set: signals.@phase, value: "=2 + @angle"}}
responses:
  @swing: {max_abs: joints.@knee.coordinates}
  @bend: {max_abs: "beams.@rod.forces[0][1]"}
  @then: {at: {time: 0.03, of: signals.@angle}}
  @end: {last: nodes.@foot.position.x}
)deck";
const std::string leg_base =
    "nodes: {base: {position: [0, 0, 0], fixed: true}}\n"
    "bodies: {base: {type: rigid_body, node: base, mass: 5, inertia: [1, 1, 1]}}\n";

std::string with_replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::string indented_leg(const std::string& text) { return "    " + with_replaced(text, "\n", "\n    ") + "\n"; }

// The entries with names of their own.
std::string leg_named(const std::string& prefix, const std::string& goal, const std::string& kp) {
  return with_replaced(with_replaced(with_replaced(leg_entries, "@", prefix), "$goal", goal), "$kp", kp);
}

// The base stands where the leg's entries are.
std::string flat_deck(const std::string& prefix) {
  std::string entries = leg_named(prefix, "0.5", "40");
  entries = with_replaced(entries, "nodes:\n", "nodes:\n  base: {position: [0, 0, 0], fixed: true}\n");
  return leg_head + with_replaced(entries, "bodies:\n",
                                  "bodies:\n  base: {type: rigid_body, node: base, mass: 5, inertia: [1, 1, 1]}\n");
}

const std::string leg_parameters = "parameters: {goal: 0.5, kp: 40}\n";

// Runs `deck.yaml`, and what `check --expand` makes of it: both have the bits of the flat deck.
void expect_bits_of(const Workshop& workshop, const std::string& prefix) {
  workshop.write("flat.yaml", flat_deck(prefix));
  const Outcome expanded = workshop.polhode("check --expand deck.yaml");
  ASSERT_EQ(expanded.status, 0) << expanded.err;
  for (const char* key : {"parts:", "instances:", "include:"}) EXPECT_FALSE(contains(expanded.out, key));
  workshop.write("expanded.yaml", expanded.out);
  for (const std::string deck : {"flat", "deck", "expanded"}) {
    const Outcome outcome = workshop.polhode("run --quiet " + deck + ".yaml");
    ASSERT_EQ(outcome.status, 0) << deck << outcome.err;
  }
  const ResultsReader flat(workshop.file("flat.h5"));
  EXPECT_EQ(flat.texts("/events/names").size(), 3U);
  for (const std::string file : {"deck.h5", "expanded.h5"}) {
    const ResultsReader other(workshop.file(file));
    for (const std::string path :
         {"/time", "/nodes/position", "/nodes/rotation", "/nodes/velocity", "/nodes/acceleration", "/beams/forces",
          "/joints/force", "/joints/moment", "/energy/total", "/events/time"})
      EXPECT_EQ(flat.numbers(path), other.numbers(path)) << file << path;
    for (const std::string name : {"angle", "rate", "height", "error", "torque", "plant", "max", "more", "phase"})
      EXPECT_EQ(flat.numbers("/signals/" + prefix + name), other.numbers("/signals/" + prefix + name)) << name;
    for (const std::string name : {"swing", "bend", "then", "end"})
      EXPECT_EQ(flat.numbers("/responses/" + prefix + name), other.numbers("/responses/" + prefix + name)) << name;
    EXPECT_EQ(flat.texts("/nodes/names"), other.texts("/nodes/names"));
    EXPECT_EQ(flat.texts("/events/names"), other.texts("/events/names"));
  }
  // It has been held at the goal, and caught on its way there.
  EXPECT_EQ(flat.numbers("/signals/" + prefix + "phase").front(), 1);
  EXPECT_GT(flat.numbers("/signals/" + prefix + "phase").back(), 2);
}

TEST(SignalsOfParts, OfAFileWithAPrefixHaveTheBitsOfTheFlatDeck) {
  const Workshop workshop;
  workshop.write("leg.yaml", leg_parameters + leg_named("", "goal", "kp"));
  workshop.write("deck.yaml", leg_head + leg_base + "include: [{file: leg.yaml, prefix: left_}]\n");
  expect_bits_of(workshop, "left_");
}

TEST(SignalsOfParts, OfAnInstanceHaveTheBitsOfTheFlatDeck) {
  const Workshop workshop;
  workshop.write("deck.yaml", leg_head + leg_base + "instances: {left: {part: leg}}\nparts:\n  leg:\n" +
                                  indented_leg(leg_parameters + leg_named("", "goal", "kp")));
  expect_bits_of(workshop, "left.");
}

TEST(SignalsOfParts, OfACopyOfAPartInAFileWithAPrefixHaveTheBitsOfTheFlatDeck) {
  const Workshop workshop;
  workshop.write("leg.yaml", "instances: {leg: {part: leg, repeat: 1}}\nparts:\n  leg:\n" +
                                 indented_leg(leg_parameters + leg_named("", "goal", "kp")));
  workshop.write("deck.yaml", leg_head + leg_base + "include: [{file: leg.yaml, prefix: l_}]\n");
  expect_bits_of(workshop, "l_leg.0.");
}

// Without gravity a part moves alike wherever it stands: impulses turn with it, as numbers and as expressions.
TEST(SignalsOfParts, EventsHitTurnedPartsAsOthers) {
  const Workshop workshop;
  workshop.write("deck.yaml", R"(format: polhode-deck/1
parts:
  arm:
    nodes: {tip: {position: [1, 0, 0]}}
    bodies: {tip: {type: rigid_body, node: tip, mass: 1, inertia: [0.1, 0.1, 0.1]}}
    joints: {pin: {type: revolute, connects: [ground, tip], at: [0, 0, 0], axis: [0, 1, 0]}}
    signals: {angle: {of: joints.pin.coordinates}}
    events:
      first: {when: 0.1, do: {node: tip, impulse: [0.1, 0, 0.5]}}
      second: {when: 0.2, do: {node: tip, impulse: [0, 0, "=0.5 - angle"], moment: [0, angle, "=t"]}}
instances:
  plain: {part: arm}
  turned: {part: arm, at: [0, 3, 0], orientation: {axis: [1, 2, 3], angle: 0.8}}
analysis: {type: transient, duration: 0.4, step: 0.01, newton: {residual_tolerance: 1.0e-11}}
)");
  const Outcome outcome = workshop.polhode("run deck.yaml");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const ResultsReader results(workshop.file("deck.h5"));
  const std::vector<double> plain = results.numbers("/signals/plain.angle");
  const std::vector<double> turned = results.numbers("/signals/turned.angle");
  ASSERT_EQ(plain.size(), turned.size());
  EXPECT_GT(std::abs(plain.back()), 0.1);
  // Round-off of 40 steps
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(plain[i], turned[i], 1e-11) << i;
}

}  // namespace
}  // namespace polhode::support
