// SPDX-License-Identifier: BSD-3-Clause
// How much a run will store, before it has begun.
#include "polhode/analyses/settings.hpp"

#include <algorithm>
#include <cmath>

namespace polhode::analyses {

double expected_steps(const TransientSettings& settings) {
  if (!settings.control) return std::ceil(settings.duration / settings.step * (1 - 1e-9));
  // The benchmarks take 15 to 30 steps a second of fast motion at a tolerance of 1; nothing better is known.
  const double largest = settings.control->max.value_or(settings.duration / 200);
  return std::max(settings.duration / largest, 25 / std::sqrt(settings.control->tolerance));
}

namespace {

double expected_states(const TransientSettings& settings, const results::OutputSettings& output, double begin) {
  if (output.interval) return std::ceil(settings.duration / *output.interval * (1 - 1e-9)) + 1;
  if (!output.times.empty())
    return 2 + static_cast<double>(std::count_if(output.times.begin(), output.times.end(),
                                                 [&](double t) { return t > begin && t < begin + settings.duration; }));
  return std::ceil(expected_steps(settings) / output.every) + 1;
}

}  // namespace

double expected_states(const std::vector<Analysis>& all, const results::OutputSettings& output) {
  double states = 0;
  double begin = 0;
  for (const Analysis& any : all) {
    const auto* transient = std::get_if<TransientSettings>(&any);
    states += transient ? expected_states(*transient, output, begin) : 1;
    begin += duration_of(any);
  }
  return states;
}

bool any_controlled(const std::vector<Analysis>& all) {
  return std::any_of(all.begin(), all.end(), [](const Analysis& any) {
    const auto* transient = std::get_if<TransientSettings>(&any);
    return transient && transient->control;
  });
}

}  // namespace polhode::analyses
