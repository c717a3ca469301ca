// SPDX-License-Identifier: BSD-3-Clause
// From one grid point to the next: a step, or, where Newton fails, 2, 4, ... equal sub-steps from the undamaged state;
// and what is done to the method's state between steps.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "polhode/assembly/saddle.hpp"
#include "polhode/integrators/local_error.hpp"
#include "polhode/integrators/newton.hpp"
#include "polhode/integrators/structure.hpp"

namespace polhode::integrators {

// Of methods with one of their own: state and work (of loads, dampers and drives, J) at a time of the last step.
class DenseOutput {
 public:
  virtual ~DenseOutput() = default;
  virtual bool between(double t, State& q, double& work) = 0;
};

class Stepper {
 public:
  Stepper(const assembly::System& system, const IntegratorSettings& integrator, const NewtonSettings& newton);

  // Sets the method's memory for a start from consistent accelerations.
  void start(State& q) {
    if (structure_) {
      structure_->start(q);
    } else {
      Scheme::start(q);
    }
  }
  // The same for a first step of h, with what the method itself would carry if the motion had gone on for long: a_0 off
  // vdot_0, and velocities off the constraints. `vddot` are the derivatives of the consistent accelerations. False
  // if mass matrix and constraints are singular.
  bool start_perturbed(State& q, double h, std::span<const Vec6> vddot);
  // energy_momentum: velocities off the constraints as the method itself would have them after a long smooth motion.
  bool start_corrected(State& q, double h, std::span<const Vec6> vddot);
  // Makes B v + Phi_t = 0 with the least change in the norm of M.
  bool project_velocities(State& q);
  // Advances `q` by h to `t_next`; false if all attempts failed, `q` is then as before. The reports of the sub-steps
  // that led there (one, unless halved) are in reports(); after a failure that of the last attempt. Allocates nothing
  // unless it fails.
  bool advance(State& q, double h, double t_next);

  // The state before the last successful advance() or accept().
  const State& previous() const { return *previous_; }

  // For steps under control. `attempt` tries one step from `q`, which stays as it is; `local_error` is the estimate of
  // one that succeeded; `accept` makes its end the present state, `reject` leaves `q`. `error`, by what a step may
  // have, is for the report. Nothing is allocated but for a report of a failure.
  bool attempt(const State& q, double h, double t_next);
  double local_error();
  void accept(State& q, double error);
  void reject(double error);
  // At a kink of a load or a drive.
  void forget_change(State& q) { Scheme::forget_change(q); }

  // The step of a method that makes its own, and states between if it has dense output: for who looks on.
  void record(const StepReport& report, const State& previous, int wasted, DenseOutput* dense = nullptr) {
    reports_.assign(1, report);
    previous_ = &previous;
    wasted_ = wasted;
    dense_ = dense;
  }
  DenseOutput* dense_output() const { return dense_; }  // of the last step; nullptr without

  const std::vector<StepReport>& reports() const { return reports_; }
  int wasted_iterations() const { return wasted_; }  // of failed attempts in the last advance
  const assembly::Residual& residual() const { return structure_ ? structure_->residual() : newton_->residual(); }
  bool residual_is_current() const { return newton_ && newton_->residual_is_current() && !projected_; }
  const assembly::LinearSolver& linear_solver() const {
    return structure_ ? structure_->linear_solver() : newton_->linear_solver();
  }
  // Whether accelerations and multipliers are those of the middle of the step that led to the present state.
  bool has_middle_values() const { return structure_ && structure_->has_middle_values(); }
  // Of loads, dampers and drives in the last advance(), J, where the method counts it.
  std::optional<double> work() const { return structure_ ? std::optional(work_) : std::nullopt; }
  // Of the present state; nullptr of methods that do not keep structure.
  const Invariants* invariants() const { return structure_ ? &structure_->invariants() : nullptr; }

 private:
  StepReport one_step(const State& old, State& next, double h, double t_next) {
    if (!structure_) return newton_->step(*scheme_, old, next, h, t_next);
    StepReport report = structure_->step(old, next, h, t_next);
    work_ += structure_->work();
    return report;
  }
  // At a change of the step by r = h / h_last, scales what the state carries of h: a_n - vdot_n by r, and the violation
  // of the hidden constraint, B v + Phi_t = O(h^2), by r^2, mass-orthogonally. Both vanish with r = 1. r counts as 4 at
  // most: growing faster amplifies what oscillates.
  void rebase(State& q, double h);
  // The same with the factorization of the last step in the place of M, where it is at hand: dv = T x of
  // [A B^T; B T 0] [x; mu] = [0; change], which costs no more than a solution.
  void rebase_by_last_step(State& q, double r);
  // Changes v such that B v changes by `change`, mass-orthogonally: [M B^T; B 0] [dv; mu] = [0; change].
  bool move_velocities(State& q, const model::VectorX& change);

  const assembly::System& system_;
  NewtonSettings settings_;
  std::unique_ptr<Scheme> scheme_;            // of the generalized-alpha family,
  std::optional<NewtonSolver> newton_;        // with its iteration,
  std::optional<StructureSolver> structure_;  // or the other one
  std::optional<assembly::Saddle> saddle_;    // made when velocities are moved for the first time
  std::optional<LocalError> local_error_;     // made when it is asked for
  State next_;
  State trial_;  // made when a step fails for the first time, or changes its size
  const State* previous_ = &next_;
  DenseOutput* dense_ = nullptr;
  const State* origin_ = nullptr;  // of the last attempt
  AlphaParameters parameters_;
  std::vector<Vec6> normal_;  // T x for change = B v + Phi_t of the present state
  bool factorized_ = false;   // the last factorization is of the step that led to the present state
  bool has_normal_ = false;
  bool accepted_ = true;
  std::vector<StepReport> reports_;
  assembly::Residual change_;
  model::VectorX Bv_;
  model::VectorX phi_t_;
  model::VectorX gamma_;
  model::VectorX rhs_;
  std::vector<Vec6> dv_;
  double work_ = 0;  // J
  int wasted_ = 0;
  int rejected_for_error_ = 0;
  int rejected_by_newton_ = 0;
  bool projected_ = false;  // velocities, after the last step
};

}  // namespace polhode::integrators
