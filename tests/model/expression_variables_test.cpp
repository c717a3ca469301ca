// SPDX-License-Identifier: BSD-3-Clause
// Laws of expressions over further variables: values as with numbers in their places, exact gradients, switches.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "polhode/model/expression.hpp"

namespace polhode::model::expression_variables_test {
namespace {

const std::vector<std::string> names{"angle", "rate", "load"};
const std::map<std::string, double, std::less<>> constants{{"k", 1.7}, {"zero", 0}};

Expression law(const std::string& text) { return Expression::parse(text, constants, true, names); }

// The gradient with all names in their places; what does not occur has none.
std::array<double, 3> gradient_of(const Expression& f, double t, const std::array<double, 3>& at) {
  std::array<double, 3> part{};
  f.value(t, at, part);
  std::array<double, 3> result{};
  for (std::size_t i = 0; i < f.variables().size(); ++i) result[static_cast<std::size_t>(f.variables()[i])] = part[i];
  return result;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// The same value as with numbers in the places of variables, to the last bit; derivatives as differences of the values
// say (Richardson) where two of these agree, which they do away from kinks. How many were compared.
int expect_laws(const std::string& text, double t, const std::array<double, 3>& at) {
  const Expression f = law(text);
  auto numbers = constants;
  for (std::size_t i = 0; i < names.size(); ++i) numbers[names[i]] = at[i];
  const double value = f.value(t, at);
  EXPECT_TRUE(same(value, Expression::parse(text, numbers, true)(t).value)) << text;
  std::array<double, 3> part{};
  EXPECT_TRUE(same(f.value(t, at, part), value)) << text;
  if (!std::isfinite(value)) return 0;
  const auto gradient = gradient_of(f, t, at);
  int compared = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto slope = [&](double h) {
      auto high = at;
      auto low = at;
      high[i] += h;
      low[i] -= h;
      return (f.value(t, high) - f.value(t, low)) / (2 * h);
    };
    const double coarse = (4 * slope(5e-4) - slope(1e-3)) / 3;
    const double fine = (4 * slope(2.5e-4) - slope(5e-4)) / 3;
    const double scale = 1 + std::abs(value) + std::abs(gradient[i]);
    if (!(std::abs(fine - coarse) < 1e-7 * scale)) continue;
    EXPECT_NEAR(gradient[i], fine, 1e-6 * scale) << text << " by " << names[i];
    compared += fine != 0;
  }
  return compared;
}

TEST(ExpressionVariables, GradientsMatchDifferencesForEachFunction) {
  const std::string texts[] = {"angle",
                               "-k*angle - 0.3*rate*abs(rate)",
                               "angle/rate - load",
                               "angle^2*rate^3",
                               "angle^rate",
                               "2^angle + angle^-2",
                               "sin(angle*rate)",
                               "cos(angle)*t",
                               "tan(angle)",
                               "asin(angle/3) + acos(rate/4)",
                               "atan(3*angle)",
                               "atan2(angle, rate)",
                               "atan2(-angle, t - 5)",
                               "sinh(angle) + cosh(rate)",
                               "tanh(angle/rate)",
                               "asinh(angle) + acosh(1 + rate) + atanh(load/3)",
                               "exp(-angle*t)",
                               "log(angle) + ln(rate) + log2(load) + log10(angle)",
                               "sqrt(angle*rate)",
                               "cbrt(-angle)",
                               "hypot(angle, rate)",
                               "abs(angle - 7)*rate",
                               "min(angle, rate, load)*max(angle, rate, load)",
                               "sum(angle, rate) + avg(angle, rate, load)",
                               "fmod(5*angle, 0.9)",
                               "fmod(5, angle)",
                               "sign(angle - 2)*rate",
                               "floor(7*angle)*rate + ceil(angle)*load + rint(rate)*angle",
                               "pow(angle, 2.5)*max(0, load)^1.5",
                               "angle > 0.5 && rate < 2 || !(load > 3) ? angle^2 : rate^2",
                               "angle > 5 ? 1/0 : t > 0 ? rate*load : angle",
                               "angle >= 0.1 ? load : 1",
                               "(angle <= 4) + (rate != 3)*angle + (load == 1)"};
  for (const auto& text : texts) {
    int compared = 0;
    for (const double t : {0.1, 1.3}) {
      for (const std::array<double, 3>& at : {std::array{0.6, 1.2, 1.9}, {1.1, 0.7, 0.3}, {0.27, 1.9, 0.8}}) {
        compared += expect_laws(text, t, at);
      }
    }
    EXPECT_GT(compared, 0) << text;
  }
}

// All functions and operators, nested at random.
class Texts {
 public:
  std::string text(int depth) {
    const auto part = [&] { return text(depth - 1); };
    if (depth == 0) return leaves_[pick(std::size(leaves_))];
    switch (pick(8)) {
      case 0:
      case 1:
      case 2:
        return "(" + part() + infixes_[pick(std::size(infixes_))] + part() + ")";
      case 3:
      case 4:
        return one_[pick(std::size(one_))] + ("(" + part() + ")");
      case 5:
      case 6:
        return two_[pick(std::size(two_))] + ("(" + part() + ", " + part() + ")");
      default:
        return "(" + part() + " ? " + part() + " : " + part() + ")";
    }
  }
  double number() { return std::uniform_real_distribution(-2.0, 2.0)(random_); }

