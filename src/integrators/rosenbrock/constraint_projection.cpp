// SPDX-License-Identifier: BSD-3-Clause
// Changes along the lift, and accelerations.
#include "polhode/integrators/rosenbrock/constraint_projection.hpp"

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
      solver_(matrix_),
      vector_(VectorX::Zero(system.size())) {}

bool ConstraintProjection::factorize(const SparseMatrix& matrix) {
  matrix_.values = matrix.values;
  for (const int p : places_.inner) matrix_.values[p] = 0;
  for (const int p : places_.diagonal) matrix_.values[p] = 1;
  for (std::size_t i = 0; i < places_.rows.size(); ++i) matrix_.values[places_.rows[i].place] = lift_.values()[i];
  return solver_.factorize();
}

void ConstraintProjection::correct(const VectorX& violation, std::vector<Vec6>& change) {
  vector_.head(places_.unknowns).setZero();
  for (int i = 0; i < places_.equations; ++i) vector_[places_.unknowns + i] = lift_.keeps(i) ? -violation[i] : 0;
  solver_.solve(vector_);
  system_.scatter(vector_, change);
}

AccelerationSolver::AccelerationSolver(const assembly::System& system, const JacobianPlaces& places, const Lift& lift,
                                       const SparseMatrix& pattern)
    : system_(system),
      places_(places),
      lift_(lift),
      matrix_(pattern),
      solver_(matrix_),
      vector_(VectorX::Zero(system.size())) {}

bool AccelerationSolver::factorize(const SparseMatrix& matrix) {
  matrix_.values = matrix.values;
  for (const int p : places_.inner) matrix_.values[p] /= lift_.mass();
  for (const JacobianPlaces::Row& row : places_.rows) matrix_.values[row.mirror] = matrix.values[row.place];
  return solver_.factorize();
}

void AccelerationSolver::accelerate(const assembly::Residual& residual, const VectorX& gamma, State& q) {
  system_.gather(residual, q.dropped, -1 / lift_.mass(), vector_);
  vector_.tail(places_.equations) = -gamma;
  system_.clear_dropped(q.dropped, vector_);
  solver_.solve(vector_);
  system_.scatter(vector_, q.vdot);
  q.lambda = lift_.mass() * vector_.tail(places_.equations);
}

}  // namespace polhode::integrators
