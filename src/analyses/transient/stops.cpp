// SPDX-License-Identifier: BSD-3-Clause
// Which step is tried next.
#include "analyses/transient/stops.hpp"

#include <algorithm>
#include <cmath>

namespace polhode::analyses {

using integrators::Step;
using integrators::StepReport;

// Times by multiplication, t_0 + n h, so that no error adds up; a duration within 1e-6 of a whole number of
// steps is one.
Grid::Grid(double begin, double step, double length) : t0(begin), h(step), duration(length) {
  const double ratio = duration / h;
  const double nearest = std::round(ratio);
  whole = nearest >= 1 && std::abs(ratio - nearest) < 1e-6;
  steps = static_cast<long>(whole ? nearest : std::ceil(ratio));
}

namespace {

// Of the stops whose steps lie in the span; none begins or ends inside of it but at other stops.
void shorten_steps(const ShortSteps& span, double begin, std::vector<Stop>& stops) {
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const double from = i == 0 ? begin : stops[i - 1].t;
    const double middle = 0.5 * (from + stops[i].t);
    if (span.begin < middle && middle < span.end) stops[i].longest = std::min(stops[i].longest, span.longest);
  }
}

}  // namespace

// A breakpoint and a projection at one time are one stop with both marks.
std::vector<Stop> find_stops(std::span<const double> breakpoints, std::span<const double> projections, double begin,
                             double end, std::span<const ShortSteps> spans) {
  std::vector<Stop> all;
  for (const double t : breakpoints) all.push_back({t, true, false});
  for (const double t : projections) all.push_back({t, false, true});
  for (const ShortSteps& span : spans) {
    all.push_back({span.begin, true, false});
    all.push_back({span.end, true, false});
  }
  const double same = 1e-12 * std::max(std::abs(begin), std::abs(end));
  std::sort(all.begin(), all.end(), [](const Stop& a, const Stop& b) { return a.t < b.t; });
  std::vector<Stop> stops;
  for (const Stop& stop : all) {
    if (stop.t <= begin + same || stop.t >= end - same) continue;
    if (!stops.empty() && stop.t <= stops.back().t + same) {
      stops.back().breakpoint |= stop.breakpoint;
      stops.back().projection |= stop.projection;
      continue;
    }
    stops.push_back(stop);
  }
  stops.push_back({end, false, !projections.empty() && projections.back() >= end - same});
  for (const ShortSteps& span : spans) shorten_steps(span, begin, stops);
  return stops;
}

namespace {

// Of a step: so close to its end counts as on it.
constexpr double on_grid = 1e-9;

// Round-off of a time, and of the breakpoint there.
double last_bits(double t) { return 8 * std::numeric_limits<double>::epsilon() * std::abs(t); }

// A little before a breakpoint, where loads and drives that jump have not jumped yet.
double just_before(double t) { return t - last_bits(t); }

// The step that ends at t, or 0.
long step_ending_at(const Grid& grid, double t) {
  const double last = grid.end(grid.steps);
  if (std::abs(t - last) <= std::max(on_grid * grid.h, last_bits(last))) return grid.steps;
  const double nearest = std::clamp(std::round((t - grid.t0) / grid.h), 0.0, static_cast<double>(grid.steps));
  const long n = static_cast<long>(nearest);
  const double end = grid.end(n);
  return std::abs(t - end) <= std::max(on_grid * grid.h, last_bits(end)) ? n : 0;
}

}  // namespace

std::vector<JumpOnGrid> find_jumps_on_grid(const Grid& grid, std::span<const double> jumps) {
  std::vector<JumpOnGrid> on;
  for (const double t : jumps) {
    const long n = step_ending_at(grid, t);
    if (n < 1) continue;
    const double end = grid.end(n);
    const double before = just_before(std::min(t, end));
    const double behind = std::max(t, end) + last_bits(end);
    if (on.empty() || on.back().step != n) {
      on.push_back({n, before, behind});
      continue;
    }
    on.back().before = std::min(on.back().before, before);
    on.back().behind = std::max(on.back().behind, behind);
  }
  return on;
}

namespace {

// Of the times that are hit: those inside of steps, s, and the steps that one of them ends, from 1. Both ascend.
struct Hits {
  std::vector<double> inside;
  std::vector<long> at_end;
};

Hits find_hits(const Grid& grid, std::span<const double> times) {
  const double same = on_grid * grid.h;
  Hits hits;
  for (const double t : times) {
    if (const long n = step_ending_at(grid, t); n > 0) {
      hits.at_end.push_back(n);
    } else if (t > grid.t0 + same && t < grid.end(grid.steps) &&
               (hits.inside.empty() || t > hits.inside.back() + same)) {
      hits.inside.push_back(t);
    }
  }
  return hits;
}

// No other step is tried where one fails: subdividing it is up to the attempts.
class FixedPlan final : public StepPlan {
 public:
  FixedPlan(const Grid& grid, const TimesOnGrid& times)
      : grid_(grid),
        projections_(times.projections.begin(), times.projections.end()),
        jumps_(find_jumps_on_grid(grid, times.jumps)),
        hits_(find_hits(grid, times.hits)),
        kinks_(find_hits(grid, times.breakpoints).at_end) {}

