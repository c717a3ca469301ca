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

// Any one slip: a letter dropped, doubled by another, replaced, or swapped with its neighbor.
TEST(NearestName, FindsEachNameBehindAnyOneSlip) {
  const std::vector<std::string> keys{"position", "velocity", "duration", "integrator",  "tolerance",
                                      "gravity",  "inertia",  "step",     "orientation", "mass"};
  for (const std::string& key : keys)
    for (std::size_t i = 0; i < key.size(); ++i) {
      std::string dropped = key;
      std::string inserted = key;
      std::string replaced = key;
      std::string swapped = key;
      dropped.erase(i, 1);
      inserted.insert(i, 1, 'q');
      replaced[i] = 'q';
      std::swap(swapped[i], swapped[i + 1 < key.size() ? i + 1 : 0]);
      for (const std::string& slip : {dropped, inserted, replaced}) EXPECT_EQ(nearest_name(slip, keys), key) << slip;
      if (i + 1 < key.size()) {
        EXPECT_EQ(nearest_name(swapped, keys), key) << swapped;
      }
    }
}

// Names are ASCII; other bytes are letters that differ.
TEST(NearestName, TakesAnyBytes) {
  EXPECT_EQ(nearest_name("m\xc3\xa4ss", {"mass"}), "");
  EXPECT_EQ(nearest_name("st\xc3\xa4" "ffness", {"stiffness"}), "stiffness");
  EXPECT_EQ(nearest_name(std::string(3000, 'x'), {"stiffness"}), "");
}

}  // namespace
}  // namespace polhode::model
