// SPDX-License-Identifier: BSD-3-Clause
// The Newton iteration of one implicit step, shared by all schemes of the generalized-alpha family.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "polhode/integrators/kept_jacobian.hpp"
#include "polhode/integrators/step_equations.hpp"

namespace polhode::integrators {

enum class Outcome {
  converged,      // by the criterion
  round_off,      // no further progress, and increments are at the round-off of the positions: accepted
  not_converged,  // max_iterations solves without convergence
  diverged,    // a residual or an increment is not finite, or increments grow four times in a row, beyond ten times the
               // model
  singular,    // the iteration matrix is singular
  mirrored,    // converged to a position where a joint is turned over
  inaccurate,  // converged, but its estimated error is above the tolerance
  turned_too_far,  // a rotation left the chart of `variational`, h |Omega| < 1
};
std::string_view text_of(Outcome outcome);

struct Iteration {
  // before the solve
  double residual = 0;
  double constraint_residual = 0;
  double increment = 0;                          // weighted root-mean-square norm of dx; 0 if not solved
};

struct StepReport {
  // end and size of the step
  double t = 0;
  double h = 0;
  Outcome outcome = Outcome::converged;
  int iterations = 0;      // linear solves
  int factorizations = 0;  // of the iteration matrix
  double contraction = 0;  // last increment over the one before; NaN after fewer than two solves
  double order = 0;        // observed: log(e3/e2)/log(e2/e1) of the last three increments; NaN after fewer than three
  // norms at the last evaluation: N and N m; m and rad
  double residual = 0;
  double constraint_residual = 0;
  double error = 0;  // controlled steps: estimated local error of the configuration, relative to what a step may have
  // attempts before it, of controlled steps
  int rejected_for_error = 0;
  int rejected_by_newton = 0;
  std::vector<Iteration> history;                      // of a failed step, the last ones
  std::vector<std::string> worst;  // of a failed step, its five worst rows: "joints.pivot: position x  1.2e+03"
  std::string said;                // of a failed step of a library: its own words
  bool succeeded() const { return outcome == Outcome::converged || outcome == Outcome::round_off; }
};

// Contraction and order of a report.
void set_convergence(const std::vector<Iteration>& iterations, StepReport& report);
// Outcome::mirrored, with the joint, where a joint is turned over in `next`.
void refuse_mirrored(const assembly::System& system, const model::State& next, StepReport& report);
// The five worst rows of a residual whose norms the report has.
void name_worst_rows(const assembly::System& system, const assembly::Residual& residual, StepReport& report);

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
