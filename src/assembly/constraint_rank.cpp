// SPDX-License-Identifier: BSD-3-Clause
// Rank-revealing factorization of the constraints.
#include "polhode/assembly/constraint_rank.hpp"

#include <Eigen/QR>
#include <Eigen/SparseQR>
#include <algorithm>
#include <cmath>

#include "polhode/assembly/linear_solver.hpp"

namespace polhode::assembly {

ConstraintRank constraint_rank(const System& system, const State& q, double threshold, bool with_smallest) {
  const int k = system.free_unknowns();
  const int m = system.rows();
  if (m == 0) return {};
  SparseMatrix matrix = system.make_matrix();
  system.set_matrix_of_all_rows(q, Factors{.b = 1}, 0, matrix);
  std::vector<Eigen::Triplet<double>> entries;  // of B^T, its columns (rows of B) scaled to unit length
  std::vector<double> scale(static_cast<std::size_t>(system.size()), 1);
  bool empty_row = false;
  for (int column = k; column < k + m; ++column) {
    double norm = 0;
    for (int p = matrix.column_start[column]; p < matrix.column_start[column + 1]; ++p)
      norm = std::hypot(norm, matrix.at(p));
    empty_row = empty_row || norm == 0;
    scale[column] = norm > 0 ? 1 / norm : 1;
  }
  for (int column = 0; column < k + m; ++column)
    for (int p = matrix.column_start[column]; p < matrix.column_start[column + 1]; ++p) {
      double& value = matrix.at(p);
      value = matrix.row[p] == column && column < k ? 1 : scale[column] * scale[matrix.row[p]] * value;
      if (column >= k && matrix.row[p] < k && value != 0) entries.emplace_back(matrix.row[p], column - k, value);
    }
  // [I B^T; B 0] has pivots of the order of B B^T: where none is small the rank is full, and the long way is not
  // needed.
  if (!empty_row && !with_smallest) {
    LinearSolver solver(matrix);
    if (solver.factorize() && solver.smallest_pivot_ratio() > 1e-11) return {m, {}, {}, 1};
  }

  ConstraintRank result;
  if (k == 0 || entries.empty()) {
    for (int row = 0; row < m; ++row) {
      result.redundant.push_back(row);
      result.dependencies.push_back(VectorX::Unit(m, row));
    }
    return result;
  }
  Eigen::SparseMatrix<double> Bt(k, m);
  Bt.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseQR<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> qr;
  qr.setPivotThreshold(threshold);
  qr.compute(Bt);
  const int rank = result.rank = static_cast<int>(qr.rank());
  // B^T P = Q [R_1 R_2]: the columns of R_2 are combinations R_1^-1 R_2 of those that lead.
  const auto row_at = [&](int i) { return qr.colsPermutation().indices()[i]; };
  const Eigen::SparseMatrix<double> R = qr.matrixR();
  const Eigen::SparseMatrix<double> leading = R.topLeftCorner(rank, rank);
  for (int i = 0; i < rank; ++i) result.smallest = std::min(result.smallest, std::abs(R.coeff(i, i)));
  std::vector<int> order(static_cast<std::size_t>(m - rank));
  for (int i = 0; i < m - rank; ++i) order[static_cast<std::size_t>(i)] = rank + i;
  std::sort(order.begin(), order.end(), [&](int a, int b) { return row_at(a) < row_at(b); });
  for (const int i : order) {
    const VectorX right = VectorX(R.col(i)).head(rank);
    const VectorX combination = leading.triangularView<Eigen::Upper>().solve(right);
    VectorX n = VectorX::Zero(m);
    n[row_at(i)] = scale[static_cast<std::size_t>(k + row_at(i))];
    for (int j = 0; j < rank; ++j)
      if (std::abs(combination[j]) > 1e-9)
        n[row_at(j)] = -combination[j] * scale[static_cast<std::size_t>(k + row_at(j))];
    result.redundant.push_back(row_at(i));
    result.dependencies.push_back(n / n.lpNorm<Eigen::Infinity>());
  }
  return result;
}

void reduce_to_least_norm(const ConstraintRank& rank, VectorX& lambda) {
  if (rank.dependencies.empty()) return;
  Eigen::MatrixXd N(lambda.size(), static_cast<Eigen::Index>(rank.dependencies.size()));
  for (Eigen::Index i = 0; i < N.cols(); ++i) N.col(i) = rank.dependencies[static_cast<std::size_t>(i)];
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(N);
  const Eigen::MatrixXd basis = qr.householderQ() * Eigen::MatrixXd::Identity(N.rows(), N.cols());
  lambda -= basis * (basis.transpose() * lambda);
}

}  // namespace polhode::assembly
