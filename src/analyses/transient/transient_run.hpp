// SPDX-License-Identifier: BSD-3-Clause
// What the loops of fixed and of controlled steps share.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "polhode/analyses/redundancy.hpp"
#include "polhode/analyses/transient/transient.hpp"

namespace polhode::analyses {

struct TransientRun {
  assembly::System& system;
  const TransientSettings& settings;
  State& q;
  Observer& observer;
  TransientResult& result;
  Redundancy& redundancy;
  integrators::Stepper& stepper;
  model::Problems& problems;
  double power = 0;  // at q, W

  bool tell(const std::string& text) const;  // false if there is nothing to tell
  bool start(double h);                      // the method's start for a first step of h
  void begin();                              // the first state
  // Of a step of size `step` that led to q; `t` is the time that q gets.
  void finish_step(double step, double t, bool project_velocities, bool last);
  TransientResult::End fail();
};

TransientResult::End run_controlled(TransientRun& run);
TransientResult::End run_state_space(TransientRun& run);  // fixed or controlled steps of Rosenbrock methods
TransientResult::End run_sundials(TransientRun& run);

// Fixed steps t_n = t_0 + n h; the last one closes the interval.
struct Grid {
  long steps;
  bool whole;  // the duration is a whole number of steps
  double t0;
  double h;
  double duration;
  explicit Grid(double t, const TransientSettings& settings) : t0(t), h(settings.step), duration(settings.duration) {
    const double ratio = duration / h;
    const double nearest = std::round(ratio);
    whole = nearest >= 1 && std::abs(ratio - nearest) < 1e-6;
    steps = static_cast<long>(whole ? nearest : std::ceil(ratio));
  }
  bool shorter(long n) const { return !whole && n == steps; }
  double size(long n) const { return shorter(n) ? duration - static_cast<double>(n - 1) * h : h; }
  double end(long n) const { return shorter(n) ? t0 + duration : t0 + static_cast<double>(n) * h; }
};
void tell_shorter_last_step(const Grid& grid, Observer& observer);

// Where steps under control end: breakpoints of functions of time, projections, and the end. Ascending, after t; what
// coincides but for round-off is one.
struct Stop {
  double t;
  bool breakpoint;
  bool projection;
};
std::vector<Stop> find_stops(const assembly::System& system, const TransientSettings& settings, double t, double end);

}  // namespace polhode::analyses
