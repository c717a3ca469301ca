// SPDX-License-Identifier: BSD-3-Clause
// Loops over many independent items, by several threads (those of OpenMP) where that pays.
// Results do not depend on the number of threads where each item writes to its own place.
#pragma once
#include <cstddef>

namespace polhode::math {

// Calls run(i) for i = 0 ... count - 1, in any order; the calls must not depend on each other.
// `run` must not throw. Items are dealt out in equal runs, so that a thread walks through memory in order.
template <class Run>
void for_each_index(std::size_t count, const Run& run) {
  // Below, starting threads costs more than the loop.
  constexpr std::size_t worth_it = 512;
  if (count < worth_it) {
    for (std::size_t i = 0; i < count; ++i) run(i);
    return;
  }
  const auto n = static_cast<std::ptrdiff_t>(count);
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < n; ++i) run(static_cast<std::size_t>(i));
}

}  // namespace polhode::math
