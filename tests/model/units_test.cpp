// SPDX-License-Identifier: BSD-3-Clause
// Units of a deck: names and sizes of what follows from them.
#include "polhode/model/units.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "polhode/model/units_in_text.hpp"

namespace polhode::model {
namespace {

Units read(std::string length, std::string mass, std::string of_time, std::string force, Problems& problems) {
  Units units{std::move(length), std::move(mass), std::move(of_time), std::move(force)};
  const std::vector<std::string_view> keys =
      units.force.empty() ? std::vector<std::string_view>{"length"} : std::vector<std::string_view>{"length", "force"};
  units_table.complete(&units, {.path = "units", .keys = keys}, problems);
  return units;
}
Units sound(std::string length, std::string mass, std::string of_time, std::string force = "") {
  Problems problems;
  Units units = read(std::move(length), std::move(mass), std::move(of_time), std::move(force), problems);
  EXPECT_TRUE(problems.empty()) << problems.front().message;
  return units;
}

TEST(Units, OfSiStayAsTheyAre) {
  const Units si;
  for (const char* unit : {"m", "N m", "J", "kg m^2", "", "1", "rad/s"}) {
    EXPECT_EQ(si.name_of(unit), unit);
    EXPECT_EQ(si.size_of(unit), 1);
  }
}

TEST(Units, AreNamedInProductsQuotientsAndLists) {
  const Units mm = sound("mm", "t", "s");
  EXPECT_EQ(mm.force, "N");
  EXPECT_EQ(mm.name_of("N, N m"), "N, N mm");
  EXPECT_EQ(mm.name_of("m/s^2"), "mm/s^2");
  EXPECT_EQ(mm.name_of("kg m^2"), "t mm^2");
  EXPECT_EQ(mm.name_of("J"), "N mm");
  EXPECT_EQ(mm.name_of("N m s/rad"), "N mm s/rad");
  EXPECT_EQ(mm.name_of("1/m"), "1/mm");
  const Units ms = sound("mm", "kg", "ms");
  EXPECT_EQ(ms.force, "kN");
  EXPECT_EQ(ms.name_of("Hz"), "1/ms");
  EXPECT_EQ(ms.name_of("W"), "kN mm/ms");
}

TEST(Units, LeaveWordsThatAreNoneAsTheyAre) {
  EXPECT_EQ(sound("mm", "t", "s").name_of("by the units of the inputs"), "by the units of the inputs");
  EXPECT_EQ(sound("mm", "t", "s").name_of("1"), "1");
}

// 9.81 m/s^2 is 9810 mm/s^2; the density of steel 7.85e-9 t/mm^3.
TEST(Units, HaveTheirSizesInSi) {
  const Units mm = sound("mm", "t", "s", "N");
  EXPECT_DOUBLE_EQ(9810 * mm.size_of("m/s^2"), 9.81);
  EXPECT_NEAR(7.85e-9 * mm.size_of("kg/m^3"), 7850, 1e-9);
  EXPECT_NEAR(2.1e5 * mm.size_of("Pa"), 2.1e11, 1e-2);
  EXPECT_DOUBLE_EQ(mm.size_of("J"), 1e-3);
  EXPECT_DOUBLE_EQ(sound("m", "kg", "ms").size_of("Hz"), 1e3);
}

TEST(Units, OfPoundsAndInchesFitTogether) {
  for (const auto& [length, mass] : {std::pair("ft", "slug"), std::pair("in", "slinch")}) {
    const Units units = sound(length, mass, "s", "lbf");
    EXPECT_NEAR(units.size_of("N"), 4.4482216152605, 1e-12);
  }
}

TEST(Units, RefuseAForceThatDoesNotFitAndNameTheOneThatDoes) {
  Problems problems;
  read("mm", "kg", "s", "N", problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "units.force");
  EXPECT_NE(problems[0].message.find("is 0.001 N"), std::string::npos) << problems[0].message;
  EXPECT_NE(problems[0].message.find("fits is 1 mN"), std::string::npos) << problems[0].message;
}

TEST(Units, StandInMessagesBehindTheirNumbers) {
  const Units mm = sound("mm", "t", "ms");
  for (const auto& [si, own] : {
           std::pair("energy 3e-4 J at the start, -2 J of work", "energy 3e-4 MN mm at the start, -2 MN mm of work"),
           std::pair("worst 0.1 J at t = 0.01 s, 7 m and 2 N m", "worst 0.1 MN mm at t = 0.01 ms, 7 mm and 2 MN mm"),
           std::pair("CPU time 0.3 s: reading 0.1", "CPU time 0.3 s: reading 0.1"),
           std::pair("2 m/s^2, 3 motions, [4] N m s, 5 nodes", "2 m/s^2, 3 motions, [4] MN mm ms, 5 nodes"),
       })
    EXPECT_EQ(in_units_of_deck(si, mm), own);
  EXPECT_EQ(in_units_of_deck("1 J", Units()), "1 J");
}

TEST(Units, NameAForceWithoutANameByItsParts) { EXPECT_EQ(sound("cm", "kg", "s").force, "kg cm/s^2"); }

}  // namespace
}  // namespace polhode::model
