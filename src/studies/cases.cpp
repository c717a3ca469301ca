// SPDX-License-Identifier: BSD-3-Clause
// Grids, rows of lists, Latin hypercubes and Sobol's points.
#include "polhode/studies/cases.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <random>

#include "polhode/studies/sobol.hpp"

namespace polhode::studies {
namespace {

using Kind = io::Sampling::Kind;

// std::mt19937_64 gives the same bits everywhere; the distributions of the standard library do not.
double unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

// Without bias: numbers beyond the last whole multiple of n are thrown away.
std::uint64_t below(std::uint64_t n, std::mt19937_64& random) {
  // 2^64 mod n
  const std::uint64_t rest = -n % n;
  for (;;)
    if (const std::uint64_t x = random(); x >= rest) return x % n;
}

// One point in each of n slices, the slices in random order (McKay, Beckman & Conover, Technometrics 21 (1979) 239).
void add_slices(std::size_t n, std::mt19937_64& random, std::vector<double>& positions) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[below(i, random)]);
  for (std::size_t i = 0; i < n; ++i)
    positions.push_back((static_cast<double>(order[i]) + unit(random)) / static_cast<double>(n));
}

// The shortest text that is read as the same number.
std::string shortest(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

}  // namespace

// What a case needs beside its number: strides of the grid (the last axis fastest),
// all points of the hypercube, or one random shift for each axis of Sobol's points.
Cases::Cases(const io::Study& study) : study_(study), size_(study.cases()) {
  const std::size_t axes = study.axes.size();
  std::mt19937_64 random(study.sampling.seed);
  switch (study.sampling.kind) {
    case Kind::grid:
      strides_.assign(axes, 1);
      for (std::size_t i = axes - 1; i-- > 0;) strides_[i] = strides_[i + 1] * study.axes[i + 1].size();
      break;
    case Kind::zip:
      break;
    case Kind::latin_hypercube:
      hypercube_.reserve(axes * size_);
      for (std::size_t i = 0; i < axes; ++i) add_slices(size_, random, hypercube_);
      break;
    case Kind::sobol:
      for (std::size_t i = 0; i < axes; ++i) shifts_.push_back(static_cast<std::uint32_t>(random() >> 32));
      break;
  }
}

// In [0, 1). Exclusive or with a random number shifts all digits alike and keeps the points even
// (a digital shift); half of the last digit keeps them off zero.
double Cases::sample(std::size_t index, std::size_t axis) const {
  if (!hypercube_.empty()) return hypercube_[axis * size_ + index];
  return (static_cast<double>(sobol(index, axis) ^ shifts_[axis]) + 0.5) * 0x1p-32;
}

// Of a list the sample chooses an item, each with the same probability.
std::size_t Cases::choice(std::size_t index, std::size_t axis) const {
  const std::size_t n = study_.axes[axis].size();
  if (study_.sampling.kind == Kind::grid) return index / strides_[axis] % n;
  if (study_.sampling.kind == Kind::zip) return index;
  return std::min(static_cast<std::size_t>(sample(index, axis) * static_cast<double>(n)), n - 1);
}

// A range is sampled between its ends, evenly in the number or in its logarithm;
// a grid takes its own values.
double Cases::number(std::size_t index, std::size_t axis) const {
  const io::Axis& a = study_.axes[axis];
  const bool spread = study_.sampling.kind == Kind::latin_hypercube || study_.sampling.kind == Kind::sobol;
  if (!spread || !a.range) return a.number(choice(index, axis));
  const double u = sample(index, axis);
  const double first = a.numbers.front();
  const double last = a.numbers.back();
  return a.logarithmic ? first * std::pow(last / first, u) : first + u * (last - first);
}

// Texts are lists in any case.
const std::string& Cases::text(std::size_t index, std::size_t axis) const {
  return study_.axes[axis].texts[choice(index, axis)];
}

// Each value replaces that of the deck, in the order of the study.
void Cases::apply(std::size_t index, io::DeckSource& deck) const {
  for (std::size_t i = 0; i < study_.axes.size(); ++i)
    deck.set_value(study_.axes[i].path, is_text(i) ? text(index, i) : shortest(number(index, i)));
}

}  // namespace polhode::studies
