// SPDX-License-Identifier: BSD-3-Clause
// Points of the path: the first one, acceptance, the last one.
#include "path.hpp"

#include <fmt/format.h>

#include <cmath>

namespace polhode::analyses {

Path::Path(const assembly::System& system, const StaticSettings& settings, bool loaded, const State& start,
           Redundancy& redundancy, StaticObserver& observer, StaticResult& result)
    : equations_(system, settings, loaded, start),
      stability_(equations_),
      redundancy_(redundancy),
      observer_(observer),
      result_(result) {
  here_.q = start;
  equations_.loads().set_parameter(here_.q, 0);
}

// First without the shift: loads may hold by now what was free to move.
bool Path::set_tangent(Point& point) {
  equations_.evaluate(point.q, point.s);
  const double shift = equations_.stiffness().shift();
  equations_.stiffness().set_shift(0);
  const bool regular = equations_.linearize(point.q);
  point.smallest_pivot = regular ? equations_.stiffness().pivot_ratio() : 0;
  if (shift > 0 && !(point.smallest_pivot > least_pivot)) {  // the loads do not hold the free motion yet
    equations_.stiffness().set_shift(shift);
    point.smallest_pivot = 0;
    if (!equations_.linearize(point.q)) return false;
  } else if (!regular) {
    return false;
  }
  equations_.set_tangent(point.q, point.s, point.tangent);
  return point.tangent.allFinite();
}

// A free motion that loads drive has no equilibrium at any load; one that they do not drive may be held by
// them later (a cable, a pendulum), and gets a small stiffness until then.
bool Path::begin() {
  constexpr double small_shift = 1e-10;
  const bool regular = set_tangent(here_) && here_.smallest_pivot > least_pivot;
  observe(here_, 0, false, false);
  if (!regular) {
    // Free motions that no load drives may be held by the loads themselves, as a pendulum that hangs.
    equations_.stiffness().set_shift(small_shift);
    const bool solved = set_tangent(here_);
    equations_.stiffness().set_shift(0);
    equations_.evaluate(here_.q, here_.s);
    equations_.linearize(here_.q);
    if (fail_by_free_motions("the model is free to move", true)) return false;
    if (!solved) {
      fail("the tangent stiffness is singular at the start");
      return false;
    }
    equations_.stiffness().set_shift(small_shift);
  }
  first_size_ = equations_.displacements().norm(here_.tangent);
  return true;
}

void Path::observe(const Point& point, int iterations, bool limit_point, bool last) {
  observer_.observe(point.q, {point.s, iterations, point.smallest_pivot, limit_point}, last);
}

// Redundant constraint equations may be others from here on.
void Path::accept(Point&& point, int iterations, bool last) {
  if (system().model().resolve_redundant)
    if (const std::string text = redundancy_.after_step(point.q, 0); !text.empty()) observer_.warn(text);
  std::swap(before_, here_);
  here_ = std::move(point);
  ++result_.steps;
  result_.iterations += iterations;
  result_.load_factor = here_.s;
  result_.smallest_pivot = here_.smallest_pivot;
  watch_stability();
  observe(here_, iterations, false, last);
}

// Asked before each step.
bool Path::stopped() {
  if (observer_.interrupted()) {
    result_.end = StaticResult::End::interrupted;
    return true;
  }
  if (result_.steps < settings().max_steps) return false;
  fail(fmt::format("the path of equilibria has not reached its end after {} load steps, at load factor {:.6g}",
                   settings().max_steps, here_.s),
       {"to go on: a larger `max_steps`"});
  return true;
}

// An equilibrium with a free motion is none that a user means; at the end there is no load to come that
// holds it.
void Path::finish() {
  constexpr double held = 1e-11;  // relative to the largest pivot
  if (result_.end != StaticResult::End::done) return;
  if (here_.smallest_pivot > held) return;
  equations_.stiffness().set_shift(0);
  equations_.evaluate(here_.q, here_.s);
  equations_.linearize(here_.q);
  fail_by_free_motions("in equilibrium, the model is free to move", false);
}

}  // namespace polhode::analyses
