// SPDX-License-Identifier: BSD-3-Clause
// The Newton iteration of one implicit step, shared by all schemes of the generalized-alpha family.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "polhode/integrators/generalized_alpha/reused_jacobian.hpp"
#include "polhode/integrators/generalized_alpha/step_equations.hpp"
#include "polhode/integrators/step_report.hpp"

namespace polhode::integrators {

class NewtonSolver {
 public:
  NewtonSolver(const assembly::System& system, const NewtonSettings& settings, const IntegratorSettings& integrator);

  // Solves for the state at old.t + h. `next` must have the sizes of `old`; memory and history of it are set when the
  // step succeeds. Allocates nothing on success after the first call.
  StepReport step(Scheme& scheme, const State& old, State& next, double h, double t_next);

  const assembly::Residual& residual() const { return equations_->residual(); }
  bool residual_is_current() const { return residual_is_current_; }  // that of the state which `step` returned
  StepEquations& equations() { return *equations_; }                 // with the factorization of the last step
  const assembly::LinearSolver& linear_solver() const { return equations_->linear_solver(); }

 private:
  struct Change {
    double norm;     // weighted root mean square, 1 = converged by `criterion: increment`
    double largest;  // of positions relative to the model's length, of rotations in rad
  };
  void iterate(Scheme& scheme, const State& old, State& next, double h, StepReport& report);
  bool linearize(Scheme& scheme, const State& next, StepReport& report);
  Change change_against(std::span<const Vec6> increment) const;

  const assembly::System& system_;
  NewtonSettings settings_;
  std::unique_ptr<StepEquations> equations_;
  KeptJacobian jacobian_;
  std::vector<Iteration> iterations_;
  bool residual_is_current_ = false;
};

}  // namespace polhode::integrators
