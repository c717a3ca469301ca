// SPDX-License-Identifier: BSD-3-Clause
// Which step is tried next: those of a grid, or those that a controller proposes between stops.
#pragma once
#include <memory>
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
};
// Ascending, after `begin` and up to `end`, which is the last one. What coincides but for round-off is one.
std::vector<Stop> find_stops(std::span<const double> breakpoints, std::span<const double> projections, double begin,
                             double end);

// What is known when a step has been accepted.
struct Arrival {
  double t;                 // s, the time of the state: that of the stop, where the step ended there
  bool last = false;        // the analysis is done
  bool breakpoint = false;  // loads and drives have a kink or a jump here
  bool project = false;     // velocities are to be projected
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
  // The step failed. False if there is no other one to try.
  virtual bool reject(const integrators::StepReport& report) = 0;
  // s: no step passes it. Infinity: no such time.
  virtual double stop() const { return std::numeric_limits<double>::infinity(); }
  // The method starts anew behind a breakpoint; the next step is `longest`, s, at most.
  virtual void restart(double longest) { (void)longest; }
};

// `projections`: s, ascending.
std::unique_ptr<StepPlan> make_fixed_plan(const Grid& grid, std::span<const double> projections);
std::unique_ptr<StepPlan> make_controlled_plan(std::vector<Stop> stops,
                                               std::unique_ptr<integrators::StepControl> control);

}  // namespace polhode::analyses
