// SPDX-License-Identifier: BSD-3-Clause
// Output times come once each, in order, and ends within round-off count.
#include "polhode/results/output_times.hpp"

#include <gtest/gtest.h>

using namespace polhode;

namespace {

TEST(OutputTimes, ComeOnceEachAndEndsCount) {
  results::OutputSettings settings;
  settings.interval = 0.25;
  results::OutputTimes every(settings);
  EXPECT_EQ(every.next(0, 0.2), std::nullopt);
  EXPECT_EQ(every.next(0.2, 0.6), 0.25);
  EXPECT_EQ(every.next(0.2, 0.6), 0.5);
  EXPECT_EQ(every.next(0.2, 0.6), std::nullopt);
  EXPECT_EQ(every.next(0.6, 0.75 + 1e-14), 0.75 + 1e-14) << "an end within round-off is the end";
  EXPECT_EQ(every.next(0.75 + 1e-14, 0.9), std::nullopt);
  results::OutputSettings list;
  list.times = {0.1, 0.4, 2};
  results::OutputTimes some(list);
  EXPECT_EQ(some.next(0, 1), 0.1);
  EXPECT_EQ(some.next(0, 1), 0.4);
  EXPECT_EQ(some.next(0, 1), std::nullopt);
}

TEST(OutputTimes, OfAnIntervalGoOnAfterALongPause) {
  results::OutputSettings settings;
  settings.interval = 0.1;
  results::OutputTimes times(settings);
  EXPECT_TRUE(times.any());
  EXPECT_DOUBLE_EQ(times.next(1.05, 1.25).value(), 1.1);
  EXPECT_DOUBLE_EQ(times.next(1.05, 1.25).value(), 1.2);
  EXPECT_EQ(times.next(1.05, 1.25), std::nullopt);
}

TEST(ExpectedStates, CountBothEndsOfAnAnalysis) {
  results::OutputSettings by_steps;
  by_steps.every = 3;
  EXPECT_FALSE(results::OutputTimes(by_steps).any());
  EXPECT_EQ(results::expected_states(by_steps, 0, 1, 10), 5);  // 0, 3, 6, 9, 10
  results::OutputSettings regular;
  regular.interval = 0.25;
  EXPECT_EQ(results::expected_states(regular, 0, 1, 1000), 5);
  EXPECT_EQ(results::expected_states(regular, 0, 1 + 1e-12, 1000), 5) << "an end within round-off is the end";
  results::OutputSettings list;
  list.times = {0.5, 1.0, 1.5, 2.5};
  EXPECT_EQ(results::expected_states(list, 1, 1, 1000), 3);  // both ends, and 1.5
}

}  // namespace
