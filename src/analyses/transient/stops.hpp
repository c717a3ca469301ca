// SPDX-License-Identifier: BSD-3-Clause
// Which step is tried next: those of a grid, or those that a controller proposes between stops.
#pragma once
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "polhode/analyses/settings.hpp"
#include "polhode/integrators/integrator.hpp"
#include "polhode/integrators/step_control.hpp"

namespace polhode::analyses {

// Fixed steps t_n = t_0 + n h, n = 1, 2, ...; the last one closes the interval.
struct Grid {
  Grid(double t0, double h, double duration);
  bool shorter(long n) const { return !whole && n == steps; }
  double size(long n) const { return shorter(n) ? duration - static_cast<double>(n - 1) * h : h; }
  double end(long n) const { return shorter(n) ? t0 + duration : t0 + static_cast<double>(n) * h; }

  double t0;        // s
  double h;         // s
  double duration;  // s
  bool whole;       // the duration is a whole number of steps
  long steps;
};

// A time where a step under control ends.
struct Stop {
  double t;         // s
  bool breakpoint;  // of a function of time
  bool projection;  // of velocities
  // s: no step up to here, from the stop before, is longer
  double longest = std::numeric_limits<double>::infinity();
};
// A span of time in which no step is longer than `longest`, s.
struct ShortSteps {
  double begin;
  double end;
  double longest;
};
// Ascending, after `begin` and up to `end`, which is the last one. What coincides but for round-off is one. Both ends
// of spans of short steps are breakpoints.
std::vector<Stop> find_stops(std::span<const double> breakpoints, std::span<const double> projections, double begin,
                             double end, std::span<const ShortSteps> spans = {});

// What is known when a step has been accepted.
struct Arrival {
  double t;                 // s, the time of the state: that of the stop, where the step ended there
  bool last = false;        // the analysis is done
  bool breakpoint = false;  // loads and drives have a kink or a jump here
  bool project = false;     // velocities are to be projected
  // s: just behind the jump of a load at the end of a fixed step
  std::optional<double> behind_jump = std::nullopt;
};

// Which step is tried next, and what an accepted or rejected one changes in that;
// one object for each analysis.
class StepPlan {
 public:
  virtual ~StepPlan() = default;
  virtual long steps() const { return 0; }  // of the analysis; 0: not known beforehand
  virtual bool done() const = 0;
  // The step to try from time t.
  virtual integrators::Step next(double t) = 0;
  // The step of this report was accepted.
  virtual Arrival accept(const integrators::StepReport& report) = 0;
  // An accepted step ended before the one that was planned, at the time t, s, of an event.
  virtual Arrival cut(double t) = 0;
  // The step failed. False if there is no other one to try.
  virtual bool reject(const integrators::StepReport& report) = 0;
  // s: no step passes it. Infinity: no such time.
  virtual double stop() const { return std::numeric_limits<double>::infinity(); }
  // s: no step up to the next stop is longer. Infinity: no such bound.
  virtual double longest() const { return std::numeric_limits<double>::infinity(); }
  // No step above `longest`, s, is tried from here on, where the plan has a choice. Infinity: no such bound.
  virtual void bound(double longest) { (void)longest; }
  // The method starts anew behind a breakpoint; the next step is `longest`, s, at most.
  virtual void restart(double longest) { (void)longest; }
  // How far the plan is.
  virtual void archive(math::Archive& a) = 0;
};

// A jump of loads on the grid: within 1e-9 of a step of the end of a step, or within round-off of it.
struct JumpOnGrid {
  long step;      // that ends there, from 1
  double before;  // s, where no load has jumped yet
  double behind;  // s, where all have
};
// Of the jumps at these times, s, ascending; those inside of steps are none. Several at the end of one step are one.
std::vector<JumpOnGrid> find_jumps_on_grid(const Grid& grid, std::span<const double> jumps);

// What happens on the way of fixed steps: times, s, each list ascending.
struct TimesOnGrid {
  std::span<const double> projections = {};  // of velocities, at the end of the step that reaches them
  std::span<const double> jumps = {};        // of loads; a step that ends on one ends just before it for loads
  std::span<const double> hits = {};         // where a step has to end, and another one leads back to the grid
  std::span<const double> breakpoints = {};  // of loads: the limit of a step that ends on one
};
std::unique_ptr<StepPlan> make_fixed_plan(const Grid& grid, const TimesOnGrid& times);
std::unique_ptr<StepPlan> make_controlled_plan(std::vector<Stop> stops,
                                               std::unique_ptr<integrators::StepControl> control);

}  // namespace polhode::analyses
