// SPDX-License-Identifier: BSD-3-Clause
// The times at which a deck asks for states, and how many states that makes.
#pragma once
#include <optional>

#include "polhode/math/archive.hpp"
#include "polhode/results/settings.hpp"

namespace polhode::results {

// The times of `interval` or `times`, one after the other, as a run passes them.
class OutputTimes {
 public:
  // Keeps a reference to `settings`.
  explicit OutputTimes(const OutputSettings& settings) : settings_(settings) {}

  // False where states are stored by steps instead.
  bool any() const { return settings_.interval || !settings_.times.empty(); }

  // The next time after `begin` and up to `end`, both s; nothing where none is left between them. Each time is given
  // once. A time within round-off of `end` (1e-9 of the distance) is given as `end`.
  std::optional<double> next(double begin, double end);
  void archive(math::Archive& a) { a(done_); }

 private:
  double time_of(long index) const;  // infinite past the last one

  const OutputSettings& settings_;
  long done_ = 0;  // times before this one are done
};

// States that a transient analysis of `duration` s from `begin` s on stores in `steps` steps, its first and last ones
// included. Exact where `steps` is.
double expected_states(const OutputSettings& output, double begin, double duration, double steps);

}  // namespace polhode::results
