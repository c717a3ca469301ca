// SPDX-License-Identifier: BSD-3-Clause
// How many steps a transient will take, before it has begun.
#include "polhode/analyses/settings.hpp"

#include <algorithm>
#include <cmath>

namespace polhode::analyses {

// Of fixed steps exactly, but for round-off; of controlled ones a guess, which decides the size of chunks in
// the file and the forecast of `check`.
double expected_steps(const TransientSettings& settings) {
  if (!settings.control) return std::ceil(settings.duration / settings.step * (1 - 1e-9));
  // The benchmarks take 15 to 30 steps a second of fast motion at a tolerance of 1; nothing better is known.
  const double largest = settings.control->max.value_or(settings.duration / 200);
  return std::max(settings.duration / largest, 25 / std::sqrt(settings.control->tolerance));
}

}  // namespace polhode::analyses
