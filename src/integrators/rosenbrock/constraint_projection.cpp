// SPDX-License-Identifier: BSD-3-Clause
// Changes along the lift, and accelerations.
#include "polhode/integrators/rosenbrock/constraint_projection.hpp"

#include <algorithm>

namespace polhode::integrators {

using assembly::SparseMatrix;
using model::State;
using model::Vec6;
using model::VectorX;

ConstraintProjection::ConstraintProjection(const assembly::System& system, const JacobianPlaces& places,
                                           const Lift& lift, const SparseMatrix& pattern)
    : system_(system),
      places_(places),
      lift_(lift),
      matrix_(pattern),
      solver_(matrix_, assembly::InPlace{.is_iterated = false}),
      vector_(VectorX::Zero(system.size())) {}

// [1 V; B 0], of which factors have taken the place: all of it is set.
void ConstraintProjection::set_values(const SparseMatrix& matrix) {
  double* const to = matrix_.values.data();
  for (const auto& [begin, end] : places_.below)
    std::copy(matrix.values.begin() + begin, matrix.values.begin() + end, to + begin);
  for (const auto& [begin, end] : places_.inner) std::fill(to + begin, to + end, 0.0);
  for (const int p : places_.diagonal) to[p] = 1;
  for (const JacobianPlaces::NodeColumn& at : places_.columns)
    std::copy_n(lift_.values().data() + at.entry, at.count, to + at.place);
}

// What is dropped is not corrected: its row is that of the identity.
void ConstraintProjection::set_violation(const VectorX& violation) {
  vector_.head(places_.unknowns).setZero();
  for (int i = 0; i < places_.equations; ++i) vector_[places_.unknowns + i] = lift_.keeps(i) ? -violation[i] : 0;
}

bool ConstraintProjection::factorize(const SparseMatrix& matrix) {
  return solver_.factorize([&] { set_values(matrix); });
}

void ConstraintProjection::correct(const VectorX& violation, std::vector<Vec6>& change) {
  set_violation(violation);
  solver_.solve(vector_);
  system_.scatter(vector_, change);
}

bool ConstraintProjection::factorize_and_correct(const SparseMatrix& matrix, const VectorX& violation,
                                                 std::vector<Vec6>& change) {
  set_violation(violation);
  if (!solver_.set_factorize_and_solve([&] { set_values(matrix); }, vector_)) return false;
  system_.scatter(vector_, change);
  return true;
}

AccelerationSolver::AccelerationSolver(const assembly::System& system, const JacobianPlaces& places, const Lift& lift,
                                       SparseMatrix& matrix)
    : system_(system),
      places_(places),
      lift_(lift),
      matrix_(matrix),
      solver_(matrix_, assembly::InPlace{.is_iterated = false}),
      vector_(VectorX::Zero(system.size())) {}

// The matrix of a stage has B T for the projection of velocities, and B^T beside it.
void AccelerationSolver::take_gradient() {
  for (const JacobianPlaces::NodeColumn& at : places_.columns)
    for (int k = 0; k < at.count; ++k) matrix_.values[at.mirror + k * at.stride] = matrix_.values[at.place + k];
}

// M vdot + B^T lambda = -g, by the mass of the model as the matrix is, and B vdot = -Gamma.
void AccelerationSolver::set_forces(const assembly::Residual& residual, const VectorX& gamma, const State& q) {
  system_.gather(residual, q.dropped, -1 / lift_.mass(), vector_);
  vector_.tail(places_.equations) = -gamma;
  system_.clear_dropped(q.dropped, vector_);
}

void AccelerationSolver::take_solution(State& q) const {
  system_.scatter(vector_, q.vdot);
  q.lambda = lift_.mass() * vector_.tail(places_.equations);
}

}  // namespace polhode::integrators
