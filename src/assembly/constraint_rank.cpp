// SPDX-License-Identifier: BSD-3-Clause
// Rank-revealing factorization of the constraints.
#include "polhode/assembly/constraint_rank.hpp"

#include <Eigen/SparseQR>
#include <algorithm>
#include <cmath>

#include "polhode/assembly/linear/linear_solver.hpp"
#include "polhode/math/dense.hpp"

namespace polhode::assembly {

namespace {

// B with rotations by the length of the model and its rows scaled to unit length, and [I B^T; B 0] with it.
struct ScaledGradient {
  std::vector<Eigen::Triplet<double>> entries;  // of B^T, other than zero
  std::vector<double> scale;                    // by unknown: 1 over the length of a row of B; of free unknowns above
  bool has_empty_row = false;
};

// Takes B and B^T from `matrix`, which becomes [I B^T; B 0] with the scaled rows.
ScaledGradient scale_rows(const System& system, SparseMatrix& matrix) {
  const int k = system.free_unknowns();
  ScaledGradient scaled;
  scaled.scale.assign(static_cast<std::size_t>(system.size()), 1);
  for (const model::NodeUnknowns& u : system.unknowns())
    for (int i = 3; i < 6; ++i)
      if (u.local[i] >= 0) scaled.scale[u.first + u.local[i]] = 1 / system.length();
  for (int column = k; column < system.size(); ++column) {
    double norm = 0;
    for (int p = matrix.column_start[column]; p < matrix.column_start[column + 1]; ++p)
      norm = std::hypot(norm, scaled.scale[matrix.row[p]] * matrix.at(p));
    scaled.has_empty_row = scaled.has_empty_row || norm == 0;
    scaled.scale[column] = norm > 0 ? 1 / norm : 1;
  }
  for (int column = 0; column < system.size(); ++column)
    for (int p = matrix.column_start[column]; p < matrix.column_start[column + 1]; ++p) {
      const int row = matrix.row[p];
      double& value = matrix.at(p);
      value = row == column && column < k ? 1 : scaled.scale[column] * scaled.scale[row] * value;
      if (column >= k && row < k && value != 0) scaled.entries.emplace_back(row, column - k, value);
    }
  return scaled;
}

// No row counts: each is redundant by itself.
ConstraintRank rank_zero(int m) {
  ConstraintRank result;
  for (int row = 0; row < m; ++row) {
    result.redundant.push_back(row);
    result.dependencies.push_back(VectorX::Unit(m, row));
  }
  return result;
}

// B^T P = Q [R_1 R_2]: the columns of R_2 are combinations R_1^-1 R_2 of those that lead.
ConstraintRank rank_by_qr(const ScaledGradient& scaled, int k, int m, double threshold) {
  constexpr double noticeable = 1e-9;  // coefficient of a combination
  ConstraintRank result;
  Eigen::SparseMatrix<double> Bt(k, m);
  Bt.setFromTriplets(scaled.entries.begin(), scaled.entries.end());
  Eigen::SparseQR<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> qr;
  qr.setPivotThreshold(threshold);
  qr.compute(Bt);
  const int rank = static_cast<int>(qr.rank());
  result.rank = rank;
  const auto row_at = [&](int i) { return qr.colsPermutation().indices()[i]; };
  const auto scale_at = [&](int i) { return scaled.scale[static_cast<std::size_t>(k + row_at(i))]; };
  const Eigen::SparseMatrix<double> R = qr.matrixR();
  const Eigen::SparseMatrix<double> leading = R.topLeftCorner(rank, rank);
  for (int i = 0; i < rank; ++i) result.smallest = std::min(result.smallest, std::abs(R.coeff(i, i)));
  std::vector<int> order(static_cast<std::size_t>(m - rank));
  for (int i = 0; i < m - rank; ++i) order[static_cast<std::size_t>(i)] = rank + i;
  std::sort(order.begin(), order.end(), [&](int a, int b) { return row_at(a) < row_at(b); });
  // In ascending order of the rows, whatever order QR has given them.
  for (const int i : order) {
    const VectorX right = VectorX(R.col(i)).head(rank);
    const VectorX combination = leading.triangularView<Eigen::Upper>().solve(right);
    VectorX n = VectorX::Zero(m);
    n[row_at(i)] = scale_at(i);
    for (int j = 0; j < rank; ++j)
      if (std::abs(combination[j]) > noticeable) n[row_at(j)] = -combination[j] * scale_at(j);
    result.redundant.push_back(row_at(i));
    result.dependencies.push_back(n / n.lpNorm<Eigen::Infinity>());
  }
  return result;
}

}  // namespace

// Rotations and rows are scaled first: rank has no unit then. The cheap test by LU settles nearly all
// calls, since positions with dependent equations are rare.
ConstraintRank constraint_rank(const System& system, const State& q, double threshold, bool with_smallest) {
  // Far below the pivots of independent rows, far above round-off of dependent ones.
  constexpr double surely_regular = 1e-11;  // ratio of pivots
  const int k = system.free_unknowns();
  const int m = system.rows();
  if (m == 0) return {};
  SparseMatrix matrix = system.make_matrix();
  system.set_matrix_of_all_rows(q, Factors{.b = 1}, 0, matrix);
  const ScaledGradient scaled = scale_rows(system, matrix);
  // [I B^T; B 0] has pivots of the order of B B^T: where none is small the rank is full, and QR is not needed.
  if (!scaled.has_empty_row && !with_smallest) {
    LinearSolver solver(matrix);
    if (solver.factorize() && solver.smallest_pivot_ratio() > surely_regular) return {m, {}, {}, 1};
  }
  if (k == 0 || scaled.entries.empty()) return rank_zero(m);
  return rank_by_qr(scaled, k, m, threshold);
}

// The dependencies span the null space of B^T; with an orthonormal basis Q of it, lambda <- lambda - Q Q^T lambda.
void reduce_to_least_norm(const ConstraintRank& rank, VectorX& lambda) {
  if (rank.dependencies.empty()) return;
  Eigen::MatrixXd N(lambda.size(), static_cast<Eigen::Index>(rank.dependencies.size()));
  for (Eigen::Index i = 0; i < N.cols(); ++i) N.col(i) = rank.dependencies[static_cast<std::size_t>(i)];
  const Eigen::MatrixXd basis = math::orthonormal_columns(N, N.cols());
  lambda -= basis * (basis.transpose() * lambda);
}

}  // namespace polhode::assembly
