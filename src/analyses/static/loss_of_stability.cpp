// SPDX-License-Identifier: BSD-3-Clause
// Bisection of the load between a stable and an unstable equilibrium.
#include "loss_of_stability.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace polhode::analyses {

namespace {

constexpr double near = 1e-4;  // in units of the model's length

}  // namespace

// From either end, where that leads to a place between both: beyond a bifurcation there are other equilibria, farther
// off than both ends are from each other.
bool LossSearch::solve(const LossOfStability& span, double s, State& q) {
  constexpr double explained = 1.5;
  const Displacements& sizes = equations_.displacements();
  const double farthest = std::max(explained * sizes.reach(span.stable, span.unstable), near);
  for (const State* from : {&span.stable, &span.unstable})
    for (const bool curved : {false, true}) {
      const Correction correction = solve_at(equations_, *from, s, q, curved);
      solves_ += correction.solves();
      if (!correction.converged()) continue;
      if (sizes.reach(span.stable, q) <= farthest && sizes.reach(q, span.unstable) <= farthest) return true;
      break;
    }
  return false;
}

// At the load where stability is lost the tangent is singular: a place beside it does as well.
bool LossSearch::solve_within(const LossOfStability& span, double& s, State& q) {
  for (const double part : {0.5, 0.4, 0.6}) {
    s = span.begin + part * (span.end - span.begin);
    if (solve(span, s, q)) return true;
  }
  return false;
}

// A count alone decides: the lowest stiffness is that of one shape here and of another one there, and a line through its
// values at the ends of a long load step says little of what is between. A path shrinks with the load, a jump to another
// part does not.
bool LossSearch::narrow(LossOfStability& span) {
  constexpr int most_rounds = 24;
  constexpr double least_shrink = 1.0 / 16;
  constexpr double uneven = 4;  // the fastest part of a path against its mean
  if (span.is_narrow()) return true;
  const Displacements& sizes = equations_.displacements();
  const double width = span.end - span.begin;
  const double reach = sizes.reach(span.stable, span.unstable);
  double part = 1;
  double s = 0;
  State within;
  for (int i = 0; part > least_shrink || !span.is_narrow(); ++i) {
    if (i == most_rounds || !solve_within(span, s, within)) return false;
    const std::optional<int> count = stability_.count(within, s);
    if (!count) return false;
    const bool stable = *count <= index_;
    (stable ? span.stable : span.unstable).swap(within);
    (stable ? span.begin : span.end) = s;
    part = (span.end - span.begin) / width;
  }
  return sizes.reach(span.stable, span.unstable) <= std::max(uneven * part * reach, near);
}

double LossSearch::interpolate(const LossOfStability& span) {
  const Stability::Motions then = stability_.motions(span.stable, span.begin, index_ + 1);
  const Stability::Motions now = stability_.motions(span.unstable, span.end, index_ + 1);
  if (then.curvature.size() <= index_ || now.curvature.size() <= index_) return span.end;
  const double first = then.curvature[index_];
  const double last = now.curvature[index_];
  return first > 0 && last < first ? span.begin + (span.end - span.begin) * first / (first - last) : span.begin;
}

}  // namespace polhode::analyses
