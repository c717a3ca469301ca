// SPDX-License-Identifier: BSD-3-Clause
// Bells and smooth pulses that steps under control would pass over are found before the run, and run through with short
// steps; waves, ramps and what breakpoints show are left alone.
#include "analyses/transient/narrow_features.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "support/methods.hpp"
#include "support/transients.hpp"

namespace polhode::support {
namespace {

using analyses::NarrowFeature;

model::TimeFunction function_of(const std::string& text) { return model::Expression::parse(text, {}, true); }

std::vector<NarrowFeature> features_of(const model::TimeFunction& function, double longest_step = 0.2) {
  return analyses::find_narrow_features(function, {0, 1, longest_step, 1L << 15});
}

TEST(NarrowFeatures, BellsHaveASideBeforeAndOneBehind) {
  for (const double width : {1e-5, 1e-4, 1e-3, 1e-2})
    for (const double longest : {0.2, 0.09}) {
      const auto features = features_of(function_of("exp(-((t - 0.5037)/" + std::to_string(width) + ")^2)"), longest);
      ASSERT_EQ(features.size(), 1u) << width;
      EXPECT_LT(features[0].begin, 0.5037 - 3 * width);
      EXPECT_GT(features[0].end, 0.5037 + 3 * width);
      EXPECT_LT(features[0].end - features[0].begin, 20 * width + 4.0 / (1L << 15)) << width;
    }
}

TEST(NarrowFeatures, APulseOfTwoSmoothRampsIsInThem) {
  const auto features = features_of(function_of("tanh((t-0.503)*1e5) - tanh((t-0.5033)*1e5)"));
  ASSERT_FALSE(features.empty());
  EXPECT_LT(features.front().begin, 0.503);
  EXPECT_GT(features.back().end, 0.5033);
  EXPECT_LT(features.back().end - features.front().begin, 2e-3);
}

TEST(NarrowFeatures, ASmallBellOnALongRampIsFound) {
  EXPECT_EQ(features_of(function_of("t + 0.05*exp(-((t-0.5037)/1e-4)^2)")).size(), 1u);
}

TEST(NarrowFeatures, ThatAreApartAreSeveral) {
  const auto features = features_of(function_of("exp(-((t-0.2)/1e-3)^2) + exp(-((t-0.4)/1e-3)^2)"));
  ASSERT_EQ(features.size(), 2u);
  EXPECT_LT(features[0].end, features[1].begin);
}

TEST(NarrowFeatures, APeakOfASplineIsOne) {
  std::vector<double> time;
  std::vector<double> value;
  for (int i = 0; i <= 1000; ++i) {
    time.push_back(0.001 * i);
    value.push_back(i == 503 ? 1 : 0);
  }
  EXPECT_EQ(features_of(model::Table(time, value, model::Interpolation::cubic)).size(), 1u);
}

TEST(NarrowFeatures, WavesOfAnyFrequencyAreNone) {
  for (const double frequency :
       {0.3, 0.5, 0.7, 1.0, 1.6, 1.7, 1.8, 2.0, 3.0, 7.0, 15.0, 16.0, 60.0, 66.0, 100.0, 1000.0})
    for (const double longest : {0.2, 0.005})
      EXPECT_TRUE(features_of(function_of("sin(2*pi*t*" + std::to_string(frequency) + ")"), longest).empty())
          << frequency << " " << longest;
  for (const char* text : {"exp(-20*t)*sin(200*t)", "sin(300*t*t)", "sin(50*t)*sin(3*t)", "sin(10*t) + 0.1*sin(300*t)"})
    EXPECT_TRUE(features_of(function_of(text)).empty()) << text;
}

TEST(NarrowFeatures, RampsConstantsAndRoundOffAreNone) {
  for (const char* text : {"2", "t", "t*t", "sqrt(t)", "tanh(3*(t-0.5))", "1e6 + 1e-3*sin(3*t)", "sin(t)^2 + cos(t)^2"})
    EXPECT_TRUE(features_of(function_of(text)).empty()) << text;
}

TEST(NarrowFeatures, WhatBreakpointsShowIsNone) {
  for (const char* text : {"t > 0.51 && t < 0.513 ? 1000 : 0", "t < 0.5 ? 0 : t < 0.501 ? (t - 0.5)*1000 : 1",
                           "t < 0.5 ? 0 : t < 0.501 ? sin(pi*(t - 0.5)*1000)^2 : 0", "abs(sin(300*t))", "rint(10*t)",
                           "t == 0.5 ? 1e6 : 0"})
    EXPECT_TRUE(features_of(function_of(text)).empty()) << text;
  const model::Table peak({0, 0.5, 0.505, 0.51, 1}, {0, 0, 5, 0, 0}, model::Interpolation::linear);
  EXPECT_TRUE(features_of(peak).empty());
}

TEST(ShortSteps, AreStopsWithABoundBetweenThem) {
  const std::vector<double> breakpoints{0.3, 0.55};
  const std::vector<analyses::ShortSteps> spans{{0.5, 0.6, 0.005}, {0.58, 0.7, 0.002}, {-0.1, 0.1, 0.01}};
  const auto stops = analyses::find_stops(breakpoints, {}, 0, 1, spans);
  std::vector<double> times;
  std::vector<double> longest;
  for (const analyses::Stop& stop : stops) {
    times.push_back(stop.t);
    longest.push_back(stop.longest);
  }
  constexpr double free = std::numeric_limits<double>::infinity();
  EXPECT_EQ(times, (std::vector<double>{0.1, 0.3, 0.5, 0.55, 0.58, 0.6, 0.7, 1}));
  EXPECT_EQ(longest, (std::vector<double>{0.01, free, free, 0.005, 0.005, 0.002, 0.002, free}));
}

// The impulse of the bell, sqrt(pi) 1e-4 s 1e4 N, over 2 kg; without a look at the history all methods pass over it.
TEST(NarrowFeatures, OfALoadActInFullUnderControl) {
  for (const std::string& method :
       support::and_of_sundials({"lie_alpha", "lie_alpha_index2", "ul_crv", "ul_rotation_vector", "rosenbrock4",
                                 "rosenbrock_w2", "radau5"})) {
    const Transient run(pushed("1e4*exp(-((t-0.5037)/1e-4)^2)", "{tolerance: 1.0e-4}", method));
    EXPECT_EQ(run.result.end, TransientResult::End::done) << method;
    const double exact = std::sqrt(std::numbers::pi) / 2;
    EXPECT_NEAR(run.q.v[1][0], exact, 0.02 * exact) << method;
    const auto& notices = run.result.notices;
    EXPECT_TRUE(std::any_of(notices.begin(), notices.end(), [](const std::string& line) {
      return line.starts_with("forces.push.history changes fast for about ") &&
             line.find(" ms near t = 0.503") != std::string::npos;
    })) << method;
  }
}

}  // namespace
}  // namespace polhode::support
