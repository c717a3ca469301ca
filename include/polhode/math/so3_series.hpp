// SPDX-License-Identifier: BSD-3-Clause
// Power series of the coefficient functions of SO(3), for any scalar type.
// Coefficients are computed by the compiler; evaluation is Horner's scheme without branches.
//   b(s) = sum_k (-s)^k / (2 k + 2)!,   c(s) = sum_k (-s)^k / (2 k + 3)!
#pragma once
#include <array>

namespace polhode::math::so3 {

// Of s: the next term of the series is below 1e-19 of the first.
inline constexpr double series_limit = 1.0;
// Beyond the constant term.
inline constexpr int terms = 12;

// 1/n! for n = 0 ... 2 terms + 3
constexpr std::array<double, 2 * terms + 4> inverse_factorials() {
  std::array<double, 2 * terms + 4> values{};
  double f = 1;
  for (int n = 0; n < static_cast<int>(values.size()); ++n) {
    if (n > 0) f *= n;
    values[n] = 1 / f;
  }
  return values;
}
inline constexpr auto inverse_factorial = inverse_factorials();

// Coefficients of the `derivative`-th derivative by s of sum_k (-s)^k / (2 k + first)!.
template <int first, int derivative>
constexpr std::array<double, terms + 1 - derivative> series_coefficients() {
  std::array<double, terms + 1 - derivative> values{};
  for (int k = derivative; k <= terms; ++k) {
    double factor = (k % 2 == 0 ? 1.0 : -1.0) * inverse_factorial[2 * k + first];
    for (int j = 0; j < derivative; ++j) factor *= k - j;
    values[k - derivative] = factor;
  }
  return values;
}

// sum_k coefficient_k s^k, by Horner's scheme.
template <std::size_t n, class S>
S polynomial(const std::array<double, n>& coefficients, S s) {
  S sum(coefficients[n - 1]);
  for (std::size_t k = n - 1; k-- > 0;) sum = sum * s + S(coefficients[k]);
  return sum;
}

// The derivative of that sum at s, for |s| <= series_limit.
// `first` 2: b, 3: c.
template <int first, int derivative, class S = double>
S series(S s) {
  static constexpr auto coefficients = series_coefficients<first, derivative>();
  return polynomial(coefficients, s);
}

// |B_2|, |B_4|, ... |B_24|: Bernoulli numbers.
// Twelve of them: the ratio of terms tends to s/(2 pi)^2, below 1/39 for s <= 1.
inline constexpr std::array bernoulli{1.0 / 6,       1.0 / 30,       1.0 / 42,       1.0 / 30,
                                      5.0 / 66,      691.0 / 2730,   7.0 / 6,        3617.0 / 510,
                                      43867.0 / 798, 174611.0 / 330, 854513.0 / 138, 236364091.0 / 2730};

// The `derivative`-th derivative by s of eta = sum_n |B_2n| s^(n-1) / (2n)!  (halfway = false), or of
// tau = tan(phi/4) / phi = sum_n (2^2n - 1) |B_2n| (s/4)^(n-1) / (2n)!  (halfway = true). Both converge for phi < 2 pi.
// A factor (s/4)^(n-1) is kept as `quarter`, 2^2n as `power`.
template <bool halfway, int derivative>
constexpr auto bernoulli_coefficients() {
  std::array<double, bernoulli.size() - derivative> values{};
  double power = 4;  // 2^2n
  double quarter = 1;
  for (int n = 1; n <= static_cast<int>(bernoulli.size()); ++n, power *= 4, quarter /= 4) {
    double factor = bernoulli[n - 1] * inverse_factorial[2 * n];
    if (halfway) factor *= (power - 1) * quarter;
    const int k = n - 1;
    for (int j = 0; j < derivative; ++j) factor *= k - j;
    if (k >= derivative) values[k - derivative] = factor;
  }
  return values;
}
// Its value at s, for |s| <= series_limit.
template <bool halfway, int derivative, class S>
S bernoulli_series(S s) {
  static constexpr auto coefficients = bernoulli_coefficients<halfway, derivative>();
  return polynomial(coefficients, s);
}

}  // namespace polhode::math::so3
