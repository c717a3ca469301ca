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

ConstraintRank constraint_rank(const System& system, const State& q) {
  const int k = system.free_unknowns(), m = system.rows();
  if (m == 0) return {};
  SparseMatrix matrix = system.make_matrix();
  system.set_matrix(q, Factors{.b = 1}, 0, matrix);
  std::vector<Eigen::Triplet<double>> entries;  // of B^T, its columns (rows of B) scaled to unit length
  std::vector<double> scale(static_cast<std::size_t>(system.size()), 1);
  bool empty_row = false;
  for (int column = k; column < k + m; ++column) {
    double norm = 0;
    for (int p = matrix.column_start[column]; p < matrix.column_start[column + 1]; ++p)
      norm = std::hypot(norm, matrix.value[p]);
    empty_row = empty_row || norm == 0;
    scale[column] = norm > 0 ? 1 / norm : 1;
  }
  for (int column = 0; column < k + m; ++column)
    for (int p = matrix.column_start[column]; p < matrix.column_start[column + 1]; ++p) {
      double& value = matrix.value[p];
      value = matrix.row[p] == column && column < k ? 1 : scale[column] * scale[matrix.row[p]] * value;
      if (column >= k && matrix.row[p] < k && value != 0) entries.emplace_back(matrix.row[p], column - k, value);
    }
  // [I B^T; B 0] has pivots of the order of B B^T: where none is small the rank is full, and the long way is not
  // needed.
  if (!empty_row) {
    LinearSolver solver(matrix);
    if (solver.factorize() && solver.smallest_pivot_ratio() > 1e-11) return {m, {}};
  }

  ConstraintRank result;
  if (k == 0 || entries.empty()) {
    for (int row = 0; row < m; ++row) result.redundant.push_back(row);
    return result;
  }
  Eigen::SparseMatrix<double> Bt(k, m);
  Bt.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseQR<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> qr;
  qr.setPivotThreshold(1e-9);
  qr.compute(Bt);
  result.rank = static_cast<int>(qr.rank());
  for (int i = result.rank; i < m; ++i) result.redundant.push_back(qr.colsPermutation().indices()[i]);
  std::sort(result.redundant.begin(), result.redundant.end());
  return result;
}

}  // namespace polhode::assembly
