// SPDX-License-Identifier: BSD-3-Clause
// The Newton iteration of a structure-preserving step.
#include "polhode/integrators/structure/structure_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "integrators/mass_scale.hpp"
#include "polhode/integrators/structure/fine_start.hpp"

namespace polhode::integrators {

StructureSolver::StructureSolver(const assembly::System& system, const IntegratorSettings& integrator,
                                 const NewtonSettings& newton)
    : method_(system, integrator),
      newton_(newton),
      step_(method_),
      matrix_(system.make_matrix()),
      equations_(method_, step_, matrix_),
      end_(method_, step_),
      rhs_(VectorX::Zero(system.size())),
      dx_(system.nodes(), Vec6::Zero()),
      mass_(mass_scale(system, matrix_)) {
  iterations_.reserve(static_cast<std::size_t>(newton.max_iterations) + 2);
  forget_factorizations();
}

void StructureSolver::start(State& q) {
  q.last_step = 0;
  end_.start(q);
  step_.begin_at(q);
}

// As after a step; what it leaves behind besides are the numbers that were saved.
void StructureSolver::resume(const State& q, const Invariants& invariants, double drive_power) {
  step_.begin_at(q);
  end_.resume(invariants, drive_power);
  forget_factorizations();
}

// Pivots are chosen anew with the next matrix.
void StructureSolver::forget_factorizations() {
  divided_ = false;
  solver_.emplace(matrix_, assembly::InPlace{});
  end_.forget_factorization();
}

// The first step of `variational` may be made of many fine ones; all others begin with the iteration.
StepReport StructureSolver::step(const State& old, State& next, double h, double t_next,
                                 const math::StopRequest& stop) {
  StepReport report;
  report.t = t_next;
  report.h = h;
  step_.set_size(h);
  step_.at_begin = old;
  equations_.begin_step();
  next.t = t_next;
  next.history = old.history;
  next.dropped = old.dropped;
  iterations_.clear();
  if (old.last_step == 0 && method_.starts_finely()) {
    start_finely(method_, newton_, old, next, stop, report);
    if (report.succeeded()) {
      step_.L = h * h * old.lambda;
      step_.set_increments(old, next);
    }
  } else {
    iterate(old, next, stop, report);
  }
  const bool may_turn_too_fast =
      !report.succeeded() && report.outcome != Outcome::singular && report.outcome != Outcome::interrupted;
  if (may_turn_too_fast && turns_too_fast(old)) report.outcome = Outcome::turned_too_far;
  if (report.succeeded()) refuse_mirrored(method_.system, next, report);
  if (report.succeeded() || report.outcome == Outcome::not_converged)
    refuse_past_bound(method_.system, old, next, report);
  set_convergence(iterations_, report);
  if (report.succeeded() && !end_.finish(old, next)) report.outcome = Outcome::singular;
  if (report.succeeded()) {
    method_.system.update_history(next);
    next.last_step = h;
  } else {
    report.history = iterations_;
    report.history.push_back({report.residual, report.constraint_residual, 0});
    if (report.worst.empty()) name_worst_rows(method_.system, equations_.residual(), old.dropped, report);
    find_without_value(method_.system, next, report);
  }
  return report;
}

bool StructureSolver::finish_given(const State& old, State& next, double h) {
  step_.set_size(h);
  step_.set_increments(old, next);
  return end_.finish(old, next);
}

// h |J^-1 Pi| near 1, from where quaternion increments have no solution.
bool StructureSolver::turns_too_fast(const State& old) const {
  if (method_.chart() == StructureSettings::Increments::cayley) return false;
  for (std::size_t i = 1; i < old.memory.size(); ++i) {
    const Mat3& J = method_.bodies[i].J;
    if (J.norm() > 0 && step_.h * J.ldlt().solve(old.memory[i].tail<3>()).norm() > 0.9) return true;
  }
  return false;
}

// Full Newton with a residual and a matrix at each iterate. The last increment is below 1e-10,
// and what is left is its square: the state is not evaluated again. An increment that stagnates below 1e-7
// is round-off.
void StructureSolver::iterate(const State& old, State& next, const math::StopRequest& stop, StepReport& report) {
  constexpr double tolerance = 1e-10;
  constexpr double round_off = 1e-7;
  step_.predict(old);
  double last = std::numeric_limits<double>::infinity();
  for (;;) {
    if (!step_.compose(old, next)) {
      report.outcome = Outcome::turned_too_far;
      return;
    }
    if (report.iterations > 0 && last <= tolerance) return;
    equations_.evaluate(old, next);
    const assembly::Residual& residual = equations_.residual();
    Iteration now{method_.system.force_norm(residual) / step_.half, residual.phi.norm(), 0};
    report.residual = now.residual;
    report.constraint_residual = now.constraint_residual;
    if (!std::isfinite(now.residual + now.constraint_residual)) {
      report.outcome = Outcome::diverged;
      return;
    }
    if (report.iterations == newton_.max_iterations) {
      report.outcome = Outcome::not_converged;
      return;
    }
    if (report.iterations > 0 && math::is_asked_to_stop(stop)) {
      report.outcome = Outcome::interrupted;
      return;
    }
    ++report.iterations;
    if (!factorize(old, next, report)) return;
    now.increment = advance();
    iterations_.push_back(now);
    if (!std::isfinite(now.increment)) {
      report.outcome = Outcome::diverged;
      return;
    }
    if (now.increment > tolerance && now.increment < round_off && now.increment > 0.5 * last) {
      step_.compose(old, next);
      report.outcome = Outcome::round_off;
      return;
    }
    last = now.increment;
  }
}

// Of very light models the matrix looks singular, since B is of size 1.
bool StructureSolver::factorize(const State& old, const State& next, StepReport& report) {
  ++report.factorizations;
  if (factorize_once(old, next)) return true;
  if (!divided_ && mass_ != 1) {
    divided_ = true;
    solver_.emplace(matrix_, assembly::InPlace{});
    if (factorize_once(old, next)) return true;
  }
  report.outcome = Outcome::singular;
  if (const int column = solver_->singular_column(); column >= 0)
    report.worst.push_back(method_.system.name_of(column) + "  (no pivot)");
  return false;
}

bool StructureSolver::factorize_once(const State& old, const State& next) {
  return solver_->factorize([&] { linearize(old, next); });
}

void StructureSolver::linearize(const State& old, const State& next) {
  equations_.linearize(old, next, matrix_);
  if (!divided_) return;
  const int unknowns = method_.system.free_unknowns();
  for (int j = 0; j < unknowns; ++j)
    for (int p = matrix_.column_start[j]; p < matrix_.column_start[j + 1]; ++p)
      if (matrix_.row[p] < unknowns) matrix_.at(p) /= mass_;
}

// The size of the increment: positions by the length of the model, t as it is.
double StructureSolver::advance() {
  const assembly::System& system = method_.system;
  system.gather(equations_.residual(), step_.at_begin.dropped, -1, rhs_);
  rhs_.tail(system.rows()) *= -1;
  if (divided_) rhs_.head(system.free_unknowns()) /= mass_;
  solver_->solve(rhs_);
  if (divided_) rhs_.tail(system.rows()) *= mass_;
  if (!rhs_.allFinite()) return std::numeric_limits<double>::infinity();
  system.scatter(rhs_, dx_);
  step_.L += rhs_.tail(system.rows());
  double largest = 0;
  for (std::size_t i = 1; i < dx_.size(); ++i) {
    step_.nodes[i].dx += dx_[i].head<3>();
    step_.nodes[i].t += dx_[i].tail<3>();
    largest = std::max({largest, dx_[i].head<3>().norm() / system.length(), dx_[i].tail<3>().norm()});
  }
  return largest;
}

}  // namespace polhode::integrators
