// SPDX-License-Identifier: BSD-3-Clause
// Numbers that are on their way from memory before they are used, where the processor would not guess which.
#pragma once

namespace polhode::math {

inline void prefetch(const double* numbers, int count) {
  constexpr int line = 8;  // numbers of a line of the cache
  for (int k = 0; k < count; k += line) __builtin_prefetch(numbers + k);
}

}  // namespace polhode::math
