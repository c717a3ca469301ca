// SPDX-License-Identifier: BSD-3-Clause
// The rules by which steps are chosen.
#include "polhode/integrators/step_control.hpp"

#include <algorithm>
#include <cmath>

namespace polhode::integrators {
namespace {

constexpr double same_size = 1 - 1e-9;

// Proportional-integral (Gustafsson), with a dead band in which steps stay as they are.
class ProportionalIntegral final : public StepControl {
 public:
  ProportionalIntegral(const StepSizes& sizes, double safety, double growth, double later_growth)
      : first_growth_(growth),
        later_growth_(later_growth),
        growth_(growth),
        min_(sizes.min),
        max_(sizes.max),
        target_(std::pow(safety, order)),
        h_(std::clamp(sizes.initial, sizes.min, sizes.max)) {}

  // The last steps before a stop share what remains, so that each changes little.
  double propose(double remaining) override {
    tried_ = std::min(h_, std::max(longest_, min_));
    reaches_stop_ = tried_ >= remaining * same_size;
    if (reaches_stop_)
      tried_ = remaining;
    else if (const double steps = std::ceil(remaining / tried_ * same_size); steps <= sharing)
      tried_ = remaining / steps;
    shortened_ = tried_ < h_ * same_size;
    return tried_;
  }

  // h_{n+1} = h_n (1/e_n)^(0.7/3) e_{n-1}^(0.4/3), e the error by its target:
  // the second factor looks at the trend. Within the dead band steps stay as they are,
  // since each change re-bases the method and excites vibrations, long ones the more; none grows right behind a
  // rejected one.
  void accepted(double error) override {
    const double now = std::max(error, 1e-9) / target_;
    const double wanted = std::pow(now, -1 / order);
    if (wanted <= growth_) growth_ = later_growth_;  // the first steps have grown up
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
  }

  void rejected(double error) override {
    if (std::isfinite(error))
      reduce(std::clamp(std::pow(error / target_, -1 / order), deepest_cut, least_cut));
    else
      reduce(deepest_cut);
  }

  void failed() override { reduce(after_failure); }

  // Behind a jump or kink the motion is less smooth than before: half of the step, and no history of errors.
  void restart(double longest) override {
    h_ = std::max(std::min(h_ / 2, longest), min_);
    growth_ = first_growth_;
    last_ = 1;
  }

  void archive(math::Archive& a) override {
    StepControl::archive(a);
    a(growth_, h_, tried_, last_, hold_, shortened_);
  }

 private:
  static constexpr double order = 3;    // of the local error in h
  static constexpr double sharing = 8;  // steps before a stop
  static constexpr double dead_low = 0.93, dead_high = 1.05;
  static constexpr double least_cut = 0.9, deepest_cut = 0.2;  // of a rejected step
  static constexpr double deepest_shrink = 0.3;                // of an accepted one
  static constexpr double after_failure = 0.25;

  // A step at its least size that fails again is the end.
  void reduce(double factor) {
    gave_up_ = tried_ <= min_ * (1 + 1e-9);
    h_ = std::max(factor * tried_, std::min(min_, tried_));
    hold_ = true;
  }

  double first_growth_;
  double later_growth_;
  double growth_;  // one of these
  double min_;
  double max_;
  double target_;      // of the error
  double h_;           // wanted next
  double tried_ = 0;   // proposed last
  double last_ = 1;    // error by its target
  bool hold_ = false;  // no growth in the next step
  bool shortened_ = false;
};

// h (safety / error)^(1/order), within factors; Negrut et al. (2003), eq. (7).
class Elementary final : public StepControl {
 public:
  Elementary(const StepSizes& sizes, double safety, double growth, const StepRule& rule)
      : safety_(safety),
        growth_(growth),
        power_(-1.0 / rule.order),
        kept_below_(rule.kept_below),
        min_(sizes.min),
        max_(sizes.max),
        h_(std::clamp(sizes.initial, sizes.min, sizes.max)),
        most_(growth) {}