 private:
  std::size_t pick(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }

  static constexpr const char* leaves_[] = {"angle", "rate", "load", "angle", "rate", "t", "k", "0.3", "2"};
  static constexpr const char* infixes_[] = {
      " + ", " - ", "*", "/", "^", " < ", " <= ", " > ", " >= ", " == ", " != ", " && ", " || "};
  static constexpr const char* one_[] = {"abs",  "acos", "acosh", "asin",  "asinh", "atan", "atanh", "cbrt", "ceil",
                                         "cos",  "cosh", "exp",   "floor", "ln",    "log",  "log10", "log2", "rint",
                                         "sign", "sin",  "sinh",  "sqrt",  "tan",   "tanh", "-",     "!"};
  static constexpr const char* two_[] = {"atan2", "avg", "fmod", "hypot", "max", "min", "pow", "sum"};
  std::mt19937 random_{20};
};

TEST(ExpressionVariables, GradientsMatchDifferencesForRandomExpressions) {
  Texts random;
  int compared = 0;
  for (int i = 0; i < 10000; ++i) {
    const std::string text = random.text(2 + i % 3);
    compared += expect_laws(text, random.number(), {random.number(), random.number(), random.number()});
  }
  EXPECT_GT(compared, 2000);
}

// One arithmetic for both: with t itself as the variable the gradient is the derivative by time, to the last bit.
TEST(ExpressionVariables, TimeAsAVariableHasTheDerivativeByTime) {
  const std::vector<std::string> time{"t"};
  for (const std::string text : {"t^3*sin(2*t)", "t^t/hypot(t, 2)", "max(t, 0.5)*atan2(t, -2)", "fmod(5*t, 0.9)"}) {
    const Expression f = Expression::parse(text, {}, true, time);
    double gradient = 0;
    for (const double t : {0.3, 0.9, 2.7}) {
      const Jet jet = Expression::parse(text, {}, true)(t);
      EXPECT_EQ(f.value(9, {&t, 1}, {&gradient, 1}), jet.value) << text;
      EXPECT_EQ(gradient, jet.first) << text;
    }
  }
}

TEST(ExpressionVariables, KnowsWhichOccur) {
  EXPECT_EQ(law("load*angle + load").variables(), (std::vector<int>{0, 2}));
  EXPECT_EQ(law("zero > 1 ? load : rate").variables(), std::vector<int>{1});
  EXPECT_EQ(law("k*t").variables(), std::vector<int>{});
  EXPECT_EQ(law("k*t").value(2, std::array{1.0, 1.0, 1.0}), 3.4);
  EXPECT_TRUE(law("angle + t").depends_on_time());
  EXPECT_FALSE(law("angle + k").depends_on_time());
  EXPECT_EQ(law("k + angle")(1).value, 1.7);
  const std::vector<std::string> shadowing{"k"};
  EXPECT_EQ(Expression::parse("2*k", constants, false, shadowing).value(0, std::array{3.0}), 6);
}

TEST(ExpressionVariables, AffineOnesHaveSlopesAndAnOffset) {
  const Expression f = law("2*(t^2 - angle)/4 + 3*(load + angle) - -angle*k");
  const std::array<double, 3> at{0.3, 7, 0.2};
  const std::vector<double> slopes(f.slopes().begin(), f.slopes().end());
  EXPECT_EQ(slopes, (std::vector<double>{-0.5 + 3 + constants.at("k"), 3}));
  EXPECT_EQ(f.offset(3), 4.5);
  EXPECT_NEAR(f.value(3, at), f.offset(3) + slopes[0] * at[0] + slopes[1] * at[2], 1e-14);
  EXPECT_EQ(law("angle").offset(3), 0);
  EXPECT_EQ(law("(t <= 1 ? 0 : 5) - angle").offset(1), 5);
  for (const std::string text :
       {"angle*rate", "angle^2", "angle*t", "1/angle", "abs(angle)", "t > 0 ? angle : 0", "k*t"})
    EXPECT_TRUE(law(text).slopes().empty()) << text;
}

// What stands on t alone is a limit from the right; where a variable takes part values alone decide.
TEST(ExpressionVariables, TiesOfTimeGoAnInstantLaterThoseOfVariablesDoNot) {
  const auto expect = [](const std::string& text, double t, double angle, double value, double slope) {
    const Expression f = law(text);
    const std::array<double, 3> at{angle, 0, 0};
    EXPECT_EQ(f.value(t, at), value) << text;
    EXPECT_EQ(gradient_of(f, t, at)[0], slope) << text;
  };
  expect("t <= 1 ? angle : 3*angle", 1, 2, 6, 3);
  expect("(t <= 1)*angle", 1, 2, 0, 0);
  expect("t ? angle : 0", 0, 2, 2, 1);
  expect("floor(-t)*angle", 1, 2, -4, -2);
  expect("t == 1 ? 5*angle : angle", 1, 2, 2, 1);
  expect("angle <= t ? angle : 3*angle", 2, 2, 2, 1);
  expect("angle == 2 ? 5*angle : angle", 0, 2, 10, 5);
  expect("abs(angle)", 0, 0, 0, 1);
  expect("max(0, angle)", 0, 0, 0, 0);
  expect("angle > 0 ? sin(angle)/angle : 1", 0, 0, 1, 0);
  expect("(t > 0 ? sin(t)/t : 1)*angle", 0, 2, 2, 1);
  expect("sqrt(t)*angle", 0, 2, 0, 0);
}

TEST(ExpressionVariables, BreakpointsAreThoseOfTimeAlone) {
  using Instants = std::vector<double>;
  const auto of_time = [](const std::string& text) { return law(text).breakpoints(0, 10); };
  EXPECT_EQ(of_time("t < 0.3 ? angle : rate"), Instants{0.3});
  EXPECT_EQ(of_time("angle*max(t, 2) - abs(rate)*(t > 7)"), (Instants{2, 7}));
  EXPECT_EQ(of_time("t < 5 ? angle*abs(t - 1) : angle*abs(t - 2) + abs(t - 8)"), (Instants{1, 5, 8}));
  EXPECT_EQ(of_time("angle > 0 ? abs(t - 1) : angle < -1 ? abs(t - 2) : abs(t - 3)"), (Instants{1, 2, 3}));
  EXPECT_EQ(of_time("angle > 0 ? rate : load"), Instants{});
  EXPECT_EQ(of_time("angle > t ? rate : load"), Instants{});
  EXPECT_EQ(of_time("angle*sin(t)"), Instants{});
  std::string chain = "abs(t - 1)";
  for (int i = 0; i < 100; ++i) chain = "angle < " + std::to_string(i) + " ? abs(t - 2) : " + chain;
  EXPECT_EQ(of_time(chain), (Instants{1, 2}));
  chain = "angle";
  for (int i = 0; i < 100; ++i) chain += " + abs(t - 3)";
  EXPECT_EQ(of_time(chain), Instants{3});
}

TEST(ExpressionVariables, UnknownNamesGetTheNearestOfBoth) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      law(text);
    } catch (const ExpressionError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("2*angel"), "unknown name 'angel'; did you mean 'angle'? (character 3 of the expression)");
  EXPECT_EQ(message("zerro*rate"), "unknown name 'zerro'; did you mean 'zero'? (character 1 of the expression)");
}

