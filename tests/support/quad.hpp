// SPDX-License-Identifier: BSD-3-Clause
// Reference values of rotations in quadruple precision, by power series of matrices alone: no closed form that could
// cancel.
#pragma once
#include <array>

#include "polhode/math/types.hpp"

namespace polhode::support {

using Quad = __float128;
using Quad3 = std::array<std::array<Quad, 3>, 3>;

inline Quad3 quad_tilde(const math::Vec3& a) {
  return {{{0, -Quad(a[2]), Quad(a[1])}, {Quad(a[2]), 0, -Quad(a[0])}, {-Quad(a[1]), Quad(a[0]), 0}}};
}

inline Quad3 product(const Quad3& a, const Quad3& b) {
  Quad3 c{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}

// sum_k (sign psi~)^k / (k + shift)!: exp(psi) for sign = 1, shift = 0; the tangent operator for sign = -1, shift = 1.
inline Quad3 power_series(const math::Vec3& psi, int sign, int shift) {
  const Quad3 P = quad_tilde(psi);
  Quad3 term{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Quad3 sum{};
  for (int k = 0; k < 90; ++k) {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) sum[i][j] += term[i][j];
    term = product(term, P);
    for (auto& row : term)
      for (Quad& x : row) x *= Quad(sign) / Quad(k + 1 + shift);
  }
  return sum;
}

// The `derivative`-th derivative by s of sum_k (-s)^k / (2 k + first)!: b for first = 2, c for first = 3.
inline Quad coefficient(double s, int first, int derivative) {
  Quad sum = 0;
  for (int k = 60; k >= derivative; --k) {
    Quad factor = k % 2 == 0 ? 1 : -1;
    for (int n = 2; n <= 2 * k + first; ++n) factor /= n;
    for (int j = 0; j < derivative; ++j) factor *= k - j;
    sum = sum * Quad(s) + factor;
  }
  return sum;
}

// Largest difference of the components.
inline double distance(const math::Mat3& a, const Quad3& b) {
  double largest = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double d = static_cast<double>(Quad(a(i, j)) - b[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
      largest = d > largest ? d : -d > largest ? -d : largest;
    }
  return largest;
}

}  // namespace polhode::support
