// SPDX-License-Identifier: BSD-3-Clause
// Elements that are turned past the bound of their rotation vectors end an analysis, by name; others do not.
#include <gtest/gtest.h>

#include "polhode/analyses/initial/start.hpp"
#include "support/statics.hpp"
#include "support/transients.hpp"

namespace polhode::support {
namespace {

using integrators::Outcome;

const std::string bound_begin =
    "format: polhode-deck/1\nnodes: {root: {position: [0, 0, 0], fixed: true}, tip: {position: ";

// A shaft of GJ/L = 10 N m/rad along x with a disk of 1 kg m^2 at its end.
std::string shaft(const std::string& rate, const std::string& elements, const std::string& more = "",
                  const std::string& step = "0.005", const std::string& method = "lie_alpha") {
  return bound_begin + "[1, 0, 0], angular_velocity: [" + rate +
         ", 0, 0]}}\n"
         "bodies: {disk: {type: rigid_body, node: tip, mass: 1, inertia: [1, 1, 1]}}\n"
         "sections: {bar: {stiffness: {EA: 1.0e+4, GAy: 1.0e+4, GAz: 1.0e+4, GJ: 10, EIy: 1.0e+3, EIz: 1.0e+3}, mass: "
         "{per_length: 0.01, inertia: [1.0e-4, 5.0e-5, 5.0e-5]}}}\n"
         "beams: {shaft: {section: bar, from: root, to: tip, elements: " +
         elements + more + "}}\nanalysis: {type: transient, duration: 0.5, step: " + step +
         ", integrator: {method: " + method + "}}\n";
}

// "beams.shaft  (its nodes are turned by 179 degrees against each other)"
void expect_worst(const integrators::StepReport& failure, const std::string& element) {
  EXPECT_EQ(failure.outcome, Outcome::past_bound);
  ASSERT_FALSE(failure.worst.empty());
  const std::string begin = element + "  (its nodes are turned by ";
  const std::string& worst = failure.worst.front();
  EXPECT_EQ(worst.substr(0, begin.size()), begin);
  EXPECT_EQ(worst.substr(begin.size() + 3), " degrees against each other)");
}

void expect_past_bound(const std::string& deck, const std::string& element) {
  const Transient run(deck_of(deck));
  ASSERT_TRUE(run.problems.empty());
  EXPECT_EQ(run.result.end, TransientResult::End::failed);
  expect_worst(run.result.failure, element);
}

// 112 J of the disk against 49 J at half a turn.
TEST(PastBound, AShaftOfOneElementThatIsTwistedPastHalfATurnEndsTheRun) {
  for (const std::string more : {"", ", order: 2"}) {
    SCOPED_TRACE(more);
    expect_past_bound(shaft("15", "1", more), "beams.shaft");
  }
}

TEST(PastBound, EveryKindOfMethodRefusesTheStep) {
  expect_past_bound(shaft("15", "1", "", "0.005", "rosenbrock4"), "beams.shaft");
  expect_past_bound(shaft("15", "1", "", "0.005", "radau5"), "beams.shaft");
  expect_past_bound(shaft("15", "1", "", "{tolerance: 1.0e-5}", "lie_alpha"), "beams.shaft");
}

// The twist of 15 / sqrt(10) = 4.7 rad is 1.2 rad an element.
TEST(PastBound, MoreElementsTakeTheTwist) {
  const Transient run(deck_of(shaft("15", "4")));
  EXPECT_EQ(run.result.end, TransientResult::End::done);
  EXPECT_NEAR(run.q.v[2][3], 15 * std::cos(std::sqrt(10.0) * 0.5), 0.2);
}

TEST(PastBound, LessThanHalfATurnIsNoneOfItsMatters) {
  const Transient run(deck_of(shaft("9.5", "1")));  // 3.004 rad
  EXPECT_EQ(run.result.end, TransientResult::End::done);
}

// A block that turns in a bushing of `stiffness` N m/rad about z, at 10 rad/s: for good, or against 1 N m/rad.
Transient turned_in_bushing(const std::string& stiffness) {
  return Transient(
      deck_of("format: polhode-deck/1\nnodes: {block: {position: [0, 0, 0], angular_velocity: [0, 0, 10]}}\n"
              "bodies: {block: {type: rigid_body, node: block, mass: 1, inertia: [1, 1, 1]}}\n"
              "forces: {mount: {type: bushing, connects: [ground, block], at: [0, 0, 0], stiffness: [1000, 1000, 1000, "
              "1, 1, " +
              stiffness + "]}}\nanalysis: {type: transient, duration: 1.2, step: 0.01}\n"));
}

TEST(PastBound, ABushingThatIsTurnedRoundEndsTheRun) {
  const Transient run = turned_in_bushing("1");
  EXPECT_EQ(run.result.end, TransientResult::End::failed);
  EXPECT_EQ(run.result.failure.outcome, Outcome::past_bound);
  ASSERT_FALSE(run.result.failure.worst.empty());
  EXPECT_EQ(run.result.failure.worst.front(), "forces.mount  (its nodes are turned too far against each other)");
}

TEST(PastBound, ABushingThatIsFreeToTurnMayGoRound) {
  const Transient run = turned_in_bushing("0");
  EXPECT_EQ(run.result.end, TransientResult::End::done);
  EXPECT_NEAR(run.q.v[1][5], 10, 1e-6);
}

// 40 N m would twist it by 4 rad.
TEST(PastBound, AStaticTwistNamesTheElement) {
  const io::Deck deck = deck_of(
      bound_begin +
      "[1, 0, 0]}}\n"
      "sections: {bar: {stiffness: {EA: 1.0e+4, GAy: 1.0e+4, GAz: 1.0e+4, GJ: 10, EIy: 1.0e+3, EIz: 1.0e+3}, mass: "
      "{per_length: 0.01, inertia: [1.0e-4, 5.0e-5, 5.0e-5]}}}\n"
      "beams: {shaft: {section: bar, from: root, to: tip, elements: 1}}\n"
      "forces: {twist: {type: load, node: tip, moment: [40, 0, 0]}}\nanalysis: {type: static}\n");
  const Machine machine(deck.model);
  analyses::StaticResult result;
  State q;
  path_of(machine.system, *deck.analyses.front().as<analyses::StaticSettings>(), 0, result, q);
  EXPECT_EQ(result.end, analyses::StaticResult::End::failed);
  EXPECT_NE(result.failure.find("beams.shaft is turned past the bound of its rotation"), std::string::npos)
      << result.failure;
}

// Its middle node stays where it is, so that the mean of the three is beyond half a turn from it.
TEST(PastBound, AStartThatTurnsTheEndOfAnElementTooFarIsRefusedByName) {
  const std::string deck =
      bound_begin +
      "[1, 0, 0]}}\n"
      "sections: {bar: {stiffness: {EA: 1.0e+4, GAy: 1.0e+4, GAz: 1.0e+4, GJ: 10, EIy: 1.0e+3, EIz: 1.0e+3}, mass: "
      "{per_length: 0.01, inertia: [1.0e-4, 5.0e-5, 5.0e-5]}}}\n"
      "beams: {shaft: {section: bar, from: root, to: tip, order: 2}}\n"
      "joints: {turn: {type: revolute, connects: [ground, tip], at: [1, 0, 0], axis: [1, 0, 0], rotation: 2.967}}\n"
      "analysis: {type: initial}\n";
  const io::Deck read = deck_of(deck);
  const Machine machine(read.model);
  State q = machine.system.initial_state();
  model::Problems problems;
  for (const auto& [angle, refused] : {std::pair{2.7, false}, std::pair{2.967, true}}) {
    q.set_rotation(2, math::so3::exp_quaternion(math::Vec3(angle, 0, 0)));
    problems.clear();
    analyses::report_past_bound(machine.system, q, problems);
    ASSERT_EQ(!problems.empty(), refused) << angle;
  }
  EXPECT_EQ(problems.front().path, "beams.shaft");
  EXPECT_NE(problems.front().message.find("turned by 170 degrees against each other"), std::string::npos);
}

}  // namespace
}  // namespace polhode::support
