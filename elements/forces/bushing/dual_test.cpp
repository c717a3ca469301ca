// SPDX-License-Identifier: BSD-3-Clause
// Numbers with derivatives: each operation and whole formulas against differences, and the rules of arithmetic.
#include "elements/forces/bushing/dual.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>
#include <tuple>

namespace polhode::elements::dual_test {
namespace {

using Seven = std::array<double, 7>;

Seven seven_numbers(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0.2, 0.9);
  Seven x;
  for (double& number : x) number = uniform(random);
  return x;
}
Dual variable(double value, int i) {
  Dual x{value};
  x.slope[i] = 1;
  return x;
}
Invariants<Dual> variables(const Seven& x) {
  Invariants<Dual> all;
  for (std::size_t i = 0; i < 7; ++i) all[i] = variable(x[i], static_cast<int>(i));
  return all;
}

// By differences of order four.
template <class Formula>
math::Mat<7> slope_by_differences(const Formula& formula, const Seven& x) {
  constexpr double d = 1e-3;
  math::Mat<7> slope;
  for (std::size_t i = 0; i < 7; ++i) {
    const auto at = [&](double aside) {
      Seven moved = x;
      moved[i] += aside;
      return formula(moved);
    };
    slope[static_cast<int>(i)] = (8 * (at(d) - at(-d)) - (at(2 * d) - at(-2 * d))) / (12 * d);
  }
  return slope;
}

template <class Formula>
void expect_derivatives(const Formula& formula, const char* name) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Seven x = seven_numbers(seed);
    const Dual y = formula(variables(x));
    EXPECT_NEAR(y.value, formula(x), 1e-14 * (1 + std::abs(y.value))) << name;
    const math::Mat<7> differences = slope_by_differences(formula, x);
    EXPECT_LE((y.slope - differences).norm(), 1e-8 * (1 + differences.norm())) << name << ", seed " << seed;
  }
}

TEST(Dual, DerivativesOfEachOperationAreThoseOfDifferences) {
  using std::asin;
  using std::sqrt;
  expect_derivatives([](const auto& x) { return x[0] + x[3]; }, "a + b");
  expect_derivatives([](const auto& x) { return x[0] - x[3]; }, "a - b");
  expect_derivatives([](const auto& x) { return x[1] * x[4]; }, "a b");
  expect_derivatives([](const auto& x) { return x[1] * x[1]; }, "a a");
  expect_derivatives([](const auto& x) { return x[2] / x[5]; }, "a / b");
  expect_derivatives([](const auto& x) { return 3.0 + x[6]; }, "3 + a");
  expect_derivatives([](const auto& x) { return x[6] + 3.0; }, "a + 3");
  expect_derivatives([](const auto& x) { return 3.0 - x[6]; }, "3 - a");
  expect_derivatives([](const auto& x) { return x[6] - 3.0; }, "a - 3");
  expect_derivatives([](const auto& x) { return -2.5 * x[0]; }, "-2.5 a");
  expect_derivatives([](const auto& x) { return x[0] * -2.5; }, "a (-2.5)");
  expect_derivatives([](const auto& x) { return x[0] / 4.0; }, "a / 4");
  expect_derivatives([](const auto& x) { return 4.0 / x[0]; }, "4 / a");
  expect_derivatives([](const auto& x) { return sqrt(x[2]); }, "sqrt a");
  expect_derivatives([](const auto& x) { return asin(x[2]); }, "asin a");
}

// A turn's angle over its sine, of what seven numbers make: no operation of the chain is missing.
TEST(Dual, DerivativesOfAFormulaAreThoseOfDifferences) {
  using std::asin;
  using std::sqrt;
  expect_derivatives(
      [](const auto& x) {
        const auto length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + 1.0);
        const auto sine = x[3] * x[4] / length;
        const auto angle = asin(sine) / sine;
        return (2.0 - angle) * x[5] / (1.0 + x[6] * length) - 0.5 * (length - x[6]);
      },
      "formula");
}

