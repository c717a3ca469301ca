// SPDX-License-Identifier: BSD-3-Clause
// Laws of the nearest name: what a reader would have guessed, and nothing where there is nothing to guess.
#include "polhode/model/problem.hpp"

#include <gtest/gtest.h>

namespace polhode::model {
namespace {

const std::vector<std::string> known{"stiffness", "damping", "mass", "EA", "free_length", "free_angle"};

TEST(NearestName, ForgivesASlipOfTheFingers) {
  EXPECT_EQ(nearest_name("stifness", known), "stiffness");
  EXPECT_EQ(nearest_name("dmaping", known), "damping");
  EXPECT_EQ(nearest_name("Mass", known), "mass");
  EXPECT_EQ(nearest_name("ea", known), "EA");
  EXPECT_EQ(nearest_name("free_lenght", known), "free_length");
  EXPECT_EQ(nearest_name("mass", known), "mass");
}

TEST(NearestName, IsEmptyWhereNothingIsNear) {
  EXPECT_EQ(nearest_name("gravity", known), "");
  EXPECT_EQ(nearest_name("x", {"t", "pi"}), "");
  EXPECT_EQ(nearest_name("", known), "");
  EXPECT_EQ(nearest_name("mass", {}), "");
  EXPECT_EQ(nearest_name("rint", {"joints", "points"}), "");
  EXPECT_EQ(nearest_name("duration", {"rotation"}), "");
}

TEST(NearestName, ForgivesOneLetterMoreWhereTheBeginIsRight) {
  EXPECT_EQ(nearest_name("energies", {"energy"}), "energy");
}

TEST(NearestName, TakesTheNearestAndTheFirstOfEquals) {
  EXPECT_EQ(nearest_name("masse", {"masses", "mass"}), "masses");
  EXPECT_EQ(nearest_name("free_lengths", {"free_angle", "free_length"}), "free_length");
}

}  // namespace
}  // namespace polhode::model
