// SPDX-License-Identifier: BSD-3-Clause
// Functions of time between the ends of fixed steps.
#include "analyses/transient/features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "analyses/transient/functions_of_time.hpp"

namespace polhode::analyses {
namespace {

// Of the range of the function: what differs by less is resolved well enough to be a matter of accuracy.
constexpr double noticeable = 0.1;
// Of a step: breakpoints so close to its end are at its end.
constexpr double at_end = 1e-6;

struct Feature {
  double begin;   // s
  double length;  // s
};

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double size() const { return high - low; }
};

// Between breakpoints that follow each other, where a function is smooth.
std::vector<double> middles_of(const std::vector<double>& times) {
  std::vector<double> middles;
  for (std::size_t i = 0; i + 1 < times.size(); ++i) middles.push_back(0.5 * (times[i] + times[i + 1]));
  return middles;
}

// Ends of the step that holds t, or of the two steps.
struct StepEnds {
  double begin;
  double end;
};

// Number of the step that holds t, from 0.
long step_at(const Grid& grid, double t) {
  const double n = std::clamp(std::floor((t - grid.t0) / grid.h), 0.0, static_cast<double>(grid.steps - 1));
  return static_cast<long>(n);
}

// The step that passes over what is between two breakpoints: both are in it, one of them inside at least. Or two steps,
// with what is shorter than half of one about the time between them, where it acts for a whole step.
std::optional<StepEnds> steps_over(const Grid& grid, double begin, double end) {
  const double slack = at_end * grid.h;
  const long first = step_at(grid, begin + slack);
  const long last = step_at(grid, end - slack);
  const StepEnds ends{grid.t0 + static_cast<double>(first) * grid.h, grid.end(last + 1)};
  const bool is_whole_step = begin <= ends.begin + slack && end >= ends.end - slack;
  if (first == last && !is_whole_step) return ends;
  if (first + 1 == last && end - begin < 0.5 * grid.h) return ends;
  return std::nullopt;
}

// The shortest of those that are passed over.
std::optional<Feature> passed_feature(const model::TimeFunction& function, const Grid& grid) {
  // Breakpoints at the start itself count, too
  const std::vector<double> times = function.breakpoints(grid.t0 - at_end * grid.h, grid.t0 + grid.duration);
  const std::vector<double> middles = middles_of(times);
  Range range;
  for (const double t : times) range.add(function(t).value);
  for (const double t : middles) range.add(function(t).value);
  range.add(function(grid.t0).value);
  range.add(function(grid.t0 + grid.duration).value);
  std::optional<Feature> shortest;
  for (std::size_t i = 0; i < middles.size(); ++i) {
    const std::optional<StepEnds> steps = steps_over(grid, times[i], times[i + 1]);
    if (!steps) continue;
    const double before = function(steps->begin).value;
    const double after = function(steps->end).value;
    const double line = before + (after - before) * (middles[i] - steps->begin) / (steps->end - steps->begin);
    if (!(std::abs(function(middles[i]).value - line) > noticeable * range.size())) continue;
    const double length = times[i + 1] - times[i];
    if (!shortest || length < shortest->length) shortest = Feature{times[i], length};
  }
  return shortest;
}

// Evaluations for all functions of a model: one a step, which costs some parts in a thousand of it, or as many as take
// no time at all, and at most some milliseconds in sum.
long samples_for(const Grid& grid) { return std::clamp(grid.steps, 1L << 10, 1L << 15); }

// Whether there is a breakpoint in [begin, end], of those that ascend.
bool has_any(const std::vector<double>& breakpoints, double begin, double end) {
  const auto first = std::lower_bound(breakpoints.begin(), breakpoints.end(), begin);
  return first != breakpoints.end() && *first <= end;
}

// The first step without breakpoints in which a smooth function, a narrow bell or a wave of about the step's length,
// leaves the line between the step's ends. Where there are more steps than samples, some steps are looked at.
std::optional<double> unresolved_step(const model::TimeFunction& function, const Grid& grid, long samples) {
  // Parts of a step whose places no wave of the step's length repeats
  constexpr double golden = 0.6180339887498949;
  const long each = std::clamp(samples / grid.steps, 4L, 32L);
  const long stride = std::max(1L, grid.steps * each / samples);
  const double slack = at_end * grid.h;
  const std::vector<double> breakpoints = function.breakpoints(grid.t0 - slack, grid.t0 + grid.duration + slack);
  // By the ends of steps: what they do not show is beyond their range, however small.
  Range range;
  for (long n = 0; n <= grid.steps; n += stride) range.add(function(grid.end(n)).value);
  const double noise = 1e-9 * std::max(std::abs(range.low), std::abs(range.high));
  const double allowed = noticeable * range.size() + noise;
  for (long n = 1; n <= grid.steps; n += stride) {
    const double end = grid.end(n);
    const double begin = end - grid.size(n);
    if (has_any(breakpoints, begin - slack, end + slack)) continue;
    const double before = function(begin).value;
    const double after = function(end).value;
    for (long i = 1; i <= each; ++i) {
      const double part = std::fmod(golden * static_cast<double>(i), 1.0);
      const double line = before + part * (after - before);
      if (std::abs(function(begin + part * grid.size(n)).value - line) > allowed) return begin;
    }
  }
  return std::nullopt;
}

}  // namespace

void warn_of_passed_features(const assembly::System& system, const Grid& grid, bool hit, Observer& observer) {
  long functions = 0;
  for_each_function_of_time(system, [&](const model::Entry&, std::string_view, const model::TimeFunction& function) {
    functions += function.is_constant() ? 0 : 1;
  });
  for_each_function_of_time(
      system, [&](const model::Entry& entry, std::string_view key, const model::TimeFunction& function) {
        if (function.is_constant()) return;
        std::optional<Feature> feature;
        if (!hit) feature = passed_feature(function, grid);
        if (!feature) {
          const long samples = std::max(samples_for(grid) / functions, 64L);
          if (const std::optional<double> t = unresolved_step(function, grid, samples))
            observer.warn(fmt::format(
                "{} changes within the step of {:.3g} ms at t = {:.6g} s, which does not resolve it; use a smaller "
                "`step`",
                entry.path(key), 1e3 * grid.h, *t));
          return;
        }
        observer.warn(fmt::format(
            "{} has features of {:.3g} ms at t = {:.6g} s, the step is {:.3g} ms and does not resolve them; use a "
            "smaller `step`, or steps that end on breakpoints: `step: {{tolerance}}`, or `integrator: {{breakpoints: "
            "hit}}`",
            entry.path(key), 1e3 * feature->length, feature->begin, 1e3 * grid.h));
      });
}

}  // namespace polhode::analyses
