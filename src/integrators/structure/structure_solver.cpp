// SPDX-License-Identifier: BSD-3-Clause
// The equations of a structure-preserving step and their Newton iteration.
#include "polhode/integrators/structure/structure_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode::integrators {

using model::Lever;
using Increments = StructureSettings::Increments;
using Potential = StructureSettings::Potential;

// Batches are sorted once: bodies are in the nodes' own terms, forces with a discrete form use it,
// all others those of the library at both ends. diagonal_ holds where the block of each node begins.
StructureSolver::StructureSolver(const assembly::System& system, const IntegratorSettings& integrator,
                                 const NewtonSettings& newton)
    : system_(system),
      settings_(integrator.own_or_default<StructureSettings>()),
      newton_(newton),
      variational_(integrator.method == "variational"),
      bodies_(bodies_of_nodes(system)),
      nodes_(system.nodes()),
      matrix_(system.make_matrix()),
      residual_(system.make_residual()),
      rows_(residual_),
      force_(system.nodes(), Vec6::Zero()),
      dx_(force_),
      F_(system.nodes(), Mat3::Identity()),
      F_rate_(F_),
      L_(VectorX::Zero(system.rows())),
      lambda_(L_),
      rhs_(VectorX::Zero(system.size())),
      Bv_(L_),
      phi_t_(L_),
      gamma_(L_) {
  for (const auto& batch : system.batches()) {
    if (batch->has_inertia()) continue;
    const bool discrete = !variational_ ? batch->has_forces()
                                        : batch->has_midpoint_forces() && settings_.place_of_forces() == Potential::midpoint;
    parts_.push_back({batch.get(), discrete ? Forces::discrete : batch->has_forces() ? Forces::library : Forces::none});
  }
  for (NodeStep& node : nodes_) node.chart = variational_ ? settings_.chart() : Increments::cayley;
  for (const model::NodeUnknowns& u : system.unknowns()) {
    if (u.count == 0) {
      diagonal_.push_back(-1);
      continue;
    }
    const auto begin = matrix_.row.begin() + matrix_.column_start[u.first];
    const auto end = matrix_.row.begin() + matrix_.column_start[u.first + 1];
    diagonal_.push_back(
        matrix_.place_of(static_cast<int>(std::lower_bound(begin, end, u.first) - matrix_.row.begin())));
  }
  iterations_.reserve(static_cast<std::size_t>(newton.max_iterations) + 2);
  forget_factorizations();
}

// The first step of `variational` may be made of many fine ones; all others begin with the iteration.
StepReport StructureSolver::step(const State& old, State& next, double h, double t_next) {
  StepReport report;
  report.t = t_next;
  report.h = h;
  h_ = h;
  half_ = 0.5 * h * h;
  const double rate = (settings_.chart() == Increments::cayley ? 1 : 2) / h;
  std::fill(F_rate_.begin(), F_rate_.end(), Mat3(rate * Mat3::Identity()));
  next.t = t_next;
  next.history = old.history;
  next.dropped = old.dropped;
  at_begin_ = old;
  iterations_.clear();
  if (variational_ && old.last_step == 0 && settings_.start != StructureSettings::Start::given)
    start_finely(old, next, report);
  else
    iterate(old, next, report);
  if (!report.succeeded() && report.outcome != Outcome::singular && turns_too_fast(old))
    report.outcome = Outcome::turned_too_far;
  if (report.succeeded()) refuse_mirrored(system_, next, report);
  set_convergence(iterations_, report);
  if (report.succeeded() && !finish(old, next)) report.outcome = Outcome::singular;
  if (report.succeeded()) {
    system_.update_history(next);
    next.last_step = h;
  } else {
    report.history = iterations_;
    report.history.push_back({report.residual, report.constraint_residual, 0});
    if (report.worst.empty()) name_worst_rows(system_, residual_, old.dropped, report);
  }
  return report;
}

// h |J^-1 Pi| near 1, from where quaternion increments have no solution.
bool StructureSolver::turns_too_fast(const State& old) const {
  if (!variational_ || settings_.chart() == Increments::cayley) return false;
  for (std::size_t i = 1; i < old.memory.size(); ++i) {
    const Mat3& J = bodies_[i].J;
    if (J.norm() > 0 && h_ * J.ldlt().solve(old.memory[i].tail<3>()).norm() > 0.9) return true;
  }
  return false;
}

