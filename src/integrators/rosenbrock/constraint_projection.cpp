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

bool ConstraintProjection::factorize(const SparseMatrix& matrix) {
  return solver_.factorize([&] {
    matrix_.values = matrix.values;
    for (const auto& [begin, end] : places_.inner)
      std::fill(matrix_.values.begin() + begin, matrix_.values.begin() + end, 0.0);
    for (const int p : places_.diagonal) matrix_.values[p] = 1;
    for (std::size_t i = 0; i < places_.rows.size(); ++i) matrix_.values[places_.rows[i].place] = lift_.values()[i];
  });
}

void ConstraintProjection::correct(const VectorX& violation, std::vector<Vec6>& change) {
  vector_.head(places_.unknowns).setZero();
  for (int i = 0; i < places_.equations; ++i) vector_[places_.unknowns + i] = lift_.keeps(i) ? -violation[i] : 0;
  solver_.solve(vector_);
  system_.scatter(vector_, change);
}

AccelerationSolver::AccelerationSolver(const assembly::System& system, const JacobianPlaces& places, const Lift& lift,
                                       SparseMatrix& matrix)
    : system_(system),
      places_(places),
      lift_(lift),
      matrix_(matrix),
      solver_(matrix_, assembly::InPlace{.is_iterated = false}),
      vector_(VectorX::Zero(system.size())) {}

void AccelerationSolver::take_gradient() {
  for (const JacobianPlaces::Row& row : places_.rows) matrix_.values[row.mirror] = matrix_.values[row.place];
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
