// SPDX-License-Identifier: BSD-3-Clause
// Entries of a deck: values under the names of their fields, with the types that the fields declare.
#include <gtest/gtest.h>

#include <set>

#include "polhode/model/field.hpp"
#include "polhode/model/settings.hpp"

namespace polhode::model {
namespace {

Entry hinge() {
  Entry entry;
  entry.name = "hinge";
  entry.family = Family::joint;
  entry.values.emplace("friction.coefficient", 0.25);
  entry.values.emplace("axis", math::VectorX(math::Vec3(0, 3, 4)));
  entry.values.emplace("locked", true);
  entry.values.emplace("connects", std::vector<std::string>{"ground", "rod"});
  return entry;
}

TEST(Entry, PathsAreThoseOfTheDeck) {
  std::set<std::string_view> lists;
  for (const Family family : {Family::body, Family::beam, Family::joint, Family::force}) {
    Entry entry;
    entry.name = "x";
    entry.family = family;
    EXPECT_EQ(entry.path(), std::string(deck_key(family)) + ".x");
    EXPECT_EQ(entry.path("k"), entry.path() + ".k");
    lists.insert(deck_key(family));
  }
  EXPECT_EQ(lists, (std::set<std::string_view>{"bodies", "beams", "joints", "forces"}));
}

TEST(Entry, WhatTheDeckDoesNotGiveIsWhatTheKindSays) {
  const Entry entry = hinge();
  EXPECT_TRUE(entry.has("friction.coefficient"));
  EXPECT_FALSE(entry.has("friction"));
  EXPECT_EQ(entry.number("friction.coefficient", 7), 0.25);
  EXPECT_EQ(entry.number("friction.radius", 7), 7);
  EXPECT_EQ(entry.flag("locked", false), true);
  EXPECT_EQ(entry.flag("driven", false), false);
  EXPECT_EQ(entry.vector3("axis", math::Vec3::Ones()), math::Vec3(0, 3, 4)) << "as given, not normalized";
  EXPECT_EQ(entry.vector3("at", math::Vec3::Ones()), math::Vec3::Ones());
}

TEST(Entry, AValueOfAnotherTypeThanItsFieldIsNeverTaken) {
  const Entry entry = hinge();
  EXPECT_THROW(entry.number("axis"), std::bad_variant_access);
  EXPECT_THROW(entry.number("locked", 1), std::bad_variant_access);
  EXPECT_THROW(entry.flag("axis", true), std::bad_variant_access);
  EXPECT_THROW(entry.vector3("connects", math::Vec3::Zero()), std::bad_variant_access);
  EXPECT_THROW(entry.text("connects"), std::bad_variant_access);
}

TEST(Given, KnowsKeysAsTheyStandAndTheirPaths) {
  const std::string_view keys[] = {"step", "duration"};
  const Given given{.path = "analysis.1", .keys = keys};
  EXPECT_TRUE(given.has("step"));
  EXPECT_FALSE(given.has("ste"));
  EXPECT_FALSE(given.has(""));
  EXPECT_EQ(given.path_of("step"), "analysis.1.step");
}

}  // namespace
}  // namespace polhode::model
