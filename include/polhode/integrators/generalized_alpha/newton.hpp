// SPDX-License-Identifier: BSD-3-Clause
// The Newton iteration of one implicit step, shared by all schemes of the generalized-alpha family.
// predict, then: evaluate, check, linearize where the matrix is to be new, solve, update; finish once it has converged.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "polhode/integrators/generalized_alpha/reused_jacobian.hpp"
#include "polhode/integrators/generalized_alpha/signal_step.hpp"
#include "polhode/integrators/generalized_alpha/step_equations.hpp"
#include "polhode/integrators/step_report.hpp"
#include "polhode/math/stop.hpp"

namespace polhode::integrators {

class NewtonSolver {
 public:
  // Keeps a reference to the system; settings are copied.
  NewtonSolver(const assembly::System& system, const NewtonSettings& settings, const IntegratorSettings& integrator);

  // Solves for the state at old.t + h. `next` must have the sizes of `old`; memory and history of it are set when the
  // step succeeds. `stop` is asked before each solve but the first. Allocates nothing on success after the first call.
  StepReport step(Scheme& scheme, const State& old, State& next, double h, double t_next,
                  const math::StopRequest& stop = {});

  // Of the last evaluation, before the last solve where the criterion is that of increments.
  const assembly::Residual& residual() const { return equations_->residual(); }
  // Whether it is that of the state which `step` returned.
  bool residual_is_current() const { return residual_is_current_; }
  // With the factorization of the last step.
  StepEquations& equations() { return *equations_; }
  const assembly::LinearSolver& linear_solver() const { return equations_->linear_solver(); }

 private:
  struct Change {
    // Weighted root mean square; 1: converged by `criterion: increment`
    double norm;
    // Of positions relative to the model's length, of rotations in rad
    double largest;
  };
  // Sets the outcome. Called twice in a step where a reused Jacobian fails: the second time each iterate has its own.
  void iterate(Scheme& scheme, const State& old, State& next, double h, const math::StopRequest& stop,
               StepReport& report);
  // First guess of the end of the step.
  void predict(Scheme& scheme, const State& old, State& next, double h);
  // The norms of residual and constraints, which the report gets, too.
  Iteration evaluate(const State& next, StepReport& report);
  // Present norms over the allowed ones, the larger of both; criterion `residual`.
  double residual_to_go(const Iteration& now) const;
  // Both norms have fallen to no less than a tenth in the last iteration.
  bool stalls(const Iteration& now) const;
  // False if singular; the report then names the unknown without a pivot.
  bool linearize(Scheme& scheme, const State& next, StepReport& report);
  // Of the last increments, weighted by absolute + relative |h Dq|.
  Change change_against(std::span<const Vec6> increment) const;
  // The norm of criterion `weighted`: of motion and multipliers, the latter from `lambda_before_`.
  double weighted_norm(std::span<const Vec6> increment, const model::VectorX& lambda) const;

  const assembly::System& system_;
  NewtonSettings settings_;
  std::unique_ptr<StepEquations> equations_;
  SignalStep signals_;
  ReusedJacobian jacobian_;
  std::vector<Iteration> iterations_;
  // Before the last increment; criterion `weighted`
  model::VectorX lambda_before_;
  bool residual_is_current_ = false;
};

}  // namespace polhode::integrators
