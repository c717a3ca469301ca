// SPDX-License-Identifier: BSD-3-Clause
// The mass matrix with the constraints: factorization, solutions, accelerations.
#include "polhode/assembly/linear/saddle.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <Eigen/SparseQR>
#include <algorithm>

namespace polhode::assembly {

Saddle::Saddle(const System& system)
    : system_(system),
      matrix_(system.make_matrix()),
      solver_(matrix_),
      residual_(system.make_residual()),
      vector_(VectorX::Zero(system.size())) {}

// Dropped constraint equations are those of the state.
const SparseMatrix& Saddle::set_matrix(const State& q) {
  system_.set_matrix(q, Factors{.m = 1, .b = 1}, 1, matrix_);
  return matrix_;
}

// M and B at q; the values of before are overwritten.
bool Saddle::factorize(const State& q) {
  set_matrix(q);
  return solver_.factorize();
}

// With vdot and lambda zero the residual is g; its constraint part is not wanted.
bool Saddle::set_accelerations(State& q, const VectorX& gamma) {
  std::fill(q.vdot.begin(), q.vdot.end(), model::Vec6::Zero());
  q.lambda.setZero();
  system_.set_residual(q, residual_, {true, true, false});
  system_.gather(residual_, q.dropped, -1, vector_);
  vector_.tail(system_.rows()) = -gamma;
  system_.clear_dropped(q.dropped, vector_);
  solve(vector_);
  system_.scatter(vector_, q.vdot);
  q.lambda = vector_.tail(system_.rows());
  return vector_.allFinite();
}

}  // namespace polhode::assembly
