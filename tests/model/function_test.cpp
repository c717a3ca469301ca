// SPDX-License-Identifier: BSD-3-Clause
// Laws of functions of time: tables meet their knots, hold their ends, and know their kinks.
#include "polhode/model/function.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode::model {
namespace {

using Times = std::vector<double>;
const Times time{1, 2, 4, 5, 7};
const Times value{3, -1, 2, 2, 0};

TEST(Table, MeetsItsKnotsAndHoldsItsEnds) {
  for (const auto interpolation : {Interpolation::linear, Interpolation::cubic}) {
    const Table table(time, value, interpolation);
    for (std::size_t i = 0; i < time.size(); ++i) EXPECT_DOUBLE_EQ(table(time[i]).value, value[i]);
    for (const double t : {-10.0, 0.999}) EXPECT_EQ(table(t).value, 3);
    for (const double t : {7.0, 7.1, 100.0}) {
      const Jet jet = table(t);
      EXPECT_EQ(jet.value, 0);
      EXPECT_EQ(jet.first, 0);
      EXPECT_EQ(jet.second, 0);
    }
  }
}

TEST(Table, LinearHasTheSlopeToTheRight) {
  const Table table(time, value, Interpolation::linear);
  EXPECT_EQ(table(1).first, -4);
  EXPECT_EQ(table(2).first, 1.5);
  EXPECT_EQ(table(3).first, 1.5);
  EXPECT_EQ(table(3).value, 0.5);
  EXPECT_EQ(table(3).second, 0);
}

TEST(Table, CubicHasContinuousDerivativesAndIsNatural) {
  const Table table(time, value, Interpolation::cubic);
  for (std::size_t i = 1; i + 1 < time.size(); ++i) {
    const Jet left = table(time[i] - 1e-12);
    const Jet right = table(time[i]);
    EXPECT_NEAR(left.first, right.first, 1e-10);
    EXPECT_NEAR(left.second, right.second, 1e-10);
  }
  EXPECT_NEAR(table(1).second, 0, 1e-12);
  EXPECT_NEAR(table(7 - 1e-12).second, 0, 1e-10);
  for (double t = 1.05; t < 7; t += 0.1) {
    const double h = 1e-5;
    EXPECT_NEAR(table(t).first, (table(t + h).value - table(t - h).value) / (2 * h), 1e-8);
    EXPECT_NEAR(table(t).second, (table(t + h).first - table(t - h).first) / (2 * h), 1e-8);
  }
}

// A natural spline is the straight line through data on a line, and of order 4 away from the ends.
TEST(Table, CubicReproducesLinesAndConverges) {
  const Table line({0, 1, 3, 4}, {1, 3, 7, 9}, Interpolation::cubic);
  EXPECT_DOUBLE_EQ(line(2.5).value, 6);
  EXPECT_DOUBLE_EQ(line(2.5).first, 2);
  const auto error = [](int n) {
    Times x;
    Times y;
    for (int i = 0; i <= n; ++i) {
      x.push_back(10.0 * i / n);
      y.push_back(std::sin(x.back()));
    }
    const Table table(x, y, Interpolation::cubic);
    double worst = 0;
    for (double t = 4; t < 6; t += 0.01) worst = std::max(worst, std::abs(table(t).value - std::sin(t)));
    return worst;
  };
  EXPECT_NEAR(std::log2(error(40) / error(80)), 4, 0.3);
}

TEST(Table, BreaksWhereTheSlopeChanges) {
  EXPECT_EQ(Table(time, value, Interpolation::linear).breakpoints(0, 10), time);
  EXPECT_EQ(Table(time, value, Interpolation::linear).breakpoints(1, 5), (Times{2, 4}));
  EXPECT_EQ(Table(time, value, Interpolation::cubic).breakpoints(0, 10), (Times{1, 7}));
  EXPECT_EQ(Table({0, 0.1, 0.2, 0.3}, {0, 0.3, 0.6, 0.9}, Interpolation::linear).breakpoints(-1, 1), (Times{0, 0.3}));
  EXPECT_EQ(Table({0, 1, 2}, {5, 5, 6}, Interpolation::linear).breakpoints(-1, 3), (Times{1, 2}));
}

// Against many looks between the rows.
TEST(Table, SwingsOfASplineAreItsExtremesBeyondItsRows) {
  for (const Times& rows : {Times{0, 0.5, 0.5001, 0.5002, 1}, Times{0, 1, 2, 3, 4}, Times{0, 1, 1.1, 3, 4}}) {
    const Times values{0, 0, 1, 0, 0.2};
    const Table table(rows, values, Interpolation::cubic);
    double most = 0;
    for (int i = 0; i <= 1000000; ++i) {
      const double there = table(rows.back() * i / 1000000).value;
      most = std::max({most, there - 1, -there});
    }
    const Table::Swing swing = table.widest_swing();
    EXPECT_NEAR(swing.beyond, most, 1e-4 * most);
    EXPECT_EQ(table(swing.t).value, swing.value);
    EXPECT_EQ(Table(rows, values, Interpolation::linear).widest_swing().beyond, 0);
  }
}

TEST(Table, WithoutSwingsHasNone) {
  EXPECT_EQ(Table({0, 1, 2}, {3, 3, 3}, Interpolation::cubic).widest_swing().beyond, 0);
  EXPECT_EQ(Table({0, 1, 2, 3}, {0, 1, 2, 3}, Interpolation::cubic).widest_swing().beyond, 0);
  EXPECT_EQ(Table({0, 2}, {1, 7}, Interpolation::cubic).widest_swing().beyond, 0);
}

TEST(Table, RefusesWhatIsNoTable) {
  const auto reason = [](Times t, Times v) -> std::string {
    try {
      Table(std::move(t), std::move(v), Interpolation::linear);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(reason({0}, {1}), "a table needs at least two rows");
  EXPECT_EQ(reason({0, 1}, {1}), "a table needs as many values as times: 2 times, 1 values");
  EXPECT_EQ(reason({0, 1, 1}, {1, 2, 3}), "times must ascend strictly: row 3 of the table does not come after row 2");
  EXPECT_EQ(reason({0, 1}, {1, std::numeric_limits<double>::infinity()}), "row 2 of the table is not finite");
  EXPECT_EQ(reason({0, 1}, {1, 2}), "");
}

TEST(TimeFunction, IsAConstantAnExpressionOrATable) {
  const TimeFunction constant(3.5);
  EXPECT_EQ(constant(1).value, 3.5);
  EXPECT_EQ(constant(1).first, 0);
  EXPECT_TRUE(constant.is_constant());
  EXPECT_EQ(constant.breakpoints(0, 1), Times{});
  const TimeFunction expression(Expression::parse("abs(t - 1)*3", {}, true));
  EXPECT_EQ(expression(3).first, 3);
  EXPECT_FALSE(expression.is_constant());
  EXPECT_EQ(expression.breakpoints(0, 2), Times{1});
  EXPECT_TRUE(TimeFunction(Expression::parse("2*pi", {}, true)).is_constant());
  const TimeFunction table(Table(time, value, Interpolation::linear));
  EXPECT_EQ(table(3).value, 0.5);
  EXPECT_EQ(table.breakpoints(3, 4.5), Times{4});
  EXPECT_FALSE(table.is_constant());
}

}  // namespace
}  // namespace polhode::model
