// SPDX-License-Identifier: BSD-3-Clause
// Loads that jump where fixed steps end: the step before sees them from the left, the one behind from the right.
#include <gtest/gtest.h>

#include "analyses/transient/functions_of_time.hpp"
#include "analyses/transient/stops.hpp"
#include "support/transients.hpp"

namespace polhode::support {
namespace {

using analyses::Grid;
using analyses::JumpOnGrid;

class JumpOnTheGrid : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, JumpOnTheGrid,
                         testing::Values("lie_alpha", "lie_alpha_index2", "ul_crv", "ul_rotation_vector", "rosenbrock4",
                                         "rosenbrock_w2", "radau5", "variational", "energy_momentum"),
                         [](const auto& p) { return p.param; });

// 1 N on 2 kg for 0.1 s; times of the jump that are exact in the grid, and those that differ from it by round-off.
TEST_P(JumpOnTheGrid, AForceUpToAGridPointGivesItsWholeImpulseAndNoMore) {
  for (const char* step : {"0.02", "0.1", "0.05"}) {
    const Transient run(pushed("t < 0.1 ? 1 : 0", step, GetParam()));
    EXPECT_EQ(run.result.end, TransientResult::End::done);
    EXPECT_NEAR(run.q.v[1][0], 0.05, 1e-12) << "step " << step;
    EXPECT_NEAR(run.q.x[1][0], 0.05 * 0.95, 1e-9) << "step " << step;
    EXPECT_NEAR(run.result.progress.external_work, 0.5 * 2 * 0.05 * 0.05, 1e-10) << "step " << step;
  }
}

TEST_P(JumpOnTheGrid, AForceFromAGridPointOnGivesNoImpulseBefore) {
  for (const char* jump : {"0.3", "0.6", "0.7", "0.9"}) {  // 0.3 is not 3 times 0.1
    const Transient run(pushed(std::string("t < ") + jump + " ? 0 : 4", "0.1", GetParam()));
    EXPECT_NEAR(run.q.v[1][0], 2 * (1 - std::stod(jump)), 1e-9) << jump;
  }
}

// A load that is held over 0.1 s each, as that of a sampled controller.
TEST_P(JumpOnTheGrid, AHeldLoadGivesTheSumOfItsImpulses) {
  const Transient run(pushed("floor(10*t) - 4.5", "0.05", GetParam()));
  EXPECT_EQ(run.result.end, TransientResult::End::done);
  EXPECT_NEAR(run.q.v[1][0], 0, 1e-9);
  EXPECT_EQ(run.looker.times.back(), 1);
}

TEST(JumpOnTheGrid, StepsKeepTheirGrid) {
  const Transient run(pushed("t < 0.3 ? 0 : 1", "0.1", "lie_alpha"));
  ASSERT_EQ(run.looker.times.size(), 11u);
  for (int n = 0; n <= 10; ++n) EXPECT_EQ(run.looker.times[static_cast<std::size_t>(n)], n * 0.1);
}

TEST(JumpOnTheGrid, AJumpAtTheVeryEndCountsForNothing) {
  const Transient run(pushed("t < 1 ? 0 : 100", "0.1", "lie_alpha"));
  EXPECT_NEAR(run.q.v[1][0], 0, 1e-15);
  EXPECT_NEAR(run.q.vdot[1][0], 0, 1e-12);
}

TEST(JumpOnTheGrid, AJumpAtTheVeryEndCountsForNothingUnderControl) {
  for (const char* method : {"lie_alpha", "lie_alpha_index2", "ul_crv", "rosenbrock4", "radau5"}) {
    const Transient run(pushed("t < 1 ? 1 : 1000", "{tolerance: 1.0e-4}", method));
    EXPECT_EQ(run.result.end, TransientResult::End::done) << method;
    EXPECT_NEAR(run.q.v[1][0], 0.5, 1e-6) << method;
    EXPECT_EQ(run.looker.times.back(), 1) << method;
  }
}

TEST(JumpsOnGrid, AreThoseWithinABillionthOfAStepOfItsEnd) {
  const std::vector<double> jumps{0, 0.1, 0.25, 0.3, 0.3 + 5e-11, 0.4 + 1e-9, 1};
  const std::vector<JumpOnGrid> on = analyses::find_jumps_on_grid(Grid(0, 0.1, 1), jumps);
  ASSERT_EQ(on.size(), 3u);
  EXPECT_EQ(on[0].step, 1);
  EXPECT_EQ(on[1].step, 3);
  EXPECT_LT(on[1].before, 0.3);
  EXPECT_GT(on[1].behind, 0.3 + 5e-11) << "two within the same place are one";
  EXPECT_EQ(on[2].step, 10);
}

TEST(JumpsOnGrid, TheShorterLastStepHasAnEndOfItsOwn) {
  const std::vector<double> jumps{0.9, 1};
  const std::vector<JumpOnGrid> on = analyses::find_jumps_on_grid(Grid(0, 0.3, 1), jumps);
  ASSERT_EQ(on.size(), 2u);
  EXPECT_EQ(on[0].step, 3);
  EXPECT_EQ(on[1].step, 4);
}

std::vector<double> jumps_of(const std::string& history) {
  const io::Deck deck = pushed(history, "0.1");
  const Machine machine(deck.model);
  return analyses::find_jumps(machine.system, 0, 1);
}

TEST(JumpsOfFunctions, KinksAreNone) {
  EXPECT_TRUE(jumps_of("t < 0.5 ? 0 : t - 0.5").empty());
  EXPECT_TRUE(jumps_of("abs(sin(20*t))").empty());
  EXPECT_TRUE(jumps_of("t < 0.5 ? 1000*t : 1000 - 1000*t").empty());
}

TEST(JumpsOfFunctions, AreFoundUpToTheEnd) {
  EXPECT_EQ(jumps_of("t < 0.5 ? 0 : 1"), std::vector<double>{0.5});
  EXPECT_EQ(jumps_of("t < 1 ? 0 : 1"), std::vector<double>{1});
}

TEST(JumpsOfFunctions, DrivesHaveNone) {
  const io::Deck deck = deck_of(
      "format: polhode-deck/1\nnodes: {slide: {position: [0, 0, 0]}}\n"
      "bodies: {slide: {type: rigid_body, node: slide, mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {pump: {type: prismatic, connects: [ground, slide], at: [0, 0, 0], axis: [1, 0, 0], "
      "translation: \"=t < 0.5 ? 0 : 0.1\"}}\n"
      "analysis: {type: transient, duration: 1, step: 0.1}\n");
  const Machine machine(deck.model);
  EXPECT_TRUE(analyses::find_jumps(machine.system, 0, 1).empty());
}

}  // namespace
}  // namespace polhode::support
