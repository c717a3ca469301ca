// SPDX-License-Identifier: BSD-3-Clause
// Multipliers and unbalanced forces of a state; matrices of small motions about it.
#include "polhode/analyses/linearize/linearized.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyses/motion/metric.hpp"
#include "polhode/analyses/initial/start.hpp"
#include "polhode/analyses/motion/rotating.hpp"
#include "polhode/assembly/linear/linear_solver.hpp"
#include "polhode/assembly/sparse_algebra.hpp"

namespace polhode::analyses {

using assembly::Residual;
using assembly::SparseMatrix;
using assembly::System;
using math::Mat3;
using math::Vec3;
using math::Vec6;
using model::State;
using model::VectorX;

namespace {

// Moments count by the length of the model, N.
double largest(const std::vector<Vec6>& forces, double length) {
  double most = 0;
  for (std::size_t i = 1; i < forces.size(); ++i)
    most = std::max(
        {most, forces[i].head<3>().lpNorm<Eigen::Infinity>(), forces[i].tail<3>().lpNorm<Eigen::Infinity>() / length});
  return most;
}

// [D B^T; B 0] [w; lambda] = [-g; 0]: what the constraints cannot balance is -D w.
// Multipliers in the least-squares sense with the metric D as weight: of what is unbalanced all that
// constraints can take. What is left decides whether the state is an equilibrium.
bool balance(const System& system, const VectorX& metric, State& q, Residual& r) {
  SparseMatrix matrix = system.make_matrix();
  system.set_matrix(q, {.b = 1}, 0, matrix);
  for_each_diagonal(matrix, system.free_unknowns(), [&](int i, double& value) { value = metric[i]; });
  assembly::LinearSolver solver(matrix);
  if (!solver.factorize()) return false;
  VectorX d(system.size());
  for (int round = 0; round < 2; ++round) {  // the second is for round-off
    system.set_residual(q, r);
    system.gather(r, q.dropped, -1, d);
    d.tail(system.rows()).setZero();
    solver.solve(d);
    q.lambda += d.tail(system.rows());
  }
  system.set_residual(q, r);
  return true;
}

// Largest |X_ij - X_ji| over the free unknowns, relative to the metric of both: whether the motion is without damping
// and follower loads.
double asymmetry(const SparseMatrix& X, const VectorX& metric) {
  double most = 0;
  const auto k = static_cast<int>(metric.size());
  for (int column = 0; column < k; ++column)
    for (int p = X.column_start[column]; p < X.column_start[column + 1]; ++p) {
      const int row = X.row[p];
      if (row <= column || row >= k) continue;
      const auto begin = X.row.begin() + X.column_start[row];
      const auto end = X.row.begin() + X.column_start[row + 1];
      const auto mirror = static_cast<int>(std::lower_bound(begin, end, column) - X.row.begin());
      most = std::max(most, std::abs(X.at(p) - X.at(mirror)) / std::sqrt(metric[row] * metric[column]));
    }
  return most;
}

// Any damping or gyroscopic term makes the problem complex.
bool has_entries(const SparseMatrix& X, int k) {
  for (int column = 0; column < k; ++column)
    for (int p = X.column_start[column]; p < X.column_start[column + 1]; ++p)
      if (X.row[p] < k && X.at(p) != 0) return true;
  return false;
}

// K holds the geometric stiffness of the multipliers and, in a turning frame, centrifugal and gyroscopic terms
// (motion/rotating.hpp); C gets 2 W M for the Coriolis forces there, W = omega~.
void set_matrices(const std::optional<Rotation>& rotation, Linearized& made) {
  const System& system = *made.system;
  system.set_matrix(made.q, {.m = 1}, made.scale, made.m);
  if (!rotation) {
    system.set_matrix(made.q, {.c = 1}, made.scale, made.c);
    system.set_matrix(made.q, {.k = 1, .b = 1}, made.scale, made.k);
  } else {
    RotatingTangent(system).set_matrix(*rotation, 1, made.q, made.scale, made.k);
    std::vector<Mat3> spin(made.q.v.size());
    for (std::size_t i = 0; i < spin.size(); ++i) spin[i] = math::tilde(Vec3(made.q.v[i].tail<3>()));
    system.set_matrix(made.q, {.c = 1}, made.scale, made.c);
    SparseMatrix part = system.make_matrix();
    assembly::Factors factors;
    factors.rot_m = spin;
    system.set_matrix(made.q, factors, made.scale, part);  // M diag(0, Omega~)
    for (std::size_t p = 0; p < part.values.size(); ++p) made.c.values[p] += part.values[p];
    add_node_products(system, made.m, 2 * rotation->speed * math::tilde(Vec3(rotation->axis)), made.c);
  }
  // B^T stands in every matrix of the system; here in K alone.
  for (SparseMatrix* X : {&made.m, &made.c})
    for (int column = 0; column < X->size; ++column)
      for (int p = X->column_start[column]; p < X->column_start[column + 1]; ++p)
        if (column >= system.free_unknowns() || X->row[p] >= system.free_unknowns()) X->at(p) = 0;
}

}  // namespace

int Linearized::degrees() const { return system->free_unknowns() - system->rows() + q.dropped.count(); }

// Scaled by a power of two, which rounds nothing, so that the stiffest unknown has about 1 and shifts of the eigenvalue
// solvers are of one size for all models.
std::optional<Linearized> linearize(const System& system, const std::optional<Rotation>& rotation, State q,
                                    const std::string& path, model::Problems& problems) {
  const double length = system.length();
  check_rank(system, q, problems);
  std::fill(q.v.begin(), q.v.end(), Vec6::Zero());
  std::fill(q.vdot.begin(), q.vdot.end(), Vec6::Zero());
  if (rotation) set_steady_rotation(*rotation, 1, q);
  system.signals().settle(q);
  Residual r = system.make_residual();
  system.set_residual(q, r);
  check_positions(system, r.phi, system.model().position_tolerance, "break this joint",
                  "correct the nodes, widen `initial.positions`, or put an analysis of type initial before", problems);
  if (!problems.empty()) return std::nullopt;

  Linearized made{&system, std::move(q), system.make_matrix(), system.make_matrix(), system.make_matrix(), 1, {},
                  0,       true};
  made.metric = metric_of(system);
  if (!balance(system, made.metric, made.q, r)) {
    problems.push_back(
        {path, "the multipliers of this state are not unique: the constraint equations depend on each other"});
    return std::nullopt;
  }

  if (system.signals().reads_dynamics()) system.signals().settle(made.q);
  set_matrices(rotation, made);
  const double stiffest = stiffest_of(made.k, made.metric);

  // The size of the forces that are to balance: supports, weights, reactions of joints.
  double loads = largest(r.force, length);
  for (const model::Parts parts : {model::Parts{true, false, false}, {false, true, false}, {false, false, true}}) {
    Residual part = system.make_residual();
    system.set_residual(made.q, part, parts);
    loads = std::max(loads, largest(part.force, length));
  }
  VectorX left = VectorX::Zero(system.size());
  r.phi.setZero();
  system.gather(r, made.q.dropped, 1, left);
  Eigen::Index worst = 0;
  if (made.metric.size() > 0)
    made.unbalanced = left.head(made.metric.size()).cwiseAbs().cwiseQuotient(made.metric.cwiseSqrt()).maxCoeff(&worst);
  if (made.unbalanced > 1e-6 * loads + 1e-12 * stiffest * length) {
    problems.push_back(
        {path, fmt::format("the state is no equilibrium{}: forces of {:.3g} N are unbalanced, most at {} with {:.3g}; "
                           "put an analysis of type static {}before",
                           rotation ? " in the turning frame" : "", system.force_norm(r),
                           system.name_of(static_cast<int>(worst)), left[worst],
                           rotation ? "with the same `rotation` " : "")});
    return std::nullopt;
  }
  if (stiffest > 0) {
    made.scale = std::exp2(-std::ilogb(stiffest));  // rounds nothing
    set_matrices(rotation, made);
  }
  // Unbalanced forces make K unsymmetric by their size over the length of the model.
  const double noise = 1e-13 + 10 * made.unbalanced / length * made.scale;
  made.symmetric = !has_entries(made.c, system.free_unknowns()) && asymmetry(made.k, made.metric) <= noise;
  return made;
}

}  // namespace polhode::analyses
