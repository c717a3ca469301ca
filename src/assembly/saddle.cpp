// SPDX-License-Identifier: BSD-3-Clause
// The mass matrix with the constraints, and the rank of the constraints.
#include "polhode/assembly/saddle.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <Eigen/SparseQR>
#include <algorithm>

namespace polhode::assembly {

Saddle::Saddle(const System& system) : system_(system), matrix_(system.make_matrix()), solver_(matrix_) {}

const SparseMatrix& Saddle::set_matrix(const State& q) {
  system_.set_matrix(q, Factors{.m = 1, .b = 1}, 1, matrix_);
  return matrix_;
}

bool Saddle::factorize(const State& q) {
  set_matrix(q);
  return solver_.factorize();
}

}  // namespace polhode::assembly