// Of t and of variables that move as functions of t: those of the function that both make together.
TEST(ExpressionVariables, ThatMoveGiveDerivativesByTime) {
  const std::string x = "(0.3 + sin(2*t))";
  const std::string y = "exp(-t)";
  for (const std::string& text :
       {std::string("x + 0.1*sin(t)^2"), std::string("2*sin(x/2)*y + t*x"), std::string("x^2/(1 + y) - sqrt(1 + t)")}) {
    const Expression both = Expression::parse(text, {}, true, std::vector<std::string>{"x", "y"});
    std::string whole;
    for (const char c : text) whole += c == 'x' ? x : c == 'y' ? y : std::string(1, c);
    EXPECT_TRUE(both.is_smooth());
    for (const double t : {0.0, 0.4, 1.7}) {
      const Jet exact = Expression::parse(whole, {}, true)(t);
      const std::array<Jet, 2> moving{Expression::parse(x, {}, true)(t), Expression::parse(y, {}, true)(t)};
      const Jet found = both.along(t, moving);
      EXPECT_NEAR(found.value, exact.value, 1e-14) << text;
      EXPECT_NEAR(found.first, exact.first, 1e-13) << text;
      EXPECT_NEAR(found.second, exact.second, 1e-12) << text;
    }
  }
}

}  // namespace
}  // namespace polhode::model::expression_variables_test
