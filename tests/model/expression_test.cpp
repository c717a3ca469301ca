// SPDX-License-Identifier: BSD-3-Clause
// Laws of expressions: syntax, exact derivatives, values where branches meet.
#include "polhode/model/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace polhode::model {
namespace {

const std::map<std::string, double, std::less<>> parameters{{"a", 0.7}, {"omega", -5}, {"ts", 0.5}, {"zero", 0}};

Expression of(const std::string& text) { return Expression::parse(text, parameters, true); }
double number(const std::string& text) { return Expression::parse(text, parameters, false)(0).value; }

ExpressionError error_of(const std::string& text, bool allow_time = true) {
  try {
    Expression::parse(text, parameters, allow_time);
  } catch (const ExpressionError& error) {
    return error;
  }
  ADD_FAILURE() << "no error: " << text;
  return {0, ""};
}

TEST(Expression, BindsAsMuParserDoes) {
  EXPECT_EQ(number("1 + 2*3"), 7);
  EXPECT_EQ(number("2^3^2"), 512);
  EXPECT_EQ(number("-2^2"), -4);
  EXPECT_EQ(number("2^-1"), 0.5);
  EXPECT_EQ(number("-2^-2*3"), -0.75);
  EXPECT_EQ(number("8/4/2"), 1);
  EXPECT_EQ(number("8 - 4 - 2"), 2);
  EXPECT_EQ(number("+ - + 3"), -3);
  EXPECT_EQ(number("1 < 2 && 3 > 2 || 0"), 1);
  EXPECT_EQ(number("1 || 0 && 0"), 1);
  EXPECT_EQ(number("!0 + 1"), 2);
  EXPECT_EQ(number("1 + 1 == 2"), 1);
  EXPECT_EQ(number("1 != 1"), 0);
  EXPECT_EQ(number("0 ? 1 : 0 ? 2 : 3"), 3);
  EXPECT_EQ(number("1 ? 0 ? 4 : 5 : 3"), 5);
  EXPECT_EQ(number("(1 < 2) + (2 <= 2) + (2 >= 3)"), 2);
  EXPECT_EQ(number(".5e1 + 1.e-1 + 4.0e+7"), 40000005.1);
}

// Each sign once: twice as long with every sign would be for ever.
TEST(Expression, ARowOfSignsIsReadAtOnce) {
  const Expression e = Expression::parse(std::string(151, '-') + "t < -0.5 ? 2 : 3", {}, true);
  EXPECT_EQ(e.breakpoints(0, 1), std::vector<double>{0.5});
  EXPECT_EQ(e(0.25).value, 3);
  EXPECT_EQ(e(0.75).value, 2);
}

TEST(Expression, KnowsTheUsualFunctions) {
  EXPECT_EQ(number("5*pi/180"), 5 * std::numbers::pi / 180);
  EXPECT_EQ(number("log(a)"), std::log(0.7));
  EXPECT_EQ(number("ln(a)"), std::log(0.7));
  EXPECT_EQ(number("log2(8) + log10(1000)"), 6);
  EXPECT_EQ(number("min(3, 1, 2) + max(3, 1, 2) + sum(1, 2, 3) + avg(1, 2, 6) + min(4)"), 17);
  EXPECT_EQ(number("rint(2.5) + rint(-2.5) + rint(0.49999999999999994) + sign(-3) + sign(0)"), 0);
  EXPECT_EQ(number("floor(-0.5) + ceil(0.5) + cbrt(-8) + abs(-2)"), 0);
  EXPECT_EQ(number("atan2(1, -1)"), std::atan2(1, -1));
  EXPECT_EQ(number("hypot(3, 4) + pow(2, 3) + fmod(7, 4)"), 16);
}

// The first derivative against Richardson's differences of the value, the second against those of the first.
TEST(Expression, DerivativeMatchesDifferences) {
  const std::string texts[] = {"3",
                               "t",
                               "-t",
                               "t + t^2",
                               "t - 1/t",
                               "t*sin(t)*exp(t)",
                               "(1 + t)/(2 + t^3)",
                               "2/t",
                               "t/3",
                               "sin(2*t)",
                               "cos(t^2)",
                               "tan(t)",
                               "asin(t/2)",
                               "acos(t/2)",
                               "atan(3*t)",
                               "atan2(sin(t), t)",
                               "atan2(t, -2)",
                               "sinh(t)",
                               "cosh(t^2)",
                               "tanh(2*t)",
                               "asinh(t)",
                               "acosh(2 + t)",
                               "atanh(t/2)",
                               "exp(-t^2)",
                               "log(t)",
                               "ln(1 + t^2)",
                               "log2(t)",
                               "log10(t + 2)",
                               "sqrt(t)",
                               "cbrt(t)",
                               "cbrt(-t)",
                               "t^3",
                               "t^4.5",
                               "t^-2",
                               "2^t",
                               "t^t",
                               "(1 + t^2)^sin(t)",
                               "(t - 5)^3",
                               "pow(t, 1)",
                               "t^0",
                               "hypot(t, 1 + t^2)",
                               "abs(t - 3)^3",
                               "min(t^2, 5)",
                               "max(t^2, 0, t^3)",
                               "sum(t, t^2, 1)",
                               "avg(t, t^3)",
                               "fmod(5*t, 0.9)",
                               "sign(t - 9)*t^2",
                               "floor(t)*t^2",
                               "rint(3*t)*t",
                               "ceil(t/7)*t^3",
                               "t < ts ? omega/ts*(t^2/2 + (ts/(2*pi))^2*(cos(2*pi*t/ts) - 1)) : omega*(t - ts/2)",
                               "!(t > 2) ? t^2 : t",
                               "t > 0.1 && t < 0.2 || t > 1 ? sin(t) : cos(t)",
                               "(t < 3)*t^2"};
  for (const auto& text : texts) {
    const Expression f = of(text);
    for (const double t : {0.13, 0.47, 0.92, 1.31}) {
      const auto slope = [&](auto member, double h) { return ((f(t + h).*member) - (f(t - h).*member)) / (2 * h); };
      const auto difference = [&](auto member) { return (4 * slope(member, 5e-4) - slope(member, 1e-3)) / 3; };
      const Jet jet = f(t);
      const double scale = 1 + std::abs(jet.value) + std::abs(jet.first) + std::abs(jet.second);
      EXPECT_NEAR(jet.first, difference(&Jet::value), 1e-8 * scale) << text << " at " << t;
      EXPECT_NEAR(jet.second, difference(&Jet::first), 2e-8 * scale) << text << " at " << t;
    }
  }
}

void expect_jet(const std::string& text, double t, Jet expected) {
  const Jet jet = of(text)(t);
  EXPECT_DOUBLE_EQ(jet.value, expected.value) << text << " at " << t;
  EXPECT_DOUBLE_EQ(jet.first, expected.first) << text << " at " << t;
  EXPECT_DOUBLE_EQ(jet.second, expected.second) << text << " at " << t;
}

TEST(Expression, PowersHaveFiniteDerivativesAtZero) {
  expect_jet("t^0", 0, {1, 0, 0});
  expect_jet("t^1", 0, {0, 1, 0});
  expect_jet("t^2", 0, {0, 0, 2});
  expect_jet("t^3", 0, {0, 0, 0});
  expect_jet("t^2.5", 0, {0, 0, 0});
  expect_jet("zero^zero", 0, {1, 0, 0});
  expect_jet("zero^2*t", 0, {0, 0, 0});
  expect_jet("t^(2 + t)", 0, {0, 0, 2});
  expect_jet("0^t", 1, {0, 0, 0});
  expect_jet("0^t", 0, {1, 0, 0});
  expect_jet("sqrt(zero)*t", 0, {0, 0, 0});
  expect_jet("(t - 2)^2", 2, {0, 0, 2});
}

TEST(Expression, AtABreakpointLimitsAreFromTheRight) {
  const std::string motor = "t < ts ? omega/ts*(t^2/2 + (ts/(2*pi))^2*(cos(2*pi*t/ts) - 1)) : omega*(t - ts/2)";
  expect_jet(motor, 0.5, {-1.25, -5, 0});
  for (const std::string sign : {"<", "<="}) expect_jet("t " + sign + " ts ? 1 : 2*t^2", 0.5, {0.5, 2, 4});
  for (const std::string sign : {">", ">="}) expect_jet("t " + sign + " ts ? 2*t^2 : 1", 0.5, {0.5, 2, 4});
  for (const std::string sign : {">", ">="}) expect_jet("ts - t " + sign + " 0 ? 1 : 2*t^2", 0.5, {0.5, 2, 4});
  expect_jet("abs(t - 1)", 1, {0, 1, 0});
  expect_jet("abs(1 - t)", 1, {0, 1, 0});
  expect_jet("max(t, 1)", 1, {1, 1, 0});
  expect_jet("max(1, t)", 1, {1, 1, 0});
  expect_jet("min(t, 1)", 1, {1, 0, 0});
  expect_jet("min(t^2, t)", 0, {0, 0, 2});
  expect_jet("floor(t)", 1, {1, 0, 0});
  expect_jet("floor(-t)", 1, {-2, 0, 0});
  expect_jet("ceil(t)", 1, {2, 0, 0});
  expect_jet("rint(-t)", 0.5, {-1, 0, 0});
  expect_jet("sign(t - 1)", 1, {1, 0, 0});
  expect_jet("hypot(3*t, 4*t)", 0, {0, 5, 0});
  expect_jet("fmod(t, 0.25)", 0.5, {0, 1, 0});
}

// Its measure is zero: a load that is there at one time only does nothing, whichever steps end there.
TEST(Expression, AValueAtOneInstantOnlyIsNone) {
  expect_jet("t == 0.5 ? 1e6 : 0", 0.5, {0, 0, 0});
  expect_jet("0.5 == t ? 1e6 : t", 0.5, {0.5, 1, 0});
  expect_jet("t != 0.5 ? t^2 : 1e6", 0.5, {0.25, 1, 2});
  expect_jet("(t - 0.5)^2 == 0", 0.5, {0, 0, 0});
  expect_jet("fmod(t, 0.25) == 0 ? 1 : 0", 0.5, {0, 0, 0});
  expect_jet("t >= 0.5 && t <= 0.5 ? 1e6 : 0", 0.5, {0, 0, 0});
}

TEST(Expression, EqualityThatLastsIsTrue) {
  expect_jet("floor(t) == 2 ? t : 0", 2, {2, 1, 0});
  expect_jet("floor(t) == 2 ? t : 0", 2.5, {2.5, 1, 0});
  expect_jet("2*t == t + t", 3, {1, 0, 0});
  expect_jet("t < 1 ? 0 : max(t, 2) == 2", 1.5, {1, 0, 0});
}

TEST(Expression, TheBranchNotTakenDoesNoHarm) {
  expect_jet("t > 1 ? 1/(t - 1) : t^2", 1 - 0.5, {0.25, 1, 2});
  expect_jet("t < 1 ? t^2 : 1/(t - 0.5)", 0.5, {0.25, 1, 2});
  expect_jet("t > 0 ? sin(t)/t : 1", 0, {1, 0, 0});
  expect_jet("t == 0 ? 1 : sin(t)/t", 0, {1, 0, 0});
  expect_jet("zero > 0 ? t/zero : 2*t", 3, {6, 2, 0});
}

TEST(Expression, KnowsWhetherItDependsOnTime) {
  EXPECT_TRUE(of("a*t").depends_on_time());
  EXPECT_FALSE(of("a < 1 ? a : t").depends_on_time());
  EXPECT_FALSE(of("sin(a)").depends_on_time());
  EXPECT_EQ(Expression()(1).value, 0);
  EXPECT_TRUE(Expression().breakpoints(0, 1).empty());
}

TEST(Expression, NamesAreListedInOrderOfAppearance) {
  const std::vector<std::string> expected{"b", "c_1"};
  EXPECT_EQ(Expression::names_used("t*b + sin(c_1)*pi - b"), expected);
  EXPECT_THROW(Expression::names_used("b +"), ExpressionError);
  for (const auto* name : {"t", "pi", "sin", "avg", "fmod"}) EXPECT_TRUE(Expression::is_reserved(name)) << name;
  for (const auto* name : {"T", "omega", "e", ""}) EXPECT_FALSE(Expression::is_reserved(name)) << name;
}

TEST(Expression, MessagesNameThePlaceAndAWayOut) {
  struct Case {
    std::string text;
    std::size_t position;
    std::string message;
  };
  const Case cases[] = {
      {"", 0, "the expression is empty"},
      {"2*omga", 2, "unknown name 'omga'; did you mean 'omega'?"},
      {"sine(t)", 0, "unknown function 'sine'; did you mean 'sin'?"},
      {"2*qqqqqq", 2, "unknown name 'qqqqqq'"},
      {"1 + ", 4, "the expression ends where a number, a name or '(' is expected"},
      {"(1 + 2", 0, "'(' is not closed"},
      {"1 + 2)", 5, "')' where an operator is expected"},
      {"2t", 1, "'t' where an operator is expected"},
      {"2 omega", 2, "'omega' where an operator is expected"},
      {"sin + 1", 0, "'sin' is a function: write sin(...)"},
      {"sin(1, 5)", 0, "'sin' takes 1 argument, not 2"},
      {"atan2(1)", 0, "'atan2' takes 2 arguments, not 1"},
      {"1 + max()", 4, "'max' takes at least 1 argument, not 0"},
      {"1,5", 1, "a comma stands only between the arguments of a function; decimals have a point"},
      {"2**3", 2, "'**' is no operator: a power is written '^'"},
      {"t = 1 ? 2 : 3", 2, "'=' does not stand here: equality is written '=='"},
      {"t > 1 & t < 2", 6, "'&' is no operator: 'and' is written '&&', 'or' '||'"},
      {"0 < t < 1", 6, "comparisons do not chain: write a < b && b < c, or parentheses"},
      {"t < 1 ? 2", 6, "'?' without ':' (cond ? a : b)"},
      {"1.0e999", 0, "the number 1.0e999 is out of range"},
      {"3 # 4", 2, "'#' where an operator is expected"},
  };
  for (const auto& [text, position, message] : cases) {
    const ExpressionError error = error_of(text);
    EXPECT_EQ(error.position, position) << text;
    EXPECT_EQ(error.what(), message + " (character " + std::to_string(position + 1) + " of the expression)") << text;
  }
  EXPECT_EQ(error_of("2*t", false).position, 2u);
  EXPECT_NE(std::string(error_of("2*t", false).what()).find("only functions of time"), std::string::npos);
}

TEST(Expression, NestingHasALimitThatIsChecked) {
  const auto nested = [](int levels) {
    std::string text(static_cast<std::size_t>(levels), '(');
    text += "t";
    for (int i = 0; i < levels; ++i) text += ")";
    return text;
  };
  EXPECT_EQ(of(nested(80))(2).value, 2);
  error_of(nested(100000 / 20));
  error_of(std::string(9000, '-') + "t");
  std::string stacked = "t";
  for (int i = 0; i < 60; ++i) stacked = "1+(" + stacked + ")";
  EXPECT_EQ(of(stacked)(2).value, 62);
  for (int i = 0; i < 10; ++i) stacked = "1+(" + stacked + ")";
  EXPECT_THROW(of(stacked), ExpressionError);
}

}  // namespace
}  // namespace polhode::model
