// SPDX-License-Identifier: BSD-3-Clause
// Pulses and peaks that fixed steps pass over are warned of by entry, length and step; what steps resolve is not.
#include "analyses/transient/features.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/transients.hpp"

namespace polhode::support {
namespace {

using analyses::Grid;

std::vector<std::string> feature_warnings_of(const std::string& history, double step, bool hit = false) {
  const io::Deck deck = deck_of(
      "format: polhode-deck/1\nnodes: {mass: {position: [0, 0, 0], dofs: translation}}\n"
      "bodies: {mass: {type: point_mass, node: mass, mass: 2}}\n"
      "forces: {push: {type: load, node: mass, force: [1, 0, 0], history: " +
      history + "}}\nanalysis: {type: transient, duration: 1, step: 0.1}\n");
  const Machine machine(deck.model);
  Looker looker;
  warn_of_passed_features(machine.system, Grid(0, step, 1), hit, looker);
  return looker.warnings;
}

TEST(PassedFeatures, APulseWithinAStepIsNamedWithItsLengthAndTheStep) {
  const auto warnings = feature_warnings_of("\"=t > 0.51 && t < 0.513 ? 1000 : 0\"", 0.05);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(
      warnings[0],
      "forces.push.history has features of 3 ms at t = 0.51 s, the step is 50 ms and does not resolve them; use "
      "a smaller `step`, or steps that end on breakpoints: `step: {tolerance}`, or `integrator: {breakpoints: hit}`");
}

TEST(PassedFeatures, APulseWhoseBreakpointsAreHitIsNone) {
  EXPECT_TRUE(feature_warnings_of("\"=t > 0.51 && t < 0.513 ? 1000 : 0\"", 0.05, true).empty());
  EXPECT_EQ(feature_warnings_of("\"=exp(-((t - 0.5)/0.002)^2)\"", 0.05, true).size(), 1u) << "a bell has none";
}

TEST(PassedFeatures, APulseThatStepsResolveIsNone) {
  EXPECT_TRUE(feature_warnings_of("\"=t > 0.51 && t < 0.513 ? 1000 : 0\"", 0.0005).empty());
  EXPECT_TRUE(feature_warnings_of("\"=t > 0.2 && t < 0.7 ? 1000 : 0\"", 0.05).empty());
}

TEST(PassedFeatures, ASingleJumpOrKinkIsNone) {
  EXPECT_TRUE(feature_warnings_of("\"=t > 0.51 ? 1000 : 0\"", 0.05).empty());
  EXPECT_TRUE(feature_warnings_of("\"=t > 0.51 ? t - 0.51 : 0\"", 0.05).empty());
}

TEST(PassedFeatures, APulseAboutTheEndOfAStepActsForAWholeStepAndIsNamed) {
  EXPECT_EQ(feature_warnings_of("\"=t > 0.499 && t < 0.502 ? 1000 : 0\"", 0.05).size(), 1u);
  EXPECT_TRUE(feature_warnings_of("\"=t > 0.47 && t < 0.53 ? 1000 : 0\"", 0.05).empty());
}

TEST(PassedFeatures, APeakOfATableIsOneWarningHoweverManyThereAre) {
  const std::string peaks =
      "{table: {time: [0, 0.31, 0.315, 0.32, 0.61, 0.615, 0.62, 1], value: [0, 0, 5, 0, 0, 5, 0, 0]}}";
  EXPECT_EQ(feature_warnings_of(peaks, 0.05).size(), 1u);
  EXPECT_TRUE(feature_warnings_of(peaks, 0.001).empty());
}

TEST(PassedFeatures, SmoothBellsAndWavesOfTheStepsLengthAreNamed) {
  for (const char* history : {"\"=exp(-((t-0.5037)/1e-3)^2)\"", "\"=tanh((t-0.503)*1e4) - tanh((t-0.513)*1e4)\"",
                              "\"=1 - cos(2*pi*20*t)\"", "\"=sin(2*pi*20*t)\""}) {
    const auto warnings = feature_warnings_of(history, 0.05);
    ASSERT_EQ(warnings.size(), 1u) << history;
    EXPECT_EQ(warnings[0].find("forces.push.history changes within the step of 50 ms at t = "), 0u) << warnings[0];
    EXPECT_TRUE(feature_warnings_of(history, 0.00005).empty()) << history;
  }
}

TEST(PassedFeatures, WavesOfSixStepsAreNone) {
  EXPECT_TRUE(feature_warnings_of("\"=sin(2*pi*t/0.3)\"", 0.05).empty());
  EXPECT_TRUE(feature_warnings_of("\"=t < 0.52 ? 0 : sin(2*pi*t/0.3)\"", 0.05).empty());
}

TEST(PassedFeatures, ConstantsLinesAndRoundOffAreNone) {
  for (const char* history : {"2", "\"=3*2\"", "\"=1e6 + 1e-3*t\"", "\"=t*t\"", "\"=sin(t)^2 + cos(t)^2\""})
    EXPECT_TRUE(feature_warnings_of(history, 0.05).empty()) << history;
}

// Ten rows a step that lie on a slow wave.
TEST(PassedFeatures, ATableOfManyRowsThatIsSmoothOnTheScaleOfTheStepIsNone) {
  std::string time = "[0";
  std::string value = "[0";
  for (int i = 1; i <= 200; ++i) {
    time += ", " + std::to_string(0.005 * i);
    value += ", " + std::to_string(std::sin(3 * 0.005 * i));
  }
  EXPECT_TRUE(feature_warnings_of("{table: {time: " + time + "], value: " + value + "]}}", 0.05).empty());
}

}  // namespace
}  // namespace polhode::support
