// SPDX-License-Identifier: BSD-3-Clause
// The truncation error that drives hold back, as it were if they let go.
//
// Where drives say how a mechanism moves, the constraints take the whole truncation error l away: positions are exact,
// and an estimate of what is left is zero. Velocities and forces are made by the same formula, and are off by l all the
// same. What counts then is the error of the mechanism without its drives: with the rows d of drives given, in the
// place of zero, the right-hand side g for which their multipliers vanish,
//
//   [ A B^T ; B T 0 ] [ x ; mu ] = [ beta h^2 beta' M l ; g ],  mu_d = 0,
//
// by conjugate gradients with one back-substitution each: as many as there are drives, some at most. A drive may hold a
// mechanism in a position that is unstable without it. Then there is a step at which stiffness and mass of the released
// motion cancel each other, and x is infinite, though l is small: such stiffness counts as zero.
#pragma once
#include <vector>

#include "polhode/integrators/driven_rows.hpp"
#include "polhode/integrators/generalized_alpha/step_equations.hpp"
#include "polhode/integrators/mass_product.hpp"

namespace polhode::integrators {

class ReleasedDrives {
 public:
  // Keeps a reference.
  explicit ReleasedDrives(const assembly::System& system);

  // Whether drives move in the step from `old` to `next`, or have moved; to be asked before they are released.
  bool find(const State& old, const State& next) { return !driven_.find(old, next).empty(); }
  // Those so far, by constraint equation.
  DrivenRows& drives() { return driven_; }
  // Adds to x, by node, m and rad, what the drives held back: the multipliers are those of the last solve_again(),
  // which had no right-hand side of constraints. `to_mass`: of M in A, beta h^2 beta'. Lends vectors to `next`, the end
  // of the step. Allocates nothing after the first call.
  void add_to(std::vector<Vec6>& x, StepEquations& equations, double to_mass, MassProduct& mass, State& next);

 private:
  // The multipliers of driven rows of the last solution.
  void take_multipliers(const StepEquations& equations, model::VectorX& of_drives) const;

  const assembly::System& system_;
  DrivenRows driven_;
  // Zero but for the rows of drives
  assembly::Residual change_;
  assembly::Residual inertia_;  // M x of a direction
  // By driven row: what is held back yet, direction, and what the direction meets
  model::VectorX residual_;
  model::VectorX direction_;
  model::VectorX response_;
  std::vector<Vec6> x_;
};

}  // namespace polhode::integrators