// Full Newton with a residual and a matrix at each iterate. The last increment is below 1e-10,
// and what is left is its square: the state is not evaluated again. An increment that stagnates below 1e-7
// is round-off.
void StructureSolver::iterate(const State& old, State& next, StepReport& report) {
  constexpr double tolerance = 1e-10;
  constexpr double round_off = 1e-7;
  predict(old);
  double last = std::numeric_limits<double>::infinity();
  for (;;) {
    if (!compose(old, next)) {
      report.outcome = Outcome::turned_too_far;
      return;
    }
    if (report.iterations > 0 && last <= tolerance) return;
    evaluate(old, next);
    Iteration now{system_.force_norm(residual_) / half_, residual_.phi.norm(), 0};
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
    ++report.factorizations;
    ++report.iterations;
    linearize(old, next);
    if (!solver_->factorize()) {
      if (solver_->wants_values_again()) linearize(old, next);
      if (!solver_->factorize()) {
        report.outcome = Outcome::singular;
        if (const int column = solver_->singular_column(); column >= 0)
          report.worst.push_back(system_.name_of(column) + "  (no pivot)");
        return;
      }
    }
    now.increment = advance();
    iterations_.push_back(now);
    if (!std::isfinite(now.increment)) {
      report.outcome = Outcome::diverged;
      return;
    }
    if (now.increment > tolerance && now.increment < round_off && now.increment > 0.5 * last) {
      compose(old, next);
      report.outcome = Outcome::round_off;
      return;
    }
    last = now.increment;
  }
}

// The motion goes on as it is.
void StructureSolver::predict(const State& old) {
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    NodeStep& n = nodes_[i];
    n.dx = h_ * old.v[i].head<3>();
    n.t = h_ * old.v[i].tail<3>();
    if (n.chart == Increments::quaternion) n.t *= 0.5 / std::sqrt(1 + 0.25 * n.t.squaredNorm());
  }
  const double scale = (variational_ ? 1 : 0.5) * h_ * h_;
  L_ = scale * old.lambda;
}

// False where a quaternion increment has left its chart.
bool StructureSolver::compose(const State& old, State& next) {
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    NodeStep& n = nodes_[i];
    if (n.chart == Increments::quaternion && !(n.t.squaredNorm() < 1)) return false;
    n.set_rotation_terms();
    next.x[i] = old.x[i] + n.dx;
    next.set_rotation(i, (old.quat[i] * n.turn).normalized());
    F_[i] = n.F;
  }
  return true;
}

// Arithmetic means: those of rotation matrices are no rotations, which the discrete forms allow
// (model/discrete.hpp).
void StructureSolver::set_mean(const State& old, const State& next) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    mean_.x[i] = 0.5 * (old.x[i] + next.x[i]);
    mean_.R[i] = 0.5 * (old.R[i] + next.R[i]);
  }
}

// Time in the middle of the step, internal variables of its begin.
model::DiscreteStep StructureSolver::step_of(const State& old, const State& next, Lever lever) const {
  model::Context middle = system_.context(old);
  middle.t = old.t + 0.5 * h_;
  return {old, mean_, next, middle, h_, !variational_, lever};
}

