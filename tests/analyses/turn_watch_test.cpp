// SPDX-License-Identifier: BSD-3-Clause
// Joints that turn by more than half a turn in a fixed step are warned of once, by name, time and turn.
#include "analyses/transient/turn_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/transients.hpp"

namespace polhode::support {
namespace {

// A wheel on a hinge that turns freely at `rate` rad/s, in steps of 0.1 s; `more` continues the joint.
std::vector<std::string> turn_warnings_of(const std::string& rate, const std::string& more = "") {
  const Transient run(
      deck_of("format: polhode-deck/1\n"
              "nodes: {wheel: {position: [0, 0, 0], angular_velocity: [0, 0, " +
              rate +
              "]}}\n"
              "bodies: {wheel: {type: rigid_body, node: wheel, mass: 1, inertia: [1, 1, 1]}}\n"
              "joints: {hinge: {type: revolute, connects: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1]" +
              more +
              "}}\n"
              "analysis: {type: transient, duration: 1, step: 0.1, integrator: {method: ul_rotation_vector}}\n"));
  EXPECT_TRUE(run.problems.empty());
  return run.looker.warnings;
}

TEST(TurnWatch, AJointThatTurnsByMoreThanHalfATurnInAStepIsNamedOnce) {
  const auto warnings = turn_warnings_of("35");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0],
            "joints.hinge turns by 3.5 rad in the step to t = 0.1 s, by more than half a turn: its angle is not "
            "counted rightly from there on; use a smaller `step`");
}

TEST(TurnWatch, TheLongestStepTurnsByLessThanHalfATurn) {
  const io::Deck deck = deck_of(
      "format: polhode-deck/1\n"
      "nodes: {wheel: {position: [0, 0, 0], angular_velocity: [0, 0, 100]}}\n"
      "bodies: {wheel: {type: rigid_body, node: wheel, mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {hinge: {type: revolute, connects: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
      "analysis: {type: transient, duration: 1, step: 0.1}\n");
  const Machine machine(deck.model);
  const analyses::TurnWatch watch(machine.system, true);
  State q = machine.system.initial_state();
  EXPECT_NEAR(watch.longest_step(q), 0.025, 1e-15);
  q.v[1].setZero();
  EXPECT_EQ(watch.longest_step(q), HUGE_VAL);
}

TEST(TurnWatch, LessThanHalfATurnIsCounted) { EXPECT_TRUE(turn_warnings_of("30").empty()); }

TEST(TurnWatch, ADrivenJointMayTurnByAnyAngle) { EXPECT_TRUE(turn_warnings_of("35", ", rotation: \"=35*t\"").empty()); }

}  // namespace
}  // namespace polhode::support
