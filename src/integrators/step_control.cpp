// SPDX-License-Identifier: BSD-3-Clause
// The controller: proportional-integral (Gustafsson), with a dead band in which steps stay as they are.
#include "polhode/integrators/step_control.hpp"

#include <algorithm>
#include <cmath>

namespace polhode::integrators {
namespace {

constexpr double order = 3;                           // of the local error in h
// a step is kept, and nothing needs re-basing
constexpr double dead_low = 0.93;
constexpr double dead_high = 1.05;
// of a rejected step
constexpr double least_cut = 0.9;
constexpr double deepest_cut = 0.2;
constexpr double deepest_shrink = 0.3;                // of an accepted one
constexpr double after_newton_failure = 0.25;

}  // namespace

double allowed_error(double tolerance) { return 0.1 * std::pow(tolerance, 1.5); }

StepControl::StepControl(const StepControlSettings& settings, double initial, double max, double min)
    : growth_(settings.growth.value_or(2)),
      max_(max),
      min_(min),
      allowed_(allowed_error(settings.tolerance)),
      target_(std::pow(settings.safety.value_or(0.5), order)),
      h_(std::clamp(initial, min, max)) {}

double StepControl::propose(double remaining) {
  tried_ = h_;
  reaches_stop_ = h_ >= remaining * (1 - 1e-9);
  if (reaches_stop_)
    tried_ = remaining;
  else if (h_ > remaining / 2)
    tried_ = remaining / 2;
  shortened_ = tried_ < h_ * (1 - 1e-9);
  return tried_;
}

bool StepControl::judge(double error) {
  const double ratio = error / allowed_;
  if (!(ratio <= 1)) {
    reduce(std::isfinite(ratio) ? std::clamp(std::pow(ratio / target_, -1 / order), deepest_cut, least_cut)
                                : deepest_cut);
    return false;
  }
  const double now = std::max(ratio, 1e-9) / target_;
  const double wanted = std::pow(now, -1 / order);
  double factor = 1;
  if (wanted < dead_low || wanted > dead_high)
    factor = std::clamp(std::pow(now, -0.7 / order) * std::pow(last_, 0.4 / order), deepest_shrink, growth_);
  if (hold_) factor = std::min(factor, 1.0);
  last_ = now;
  hold_ = false;
  if (factor < 1)
    h_ = std::max(factor * tried_, min_);
  else if (!shortened_)
    h_ = factor * tried_;
  h_ = std::min(h_, max_);  // a step that was shortened to end on a stop does not shorten the next one
  return true;
}

void StepControl::newton_failed() { reduce(after_newton_failure); }

void StepControl::reduce(double factor) {
  gave_up_ = tried_ <= min_ * (1 + 1e-9);
  h_ = std::max(factor * tried_, std::min(min_, tried_));
  hold_ = true;
}

void StepControl::restart(double longest) {
  h_ = std::max(std::min(h_ / 2, longest), min_);
  last_ = 1;
}

}  // namespace polhode::integrators