  // A step that nearly reaches the stop is halved with the next one, so that no tiny step is left before it.
  double propose(double remaining) override {
    tried_ = std::min(h_, std::max(longest_, min_));
    reaches_stop_ = tried_ >= remaining * same_size;
    if (reaches_stop_)
      tried_ = remaining;
    else if (tried_ > remaining / 1.1)
      tried_ = remaining / 2;
    return tried_;
  }

  // A step that was cut by a stop says nothing against a longer one after it.
  void accepted(double error) override {
    double factor = std::clamp(safety_ * std::pow(error, power_), least_factor, most_);
    if (kept_below_ > 1 && factor > kept_above && factor < kept_below_) factor = 1;
    const double wanted = tried_ * factor;
    const bool shortened = tried_ < h_;
    h_ = std::min(shortened && wanted > tried_ ? std::max(h_, wanted) : wanted, max_);
    most_ = growth_;
  }

  void rejected(double error) override { reduce(std::isfinite(error) ? safety_ * std::pow(error, power_) : 0); }
  void failed() override { reduce(0); }
  void restart(double longest) override { h_ = std::max(min_, std::min(h_, longest)); }
  void archive(math::Archive& a) override {
    StepControl::archive(a);
    a(h_, most_, tried_);
  }

 private:
  static constexpr double least_factor = 0.2;  // facmin of eq. (7)
  static constexpr double kept_above = 0.9;

  void reduce(double factor) {
    gave_up_ = tried_ <= min_ * (1 + 1e-9);
    h_ = std::max(min_, tried_ * std::clamp(factor, least_factor, 1.0));
    most_ = 1;
  }

  double safety_;
  double growth_;
  double power_;
  double kept_below_;
  double min_;
  double max_;
  double h_;          // wanted next
  double most_;       // growth in the next step: none behind a rejected one
  double tried_ = 0;  // proposed last
};

// The method's library chooses its steps; one that fails has failed for good.
class Own final : public StepControl {
 public:
  double propose(double remaining) override { return remaining; }
  void accepted(double) override {}
  void rejected(double) override { gave_up_ = true; }
  void failed() override { gave_up_ = true; }
  void restart(double) override {}
};

}  // namespace

// Local errors of order h^3 add up to a global one of order h^2: a tolerance of the motion allows its power
// 3/2 in a step.
double allowed_error(double tolerance) { return 0.1 * std::pow(tolerance, 1.5); }

double allowed_once(double tolerance) { return 0.1 * tolerance; }

// Defaults as parts of the duration; a first step or a maximum that is given bounds the defaults of the
// others.
StepSizes step_sizes(const StepControlSettings& settings, const StepRule& rule, double duration, double first_stop) {
  // A first step that is given may be longer than the default of the largest one.
  const double max = settings.max.value_or(std::max(duration / rule.least_steps, settings.initial.value_or(0)));
  const double min =
      settings.min.value_or(std::min({rule.smallest_part * duration, max, settings.initial.value_or(max)}));
  if (rule.kind == StepRule::Kind::own) return {settings.initial.value_or(0), min, max};
  return {settings.initial.value_or(std::min(1e-4 * duration, first_stop / 20)), min, max};
}

std::unique_ptr<StepControl> make_step_control(const StepControlSettings& settings, const StepRule& rule,
                                               const StepSizes& sizes) {
  const double safety = settings.safety.value_or(rule.safety);
  const double growth = settings.growth.value_or(rule.growth);
  switch (rule.kind) {
    case StepRule::Kind::proportional_integral:
      return std::make_unique<ProportionalIntegral>(sizes, safety, growth, settings.growth.value_or(rule.later_growth));
    case StepRule::Kind::elementary:
      return std::make_unique<Elementary>(sizes, safety, growth, rule);
    case StepRule::Kind::own:
      break;
  }
  return std::make_unique<Own>();
}

}  // namespace polhode::integrators
