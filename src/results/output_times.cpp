// SPDX-License-Identifier: BSD-3-Clause
// Output times, and the number of states.
#include "polhode/results/output_times.hpp"

#include <algorithm>
#include <cmath>

namespace polhode::results {

// Times of an interval are multiples, never sums, so that they do not drift.
double OutputTimes::time_of(long index) const {
  if (settings_.interval) return static_cast<double>(index) * *settings_.interval;
  const auto place = static_cast<std::size_t>(index);
  return place < settings_.times.size() ? settings_.times[place] : HUGE_VAL;
}

// Times of an interval that lie before `begin` are skipped at once.
std::optional<double> OutputTimes::next(double begin, double end) {
  // Times closer than this to an end of the step are that end: nothing is interpolated there.
  const double same = 1e-9 * (end - begin);
  if (settings_.interval) done_ = std::max(done_, static_cast<long>(std::floor(begin / *settings_.interval)));
  while (time_of(done_) <= begin + same) ++done_;
  const double t = time_of(done_);
  if (t > end + same) return std::nullopt;
  ++done_;
  return t >= end - same ? end : t;
}

// For chunk sizes and for the forecast of `check`; the first and the last state count always.
double expected_states(const OutputSettings& output, double begin, double duration, double steps) {
  if (output.interval) return std::ceil(duration / *output.interval * (1 - 1e-9)) + 1;
  if (output.times.empty()) return std::ceil(steps / output.every) + 1;
  const auto inside = std::count_if(output.times.begin(), output.times.end(),
                                    [&](double t) { return t > begin && t < begin + duration; });
  return 2 + static_cast<double>(inside);
}

}  // namespace polhode::results
