// SPDX-License-Identifier: BSD-3-Clause
// Which restart points a file keeps, and how a damaged one is known.
#include "io/hdf5/restart_points.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "io/hdf5/restart_head.hpp"

namespace polhode::io {
namespace {

// Numbers in a file after so many points.
std::vector<long> kept_of(long points, bool all) {
  std::map<long, long> places;
  for (long number = 1; number <= points; ++number) places[place_of({.number = number, .step = number}, all)] = number;
  std::vector<long> kept;
  for (const auto& [place, number] : places) kept.push_back(number);
  std::sort(kept.begin(), kept.end());
  return kept;
}

TEST(RestartPoints, AreAllKeptWhereTheDeckSaysTheirNumber) { EXPECT_EQ(kept_of(100, true).size(), 100U); }

// From any point back, one is kept no further away than a quarter of the way to the last one.
TEST(RestartPoints, AreTheFewerTheLongerAgo) {
  for (const long points : {1L, 2L, 5L, 37L, 1000L, 4095L, 4096L, 100000L}) {
    const std::vector<long> kept = kept_of(points, false);
    EXPECT_EQ(kept.back(), points);
    EXPECT_LE(static_cast<double>(kept.size()), 4 + 4 * std::log2(points)) << points;
    for (long wanted = 1; wanted <= points; wanted += 1 + points / 500) {
      const auto above = std::upper_bound(kept.begin(), kept.end(), wanted);
      const long before = above == kept.begin() ? 0 : *std::prev(above);
      EXPECT_LE(wanted - before, std::max(1L, (points - wanted) / 2)) << wanted << " of " << points;
    }
  }
}

TEST(RestartPoints, AtTheBeginOfAnAnalysisHavePlacesOfTheirOwn) {
  EXPECT_NE(place_of({.number = 4, .analysis = 1}, false), place_of({.number = 4, .analysis = 2}, false));
  EXPECT_LT(place_of({.number = 4, .analysis = 1}, false), 0);
}

TEST(RestartPoints, OfWhichAWordIsDamagedAreNotWhole) {
  const std::vector<double> body{1, 2, 3};
  const RestartHead point{
      .number = 7, .analysis = 1, .step = 40, .time = 0.5, .any_duration = true, .states = 9, .steps = 40};
  const auto first = words_of(point, body);
  std::vector<double> words(first.begin(), first.end());
  words.insert(words.end(), body.begin(), body.end());
  const auto found = head_at(words, words.size());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->words, 3U);
  EXPECT_EQ(found->head.number, 7);
  EXPECT_EQ(found->head.step, 40);
  EXPECT_EQ(found->head.time, 0.5);
  EXPECT_TRUE(found->head.any_duration);
  EXPECT_EQ(found->head.states, 9U);
  EXPECT_TRUE(is_whole(words, *found));
  EXPECT_FALSE(head_at(words, words.size() - 1)) << "longer than what is there";
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::vector<double> damaged = words;
    damaged[i] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(damaged[i]) ^ 4);
    const auto other = head_at(damaged, damaged.size());
    EXPECT_FALSE(other && is_whole(damaged, *other)) << i;
  }
}

}  // namespace
}  // namespace polhode::io
