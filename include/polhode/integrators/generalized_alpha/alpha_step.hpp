// SPDX-License-Identifier: BSD-3-Clause
// A step of a generalized-alpha method with what serves it from one step to the next: the state re-based where the step
// size changes, Newton's iteration, the estimate of the error.
#pragma once
#include <memory>
#include <optional>

#include "polhode/integrators/generalized_alpha/local_error.hpp"
#include "polhode/integrators/generalized_alpha/newton.hpp"
#include "polhode/integrators/generalized_alpha/step_change.hpp"
#include "polhode/integrators/integrator.hpp"

namespace polhode::integrators {

class AlphaStep {
 public:
  // `control`: tolerance of controlled steps; nullptr for fixed ones. Keeps a reference to the system.
  AlphaStep(const assembly::System& system, const IntegratorSettings& settings, const NewtonSettings& newton,
            const StepControlSettings* control);
  AlphaStep(const AlphaStep&) = delete;

  const IntegratorSettings& settings() const { return settings_; }
  const Scheme& scheme() const { return *scheme_; }

  // From `q`, or from a copy of it re-based to the new step size, to `next`; q stays as it is. Under control the
  // outcome is Outcome::inaccurate where the error is above 1. Allocates nothing on success after the first call.
  void attempt(const State& q, const Step& step, State& next, StepReport& report);
  // The end of the last attempt is the present state.
  void accepted();
  // Of the last attempt, under control.
  LocalError::Size local_error() const { return error_; }
  // Of an attempt that was inaccurate: the rows with most of the estimated error. Empty without control.
  std::vector<std::string> worst_rows(int count) const;

  // Adds to the velocities the part of `offsets` that is normal to the constraints, by node. False if mass matrix and
  // constraints are singular.
  bool add_normal_velocities(State& q, const std::vector<Vec6>& offsets) {
    return velocities_->add_normal_part(q, offsets);
  }
  // Takes the whole violation of the constraints by velocities away, by the least change in the norm of M.
  void project_velocities(State& q);

  // The residual at the present state; nullptr where it is not at hand.
  const assembly::Residual* residual() const;
  const assembly::LinearSolver& linear_solver() const { return newton_->linear_solver(); }

  // Rows that have been driven, errors of the last steps, offsets of velocities under control, and the direction of
  // StepChange, six numbers a node, or nothing. Both drop all factorizations and what was learned from them: pivots and
  // reused Jacobians of before would make a restarted run differ from one that was never stopped.
  void save(const State& q, std::vector<double>& data);
  // False, and nothing changed, if `data` has not the numbers of the system's nodes and rows.
  bool load(std::span<const double> data);

 private:
  void make_solvers();

  const assembly::System& system_;
  IntegratorSettings settings_;
  NewtonSettings newton_settings_;
  // Under control: of the motion, not of a step
  std::optional<double> tolerance_;
  std::unique_ptr<Scheme> scheme_;
  std::optional<NewtonSolver> newton_;
  std::optional<VelocityCorrection> velocities_;
  std::optional<StepChange> step_change_;
  // Under control
  std::optional<LocalError> local_error_;
  LocalError::Size error_;
  // Where an attempt with another step size starts
  State rebased_;
  // Of the last attempt, s
  double last_h_ = 0;
  // Velocities, after the last step
  bool projected_ = false;
};

}  // namespace polhode::integrators
