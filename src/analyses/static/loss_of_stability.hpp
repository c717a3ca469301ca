// SPDX-License-Identifier: BSD-3-Clause
// The load factor at which a direction loses its stiffness, between a stable and an unstable equilibrium of a path.
#pragma once
#include "equilibrium_newton.hpp"
#include "stability.hpp"

namespace polhode::analyses {

// A span of load factors, with the equilibria at its ends: stable at its begin, unstable at its end.
struct LossOfStability {
  State stable;
  State unstable;
  double begin = 0;
  double end = 0;
  // So narrow that the stiffness is linear in the load within.
  bool is_narrow() const { return end - begin <= 0.02 * end; }
};

class LossSearch {
 public:
  // Keeps references. `index`: of the direction, counted from the lowest.
  LossSearch(Equilibrium& equations, Stability& stability, int index)
      : equations_(equations), stability_(stability), index_(index) {}

  // Bisects the span until it is narrow: equilibria are solved for within, and their directions of negative stiffness
  // counted. False where none is found between both ends, or the ends stay apart: they are on no common path.
  bool narrow(LossOfStability& span);
  // The load factor by a line through the stiffness at both ends. The begin where there was none.
  double interpolate(const LossOfStability& span);
  int solves() const { return solves_; }

 private:
  bool solve(const LossOfStability& span, double s, State& q);
  bool solve_within(const LossOfStability& span, double& s, State& q);

  Equilibrium& equations_;
  Stability& stability_;
  int index_;
  int solves_ = 0;
};

}  // namespace polhode::analyses
