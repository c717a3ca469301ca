// SPDX-License-Identifier: BSD-3-Clause
// The mass matrix with the constraints: factorization, solutions, accelerations.
#include "polhode/assembly/linear/saddle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "polhode/assembly/largest_mass.hpp"

namespace polhode::assembly {
namespace {

// Of pivots to each other, of a matrix with a diagonal near one: far above round-off, far below any mechanism.
constexpr double least_scaled_ratio = 1e-13;

// Products with powers of two are exact.
double power_of_two(double value) { return std::exp2(std::round(std::log2(value))); }

}  // namespace

Saddle::Saddle(const System& system)
    : system_(system),
      matrix_(system.make_matrix()),
      solver_(std::in_place, matrix_),
      residual_(system.make_residual()),
      vector_(VectorX::Zero(system.size())),
      scale_(VectorX::Ones(system.size())) {}

// Dropped constraint equations are those of the state.
const SparseMatrix& Saddle::set_matrix(const State& q) {
  system_.set_matrix(q, Factors{.m = 1, .b = 1}, 1, matrix_);
  return matrix_;
}

// M and B at q; the values of before are overwritten. Pivots of blocks that have failed may do in other units.
bool Saddle::factorize(const State& q) {
  if (scaling_ == Scaling::none) {
    set_matrix(q);
    if (solver_->factorize()) return true;
    scaling_ = Scaling::own;
  }
  if (factorize_scaled(q)) return true;
  if (scaling_ == Scaling::common) return false;
  scaling_ = Scaling::common;
  solver_.emplace(matrix_);
  return factorize_scaled(q);
}

bool Saddle::factorize_scaled(const State& q) {
  set_matrix(q);
  scale_matrix();
  if (!solver_->factorize()) return false;
  return scaling_ == Scaling::common || solver_->smallest_pivot_ratio() > least_scaled_ratio;
}

// Sets S from the matrix, and multiplies the matrix by it.
void Saddle::scale_matrix() {
  if (scaling_ == Scaling::common) {
    set_common_scale();
  } else {
    scale_.setZero();
    set_scale_of_nodes();
    set_scale_of_rows();
    set_scale_without_inertia();
  }
  for (int j = 0; j < matrix_.size; ++j)
    for (int p = matrix_.column_start[j]; p < matrix_.column_start[j + 1]; ++p)
      matrix_.at(p) *= scale_[j] * scale_[matrix_.row[p]];
}

// M over the largest mass of a node, B as it is.
void Saddle::set_common_scale() {
  const double largest = largest_mass(system_, matrix_);
  const double root = largest > 0 ? power_of_two(std::sqrt(largest)) : 1;
  scale_.head(system_.free_unknowns()).setConstant(1 / root);
  scale_.tail(system_.rows()).setConstant(root);
}

// By the largest inertia of the directions of a node, so that a direction without any stays without: what its element
// of M holds may be round-off.
void Saddle::set_scale_of_nodes() {
  for (const model::NodeUnknowns& node : system_.unknowns()) {
    std::array<double, 2> inertia{};
    for (int i = 0; i < 6; ++i) {
      if (node.local[i] < 0) continue;
      const int j = node.first + node.local[i];
      for (int p = matrix_.column_start[j]; p < matrix_.column_start[j + 1]; ++p)
        if (matrix_.row[p] == j) inertia[i / 3] = std::max(inertia[i / 3], matrix_.at(p));
    }
    for (int i = 0; i < 6; ++i)
      if (node.local[i] >= 0 && inertia[i / 3] > 0)
        scale_[node.first + node.local[i]] = power_of_two(1 / std::sqrt(inertia[i / 3]));
  }
}

// Each row by its element of B M^-1 B^T; those of dropped constraint equations stay rows of the identity.
void Saddle::set_scale_of_rows() {
  vector_.setZero();
  for (int j = 0; j < system_.free_unknowns(); ++j)
    for (int p = matrix_.column_start[j]; p < matrix_.column_start[j + 1]; ++p) {
      const double entry = matrix_.at(p) * scale_[j];
      vector_[matrix_.row[p]] += entry * entry;
    }
  for (int row = system_.free_unknowns(); row < system_.size(); ++row)
    scale_[row] = vector_[row] > 0 ? power_of_two(1 / std::sqrt(vector_[row])) : 1;
}

// Such unknowns are held by constraint equations, if they are held.
void Saddle::set_scale_without_inertia() {
  for (int j = 0; j < system_.free_unknowns(); ++j) {
    if (scale_[j] > 0) continue;
    double largest = 0;
    for (int p = matrix_.column_start[j]; p < matrix_.column_start[j + 1]; ++p)
      largest = std::max(largest, std::abs(matrix_.at(p)) * scale_[matrix_.row[p]]);
    scale_[j] = largest > 0 ? power_of_two(1 / largest) : 1;
  }
}

void Saddle::solve(VectorX& vector) {
  if (scaling_ != Scaling::none) vector.array() *= scale_.array();
  solver_->solve(vector);
  if (scaling_ != Scaling::none) vector.array() *= scale_.array();
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
