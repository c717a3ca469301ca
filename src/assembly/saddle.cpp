// SPDX-License-Identifier: BSD-3-Clause
// The mass matrix with the constraints, and the rank of the constraints.
#include "polhode/assembly/saddle.hpp"

#include <Eigen/SparseCore>
#include <Eigen/SparseQR>
#include <Eigen/OrderingMethods>
#include <algorithm>

namespace polhode::assembly {

Saddle::Saddle(const System& system)
    : system_(system), matrix_(system.make_matrix()), solver_(matrix_), factors_(system.nodes(), Factors::uniform(1, 0, 0, 1)) {}

bool Saddle::factorize(const State& q) {
  system_.set_matrix(q, factors_, 1, matrix_);
  return solver_.factorize();
}

ConstraintRank constraint_rank(const System& system, const State& q) {
  const int k = system.free_unknowns(), m = system.rows();
  if (m == 0) return {};
  SparseMatrix matrix = system.make_matrix();
  const std::vector<Factors> factors(system.nodes(), Factors::uniform(0, 0, 0, 1));
  system.set_matrix(q, factors, 0, matrix);
  std::vector<Eigen::Triplet<double>> entries;  // of B^T, its columns (rows of B) scaled to unit length
  for (int row = 0; row < m; ++row) {
    const int column = k + row;
    double norm = 0;
    for (int p = matrix.column_start[column]; p < matrix.column_start[column + 1]; ++p) norm = std::hypot(norm, matrix.value[p]);
    for (int p = matrix.column_start[column]; p < matrix.column_start[column + 1]; ++p)
      if (matrix.row[p] < k && matrix.value[p] != 0) entries.emplace_back(matrix.row[p], row, matrix.value[p] / norm);
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