void expect_same(const Dual& a, const Dual& b, double tolerance) {
  EXPECT_NEAR(a.value, b.value, tolerance * (1 + std::abs(b.value)));
  EXPECT_LE((a.slope - b.slope).norm(), tolerance * (1 + b.slope.norm()));
}

TEST(Dual, FollowsTheRulesOfArithmetic) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Invariants<Dual> x = variables(seven_numbers(seed));
    const Dual a = x[0] * x[1] + x[2];
    const Dual b = 2.0 * x[3] - x[0] / x[4];
    const Dual c = sqrt(x[5]) + x[6];
    expect_same(a * b, b * a, 1e-14);
    expect_same(a * (b + c), a * b + a * c, 1e-14);
    expect_same((a * b) * c, a * (b * c), 1e-14);
    expect_same(a / c, a * (1.0 / c), 1e-14);
    expect_same((a / c) * c, a, 1e-14);
    expect_same(a - b, a + -1.0 * b, 1e-14);
    expect_same(sqrt(c) * sqrt(c), c, 1e-14);
    expect_same(sqrt(c * c), c, 1e-14);
  }
}

// asin s + asin c is a right angle wherever s^2 + c^2 = 1.
TEST(Dual, ConstantsOfAFormulaHaveNoSlope) {
  for (const double value : {0.2, 0.4, 0.7, 0.95}) {
    const Dual s = variable(value, 2);
    expect_same(asin(s) + asin(sqrt(1.0 - s * s)), Dual{std::numbers::pi / 2}, 1e-13);
    expect_same(s / s, Dual{1}, 1e-14);
    expect_same(asin(-1.0 * s) + asin(s), Dual{0}, 1e-14);
  }
  const Dual x = variable(0.3, 4);
  expect_same(Dual{5} * x, 5.0 * x, 0);
  expect_same(Dual{5} + x, 5.0 + x, 0);
  expect_same(Dual{5} - x, 5.0 - x, 0);
  expect_same(Dual{5} / x, 5.0 / x, 1e-14);
}

TEST(Dual, IsComparedByItsValueAlone) {
  EXPECT_TRUE(variable(0.5, 0) < 0.6);
  EXPECT_FALSE(variable(0.5, 0) < 0.5);
  EXPECT_FALSE(100.0 * variable(0.5, 0) < 0.6);
}

TEST(Triple, LengthsHaveTheDirectionAsTheirGradient) {
  const Seven x = seven_numbers(9);
  const Invariants<Dual> all = variables(x);
  const Triple<Dual> arm{all[1], all[3], all[6]};
  const Dual length = sqrt(dot(arm, arm));
  math::Mat<7> direction = math::Mat<7>::Zero();
  for (const int i : {1, 3, 6}) direction[i] = x[static_cast<std::size_t>(i)] / length.value;
  EXPECT_LE((length.slope - direction).norm(), 1e-14);
}

TEST(Triple, DotIsLinearInBothAlsoWhereOneHasNoDerivatives) {
  const Invariants<Dual> x = variables(seven_numbers(10));
  const Triple<Dual> a{x[0], x[1], x[2]};
  const Triple<Dual> b{x[3], x[4], x[5]};
  const Triple<double> c{2, -3, 0.5};
  expect_same(dot(a, b), dot(b, a), 1e-14);
  expect_same(dot(a + b, c), dot(a, c) + dot(b, c), 1e-14);
  expect_same(dot(a * x[6], b), x[6] * dot(a, b), 1e-14);
  expect_same(dot(c + a, c), dot(c, c) + dot(a, c), 1e-14);
  const Triple<Dual> with_slopes{Dual{2}, Dual{-3}, Dual{0.5}};
  expect_same(dot(a, c), dot(a, with_slopes), 1e-14);
}

}  // namespace
}  // namespace polhode::elements::dual_test
