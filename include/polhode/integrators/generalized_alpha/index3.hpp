// SPDX-License-Identifier: BSD-3-Clause
// The equations of index 3, solved in the scaled form of Bottasso, Dopico & Trainelli (2008): rows of the dynamics times
// beta h^2, multipliers divided by it, so that neither the condition number nor the iteration count depends on the
// step size:
//   [ beta h^2 S_qq   B^T ] [ dx                 ]     [ beta h^2 r ]
//   [ B T             0   ] [ dlambda beta h^2   ] = - [ Phi        ]
#pragma once
#include "polhode/integrators/generalized_alpha/step_equations.hpp"

namespace polhode::integrators {

class Index3Equations final : public StepEquations {
 public:
  // Makes matrix and solver, whose pattern never changes.
  Index3Equations(const assembly::System& system, const AlphaParameters& parameters);

  bool linearize(const State& next, Scheme& scheme) override;
  bool advance(const State& old, State& next, Scheme& scheme) override;
  bool solve_again(const assembly::Residual& force, const model::VectorX& velocity, std::vector<Vec6>& x) override;
  std::span<const double> multipliers_again() const override;
  const assembly::LinearSolver& linear_solver() const override { return solver_; }
  std::string singular_place() const override;

 private:
  // [-beta h^2 r; -Phi] of the last evaluation.
  void set_rhs();

  // Its values become those of the factors in linearize().
  assembly::SparseMatrix matrix_;
  assembly::LinearSolver solver_;
  model::VectorX rhs_;
  // linearize() has solved for rhs_ on the way
  bool is_solved_ = false;
};

}  // namespace polhode::integrators
