// SPDX-License-Identifier: BSD-3-Clause
// How much a run will store, before it has begun.
#include "polhode/analyses/settings.hpp"

#include <algorithm>
#include <cmath>

#include "polhode/results/output_times.hpp"

namespace polhode::analyses {

double expected_steps(const TransientSettings& settings) {
  if (!settings.control) return std::ceil(settings.duration / settings.step * (1 - 1e-9));
  // The benchmarks take 15 to 30 steps a second of fast motion at a tolerance of 1; nothing better is known.
  const double largest = settings.control->max.value_or(settings.duration / 200);
  return std::max(settings.duration / largest, 25 / std::sqrt(settings.control->tolerance));
}

double expected_states(const std::vector<Analysis>& all, const results::OutputSettings& output) {
  double states = 0;
  double begin = 0;
  for (const Analysis& any : all) {
    const auto* transient = std::get_if<TransientSettings>(&any);
    states += transient ? results::expected_states(output, begin, transient->duration, expected_steps(*transient)) : 1;
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

results::RunContents contents_of(const std::vector<Analysis>& all) {
  results::RunContents contents;
  contents.step_control = any_controlled(all);
  contents.static_analyses = has_static(all);
  contents.discrete_invariants = any_keeps_structure(all);
  return contents;
}

}  // namespace polhode::analyses
