// SPDX-License-Identifier: BSD-3-Clause
// Laws of breakpoints: all that matter, none else, and to the last bit where comparisons are linear in t.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "polhode/model/expression.hpp"

namespace polhode::model {
namespace {

using Times = std::vector<double>;
using std::numbers::pi;

Times breakpoints(const std::string& text, double t0 = 0, double t1 = 10) {
  const std::map<std::string, double, std::less<>> parameters{{"ts", 0.1 + 0.2}, {"zero", 0}};
  return Expression::parse(text, parameters, true).breakpoints(t0, t1);
}

void expect_near(const std::string& text, const Times& expected, double t0 = 0, double t1 = 10) {
  const Times found = breakpoints(text, t0, t1);
  ASSERT_EQ(found.size(), expected.size()) << text << " first: " << (found.empty() ? -1 : found[0]);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 4e-15 * t1) << text;
}

TEST(Breakpoints, AreExactWhereComparisonsAreLinear) {
  for (const std::string sign : {"<", "<=", ">", ">="}) {
    EXPECT_EQ(breakpoints("t " + sign + " ts ? 1 : 2"), Times{0.1 + 0.2}) << sign;
    EXPECT_EQ(breakpoints("ts " + sign + " t ? 1 : 2"), Times{0.1 + 0.2}) << sign;
    EXPECT_EQ(breakpoints("t - ts " + sign + " 0 ? 1 : 2"), Times{0.1 + 0.2}) << sign;
  }
  EXPECT_EQ(breakpoints("2*t - 3 < 4 ? t : 0"), Times{3.5});
  EXPECT_EQ(breakpoints("abs(t - 1/3)"), Times{1.0 / 3});
  EXPECT_EQ(breakpoints("max(t, 2, 3*t - 6)"), (Times{2, 3}));
  EXPECT_EQ(breakpoints("sign(4 - t)*(t < 0.7)"), (Times{0.7, 4}));
}

TEST(Breakpoints, AreNotWhereTwoNumbersAreEqualAtOneInstantOnly) {
  for (const std::string sign : {"==", "!="}) EXPECT_EQ(breakpoints("t " + sign + " ts ? 1 : 2"), Times{}) << sign;
  EXPECT_EQ(breakpoints("max(t, ts) == ts ? 1 : 2"), Times{0.1 + 0.2}) << "equal until then";
}

TEST(Breakpoints, AreStrictlyInsideTheInterval) {
  EXPECT_EQ(breakpoints("t < 1 ? 0 : 1", 0, 1), Times{});
  EXPECT_EQ(breakpoints("t < 1 ? 0 : 1", 1, 2), Times{});
  EXPECT_EQ(breakpoints("t < 1 ? 0 : 1", 1 - 1e-16, 2), Times{1});
  EXPECT_EQ(breakpoints("t < 1 ? 0 : 1", 2, 0), Times{});
  EXPECT_EQ(breakpoints("sin(t) > 0 ? 0 : 1", 0, pi), Times{});
  EXPECT_EQ(breakpoints("sin(t) > 0 ? 0 : 1", pi, 2 * pi), Times{});
}

TEST(Breakpoints, AreFoundWhereComparisonsAreNot) {
  expect_near("sin(3*t) > 0.5 ? 1 : 2", {pi / 18, 5 * pi / 18, 13 * pi / 18, 17 * pi / 18}, 0, 3);
  expect_near("t^2 < 2 ? 1 : 2", {std::sqrt(2)});
  expect_near("1/t < 0.4 ? 1 : 2", {2.5}, 0.1, 10);
  expect_near("max(0, t - 3) > 0 ? 1 : 2", {3});
  expect_near("abs(sin(t))", {pi, 2 * pi, 3 * pi});
  expect_near("t*abs(t - 4) - t^2 < 0 ? 1 : 2", {2});
}

TEST(Breakpoints, AreFoundInNestedConditions) {
  EXPECT_EQ(breakpoints("t < 1 ? 0 : t < 2 ? t - 1 : t < 3 ? 3 - t : 0"), (Times{1, 2, 3}));
  EXPECT_EQ(breakpoints("t < 4 ? (t < 2 ? (t < 1 ? 1 : 2) : 3) : 4"), (Times{1, 2, 4}));
  EXPECT_EQ(breakpoints("t < ts && t > 0.25 ? 1 : 0"), (Times{0.25, 0.1 + 0.2}));
  EXPECT_EQ(breakpoints("t > 1 && t < 1 + 1.0e-9 ? 1 : 0"), (Times{1, 1 + 1e-9}));
  EXPECT_EQ(breakpoints("!(t < 1 || t > 2) ? 1 : 0"), (Times{1, 2}));
  EXPECT_EQ(breakpoints("(t < 1)*3 + (t > 2 ? 1 : 0)"), (Times{1, 2}));
  expect_near("sin(t) > 0.5 && sin(t) < 0.5001 ? 1 : 0",
              {std::asin(0.5), std::asin(0.5001), pi - std::asin(0.5001), pi - std::asin(0.5)}, 0, 4);
}

TEST(Breakpoints, AreOnlyThoseThatMatter) {
  EXPECT_EQ(breakpoints("sin(t) + t^2"), Times{});
  EXPECT_EQ(breakpoints("ts < 1 ? t : abs(t - 1)"), Times{});
  EXPECT_EQ(breakpoints("abs(ts - 1) + max(ts, 2)*t"), Times{});
  EXPECT_EQ(breakpoints("t < 1 || t < 2 ? 1 : 0"), Times{2});
  EXPECT_EQ(breakpoints("t < 1 && t < 2 ? 1 : 0"), Times{1});
  EXPECT_EQ(breakpoints("t < 5 ? 0 : t < 2 ? 1 : 2"), Times{5});
  EXPECT_EQ(breakpoints("abs(t - 3) < 1 ? 1 : 0"), (Times{2, 4}));
  EXPECT_EQ(breakpoints("sin(t) > 1.5 ? 1 : 0"), Times{});
  EXPECT_EQ(breakpoints("min(t, -1)"), Times{});
}

TEST(Breakpoints, OfStairsAreAllTheirSteps) {
  EXPECT_EQ(breakpoints("floor(2*t)", 0, 2), (Times{0.5, 1, 1.5}));
  EXPECT_EQ(breakpoints("rint(t)", 0, 2), (Times{0.5, 1.5}));
  EXPECT_EQ(breakpoints("ceil(-t)", 0, 3), (Times{1, 2}));
  EXPECT_EQ(breakpoints("fmod(t, 0.5)", 0, 2), (Times{0.5, 1, 1.5}));
  EXPECT_EQ(breakpoints("rint(1000*t)").size(), 10000u);
  EXPECT_EQ(breakpoints("fmod(3*t, 0.01)").size(), 2999u);
  expect_near("floor(2.5*sin(t))", {std::asin(0.4), std::asin(0.8), pi - std::asin(0.8), pi - std::asin(0.4)}, 0, 3);
}

// Samples at whole periods see a constant; slopes and curvatures tell.
TEST(Breakpoints, OfOscillationsAreNotMissed) {
  for (const int frequency : {1, 7, 50, 256, 512}) {
    const std::string text = "sin(2*pi*" + std::to_string(frequency) + "*t) > 0.999 ? 1 : 0";
    EXPECT_EQ(breakpoints(text, 0, 1).size(), 2u * static_cast<unsigned>(frequency)) << text;
    const std::string other = "cos(2*pi*" + std::to_string(frequency) + "*t) > 0.9 ? 1 : 0";
    EXPECT_EQ(breakpoints(other, 0, 1).size(), 2u * static_cast<unsigned>(frequency)) << other;
  }
}

TEST(Breakpoints, ThatCoincideAreOne) {
  EXPECT_EQ(breakpoints("(t < ts ? 1 : 2)*(t > ts ? 3 : 4)"), Times{0.1 + 0.2});
  EXPECT_EQ(breakpoints("(t < ts ? 1 : 2)*(sin(pi*t/ts) > 0 ? 3 : 4)", 0, 0.5), Times{0.1 + 0.2});
  EXPECT_EQ(breakpoints("abs(t^2 - 4)*(t < 2)"), Times{2});
}

TEST(Breakpoints, BeginTheirOwnRightHandSide) {
  const std::string texts[] = {
      "sin(3*t) > 0.5 ? 1 : 2", "t <= 1.1 ? 1 : 2", "t/0.3 > 1/3 ? 1 : 2",        "t^3 > 2 ? 1 : 2",
      "exp(t) < 7*t ? 1 : 2",   "floor(t/0.1)",     "fmod(t, 0.1) < 0.07 ? 1 : 2"};
  for (const auto& text : texts) {
    const Expression f = Expression::parse(text, {}, true);
    const Times times = f.breakpoints(0, 5);
    EXPECT_FALSE(times.empty()) << text;
    for (const double t : times) {
      EXPECT_EQ(f(t).value, f(t + 1e-9).value) << text << " at " << t;
      EXPECT_NE(f(t).value, f(t - 1e-9).value) << text << " at " << t;
    }
  }
}

}  // namespace
}  // namespace polhode::model
