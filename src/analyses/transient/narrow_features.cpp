// SPDX-License-Identifier: BSD-3-Clause
// Functions of time between steps under control.
#include "analyses/transient/narrow_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyses/transient/functions_of_time.hpp"
#include "polhode/model/text.hpp"

namespace polhode::analyses {
namespace {

// Of R/H: a small bell on top of a large range counts, too.
constexpr double fast_part = 0.25;
// Over that rate, in the mean: a wave that hardly reaches it at its steepest is no feature.
constexpr double much_faster = 2;
// Steps in a feature, at least.
constexpr double steps_within = 20;
// Of one function: more are no features, but how the function is.
constexpr std::size_t most_features = 200;
constexpr std::size_t most_feature_lines = 5;
// For all functions of a model, and for each of many: some milliseconds.
constexpr long all_samples = 1L << 15;
constexpr long least_samples = 64;

// Where a function is fast.
struct FastSpan {
  double begin;   // s
  double end;     // s
  double change;  // sum of |changes|, in the unit of the function
  // Of the same stretch without breakpoints as the one before
  bool follows;
  // It begins where such a stretch begins
  bool at_begin;
  double length() const { return end - begin; }
};

struct SampledFunction {
  std::vector<double> times;
  std::vector<double> values;
  // A breakpoint lies between a sample and the one before
  std::vector<char> broken;
  double range = 0;
};

SampledFunction sample(const model::TimeFunction& function, const FeatureSearch& search) {
  SampledFunction sampled;
  const auto n = static_cast<std::size_t>(search.samples);
  sampled.times.resize(n + 1);
  sampled.values.resize(n + 1);
  sampled.broken.assign(n + 1, 0);
  const double spacing = search.duration / static_cast<double>(n);
  const std::vector<double> breakpoints =
      function.breakpoints(search.begin - spacing, search.begin + search.duration + spacing);
  auto next = breakpoints.begin();
  for (std::size_t i = 0; i <= n; ++i) {
    sampled.times[i] = search.begin + spacing * static_cast<double>(i);
    sampled.values[i] = function(sampled.times[i]).value;
    for (; next != breakpoints.end() && *next <= sampled.times[i]; ++next) sampled.broken[i] = 1;
  }
  const auto [low, high] = std::minmax_element(sampled.values.begin(), sampled.values.end());
  const double size = std::max(std::abs(*low), std::abs(*high));
  // Round-off is no range.
  if (*high - *low > 1e-9 * size) sampled.range = *high - *low;
  return sampled;
}

// Neighbors of samples with a change above `fast`; those that touch are one.
std::vector<FastSpan> find_fast_spans(const SampledFunction& sampled, double fast) {
  std::vector<FastSpan> spans;
  double stretch = sampled.times.front();
  for (std::size_t i = 1; i < sampled.times.size(); ++i) {
    if (sampled.broken[i]) {
      stretch = sampled.times[i];
      continue;
    }
    const double change = std::abs(sampled.values[i] - sampled.values[i - 1]);
    if (!(change > fast)) continue;
    const double begin = sampled.times[i - 1];
    const bool follows = !spans.empty() && spans.back().end >= stretch && spans.back().begin >= stretch;
    if (follows && spans.back().end == begin) {
      spans.back().end = sampled.times[i];
      spans.back().change += change;
    } else {
      spans.push_back({begin, sampled.times[i], change, follows, begin == stretch});
    }
  }
  return spans;
}

// Rise and fall of a bell, half-waves of an oscillation: what is nearer than twice the shorter one's length is one.
std::vector<FastSpan> join_near(const std::vector<FastSpan>& spans) {
  std::vector<FastSpan> joined;
  for (const FastSpan& span : spans) {
    const bool near = !joined.empty() && span.follows &&
                      span.begin - joined.back().end <= 2 * std::min(span.length(), joined.back().length());
    if (!near) {
      joined.push_back(span);
      continue;
    }
    joined.back().end = span.end;
    joined.back().change += span.change;
  }
  return joined;
}

// Overlapping margins make one.
void add_feature(const FastSpan& span, double spacing, std::vector<NarrowFeature>& features) {
  const double margin = std::max(0.5 * span.length(), spacing);
  const NarrowFeature feature{span.begin - margin, span.end + margin};
  if (!features.empty() && feature.begin <= features.back().end)
    features.back().end = feature.end;
  else
    features.push_back(feature);
}

std::string line_of(const std::string& path, const std::vector<NarrowFeature>& features) {
  const NarrowFeature& first = features.front();
  const std::string others = features.size() > 1 ? fmt::format(" (and {} more)", features.size() - 1) : "";
  return fmt::format(
      "{} changes fast for about {:.3g} ms near t = {:.6g} s{}: steps end at both sides of that time and are {:.3g} ms "
      "at "
      "most within",
      path, 1e3 * (first.end - first.begin), 0.5 * (first.begin + first.end), others,
      1e3 * (first.end - first.begin) / steps_within);
}

}  // namespace

std::vector<NarrowFeature> find_narrow_features(const model::TimeFunction& function, const FeatureSearch& search) {
  if (function.is_constant() || search.samples < 2) return {};
  // All that is fast begins at a breakpoint
  if (function.table() && function.table()->is_linear()) return {};
  const SampledFunction sampled = sample(function, search);
  const double spacing = search.duration / static_cast<double>(search.samples);
  const double fast_rate = fast_part * sampled.range / search.longest_step;
  if (!(fast_rate > 0)) return {};
  std::vector<NarrowFeature> features;
  for (const FastSpan& span : join_near(find_fast_spans(sampled, fast_rate * spacing))) {
    // Behind a breakpoint steps are short already.
    if (span.at_begin || span.length() >= search.longest_step) continue;
    if (span.change < much_faster * fast_rate * span.length()) continue;
    add_feature(span, spacing, features);
  }
  if (features.size() > most_features) features.clear();
  return features;
}

FeatureSteps plan_feature_steps(const assembly::System& system, double begin, double duration, double longest_step) {
  long functions = 0;
  for_each_function_of_time(system, [&](const model::Entry&, std::string_view, const model::TimeFunction& function) {
    functions += function.is_constant() ? 0 : 1;
  });
  FeatureSteps plan;
  if (functions == 0) return plan;
  const FeatureSearch search{begin, duration, longest_step, std::max(all_samples / functions, least_samples)};
  for_each_function_of_time(
      system, [&](const model::Entry& entry, std::string_view key, const model::TimeFunction& function) {
        const std::vector<NarrowFeature> features = find_narrow_features(function, search);
        for (const NarrowFeature& feature : features)
          plan.spans.push_back({feature.begin, feature.end, (feature.end - feature.begin) / steps_within});
        if (!features.empty() && plan.notices.size() < most_feature_lines)
          plan.notices.push_back(line_of(entry.path(key), features));
      });
  return plan;
}

}  // namespace polhode::analyses