  long steps() const override { return grid_.steps + static_cast<long>(hits_.inside.size()); }
  bool done() const override { return n_ > grid_.steps; }
  double stop() const override { return ends_inside() ? hits_.inside[hit_] : grid_.end(grid_.steps); }

  Step next(double t) override {
    if (ends_inside()) {
      const double end = hits_.inside[hit_];
      return {.h = end - t, .t_next = just_before(end), .limit = just_before(end)};
    }
    Step step{.h = is_cut_ ? grid_.end(n_) - t : grid_.size(n_), .t_next = grid_.end(n_)};
    if (std::binary_search(kinks_.begin(), kinks_.end(), n_)) step.limit = step.t_next;
    if (!ends_on_jump()) return step;
    step.t_next = jumps_[jumped_].before;
    step.limit = step.t_next;
    return step;
  }

  Arrival accept(const StepReport&) override {
    if (ends_inside()) {
      is_cut_ = true;
      return {.t = hits_.inside[hit_++], .breakpoint = true};
    }
    is_cut_ = false;
    Arrival arrival{.t = grid_.end(n_), .last = n_ == grid_.steps};
    for (; projected_ < projections_.size() && projections_[projected_] <= arrival.t + on_grid * grid_.h; ++projected_)
      arrival.project = true;
    if (ends_on_jump()) {
      arrival.behind_jump = jumps_[jumped_].behind;
      ++jumped_;
    }
    arrival.breakpoint = !arrival.behind_jump && std::binary_search(hits_.at_end.begin(), hits_.at_end.end(), n_);
    ++n_;
    return arrival;
  }

  Arrival cut(double t) override {
    is_cut_ = true;
    return {.t = t};
  }

  bool reject(const StepReport&) override { return false; }
  void archive(math::Archive& a) override {
    a(hit_, is_cut_, projected_, jumped_, n_);
    if (hit_ > hits_.inside.size() || projected_ > projections_.size() || jumped_ > jumps_.size()) a.fail();
  }

 private:
  bool ends_inside() const { return hit_ < hits_.inside.size() && hits_.inside[hit_] < grid_.end(n_); }
  bool ends_on_jump() const { return jumped_ < jumps_.size() && jumps_[jumped_].step == n_; }

  Grid grid_;
  std::vector<double> projections_;
  std::vector<JumpOnGrid> jumps_;
  Hits hits_;
  std::vector<long> kinks_;    // steps that end on one, or on a jump
  std::size_t hit_ = 0;        // of those inside, passed
  bool is_cut_ = false;        // the present step, by one of them
  std::size_t projected_ = 0;  // projections done
  std::size_t jumped_ = 0;     // jumps passed
  long n_ = 1;                 // the step to try
};

// The controller proposes, and hits the next stop exactly. Before a breakpoint forces are those that have
// not jumped.
class ControlledPlan final : public StepPlan {
 public:
  ControlledPlan(std::vector<Stop> stops, std::unique_ptr<integrators::StepControl> control)
      : stops_(std::move(stops)), control_(std::move(control)) {}

  bool done() const override { return next_ == stops_.size(); }
  double stop() const override { return stops_[next_].t; }
  double longest() const override { return stops_[next_].longest; }

  Step next(double t) override {
    const Stop& stop = stops_[next_];
    const double h = control_->propose(stop.t - t);
    Step step{.h = h};
    if (stop.breakpoint) step.limit = just_before(stop.t);
    step.t_next = control_->reaches_stop() ? std::min(stop.t, step.limit) : t + h;
    return step;
  }

  Arrival accept(const StepReport& report) override {
    control_->accepted(report.error);
    const Stop& stop = stops_[next_];
    // A step that was cut short by the controller has not arrived.
    if (report.t < just_before(stop.t)) return {.t = report.t};
    ++next_;
    return {.t = stop.t, .last = done(), .breakpoint = stop.breakpoint, .project = stop.projection};
  }

  Arrival cut(double t) override { return {.t = t}; }

  bool reject(const StepReport& report) override {
    if (report.outcome == integrators::Outcome::inaccurate)
      control_->rejected(report.error);
    else
      control_->failed();
    return !control_->gave_up();
  }

  void bound(double longest) override { control_->bound(std::min(longest, stops_[next_].longest)); }
  void restart(double longest) override { control_->restart(longest); }
  void archive(math::Archive& a) override {
    a(next_, *control_);
    if (next_ >= stops_.size()) a.fail();
  }

 private:
  std::vector<Stop> stops_;
  std::unique_ptr<integrators::StepControl> control_;
  std::size_t next_ = 0;  // stop ahead
};

}  // namespace

std::unique_ptr<StepPlan> make_fixed_plan(const Grid& grid, const TimesOnGrid& times) {
  return std::make_unique<FixedPlan>(grid, times);
}

std::unique_ptr<StepPlan> make_controlled_plan(std::vector<Stop> stops,
                                               std::unique_ptr<integrators::StepControl> control) {
  return std::make_unique<ControlledPlan>(std::move(stops), std::move(control));
}

}  // namespace polhode::analyses
