// SPDX-License-Identifier: BSD-3-Clause
// Sobol's sequence (Zh. Vych. Mat. Mat. Fiz. 7 (1967) 784) in the order of Gray codes (Antonov & Saleev 1979), with the
// direction numbers new-joe-kuo-6 of Joe & Kuo, SIAM J. Sci. Comput. 30 (2008) 2635.
#include "polhode/studies/sobol.hpp"

#include <array>

namespace polhode::studies {
namespace {

// Of the dimensions from the second on: degree s and inner coefficients a of the primitive polynomial, and m_1 .. m_s.
struct Polynomial {
  unsigned degree;
  unsigned coefficients;
  std::array<std::uint32_t, 8> m;
};

constexpr Polynomial polynomials[] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
};
static_assert(std::size(polynomials) + 1 == sobol_dimensions);

constexpr unsigned bits = 32;
using Directions = std::array<std::uint32_t, bits>;

// The recurrence of the primitive polynomial over GF(2), on direction numbers as fractions of 2^32.
// The first dimension is van der Corput's sequence.
constexpr Directions directions_of(std::size_t dimension) {
  Directions v{};
  if (dimension == 0) {
    for (unsigned i = 0; i < bits; ++i) v[i] = 1u << (bits - 1 - i);
    return v;
  }
  const Polynomial& p = polynomials[dimension - 1];
  for (unsigned i = 0; i < bits; ++i) {
    if (i < p.degree) {
      v[i] = p.m[i] << (bits - 1 - i);
      continue;
    }
    v[i] = v[i - p.degree] ^ (v[i - p.degree] >> p.degree);
    for (unsigned k = 1; k < p.degree; ++k)
      if ((p.coefficients >> (p.degree - 1 - k)) & 1u) v[i] ^= v[i - k];
  }
  return v;
}

constexpr auto directions = [] {
  std::array<Directions, sobol_dimensions> all{};
  for (std::size_t d = 0; d < all.size(); ++d) all[d] = directions_of(d);
  return all;
}();

}  // namespace

// By the Gray code of the index: one exclusive or for each bit.
std::uint32_t sobol(std::size_t index, std::size_t dimension) {
  std::uint32_t x = 0;
  std::size_t gray = index ^ (index >> 1);
  for (unsigned i = 0; gray != 0 && i < bits; ++i, gray >>= 1)
    if (gray & 1u) x ^= directions[dimension][i];
  return x;
}

}  // namespace polhode::studies