// Residual of the dynamics times h^2/2, and Phi of the end.
void StructureSolver::evaluate(const State& old, const State& next) {
  const model::Context c = system_.context(old);
  const model::Context at_end = system_.context(next);
  set_mean(old, next);
  std::fill(force_.begin(), force_.end(), Vec6::Zero());
  std::vector<Vec6>& total = residual_.force;
  std::fill(total.begin(), total.end(), Vec6::Zero());
  if (variational_) {
    for (std::size_t i = 1; i < nodes_.size(); ++i) at_begin_.v[i] << nodes_[i].dx / h_, nodes_[i].average_rate(h_);
    at_begin_.lambda = L_;
    const model::DiscreteStep step = step_of(old, next, Lever::begin);
    for (const Part& part : parts_) {
      if (part.forces == Forces::library)
        part.batch->add_residual_to(at_begin_, c, {false, true, false}, force_, span_of(rows_.phi));
      if (part.forces == Forces::discrete) part.batch->add_discrete_residual_to(step, {}, false, force_);
      if (part.batch->rows() > 0)
        part.batch->add_residual_to(at_begin_, c, {false, false, true}, total, span_of(rows_.phi));
    }
    for (std::size_t i = 1; i < nodes_.size(); ++i)
      total[i] +=
          half_ * force_[i] + variational::residual(bodies_[i], nodes_[i], old.R[i], old.memory[i], c.gravity, h_);
  } else {
    lambda_ = L_ / half_;
    const model::DiscreteStep step = step_of(old, next, Lever::mean);
    for (const Part& part : parts_) part.batch->add_discrete_residual_to(step, span_of(lambda_), true, force_);
    for (std::size_t i = 1; i < nodes_.size(); ++i)
      total[i] =
          half_ * force_[i] + energy_momentum::residual(bodies_[i], nodes_[i], old.R[i], old.v[i], c.gravity, h_);
  }
  for (const Part& part : parts_)
    if (part.batch->rows() > 0)
      part.batch->add_residual_to(next, at_end, {false, false, true}, rows_.force, span_of(residual_.phi));
}

// Tangents of the library by mean velocities (1/h per unit of dx), of discrete forms by the end;
// B of the end times diag(I, F), since R+^T dR+ = (F dt)~. Inertia of the nodes is added block by block.
void StructureSolver::linearize(const State& old, const State& next) {
  const model::Context c = system_.context(old);
  const model::Context at_end = system_.context(next);
  const std::vector<model::NodeUnknowns>& unknowns = system_.unknowns();
  const std::span<double> values(matrix_.values.data(), matrix_.values.size());
  std::fill(values.begin(), values.end(), 0.0);
  const model::Factors gradient{.b = 1, .rot_b = F_};
  const model::DiscreteStep step = step_of(old, next, variational_ ? Lever::begin : Lever::mean);
  for (const Part& part : parts_) {
    const bool library = part.forces == Forces::library;
    if (variational_ && (library || part.batch->rows() > 0)) {
      model::Factors factors;
      if (library) {
        factors.c = 1 / h_;
        factors.rot_c = F_rate_;
      }
      part.batch->add_tangents_to(at_begin_, c, factors, half_, unknowns, values);
    }
    if (!variational_ || part.forces == Forces::discrete)
      part.batch->add_discrete_tangents_to(step, span_of(lambda_), !variational_, F_, half_, unknowns, values);
    part.batch->add_gradient_to(next, at_end, gradient, unknowns, values);
  }
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    const model::NodeUnknowns& u = unknowns[i];
    if (u.count == 0) continue;
    const Mat6 S = variational_ ? variational::tangent(bodies_[i], nodes_[i], old.R[i])
                                : energy_momentum::tangent(bodies_[i], nodes_[i], old.R[i], old.v[i], c.gravity, h_);
    double* block = values.data() + diagonal_[i];
    for (int column = 0; column < 6; ++column)
      for (int row = 0; row < 6; ++row)
        if (u.local[column] >= 0 && u.local[row] >= 0)
          block[u.local[column] * u.count + u.local[row]] += S(row, column);
  }
  system_.clear_dropped(old.dropped, matrix_);
}

// The size of the increment: positions by the length of the model, t as it is.
double StructureSolver::advance() {
  system_.gather(residual_, at_begin_.dropped, -1, rhs_);
  rhs_.tail(system_.rows()) *= -1;
  solver_->solve(rhs_);
  if (!rhs_.allFinite()) return std::numeric_limits<double>::infinity();
  system_.scatter(rhs_, dx_);
  L_ += rhs_.tail(system_.rows());
  double largest = 0;
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    nodes_[i].dx += dx_[i].head<3>();
    nodes_[i].t += dx_[i].tail<3>();
    largest = std::max({largest, dx_[i].head<3>().norm() / system_.length(), dx_[i].tail<3>().norm()});
  }
  return largest;
}

}  // namespace polhode::integrators
