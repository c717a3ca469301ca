// SPDX-License-Identifier: BSD-3-Clause
// Scaling, order of elimination, pivots.
#include "scaled_saddle.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "polhode/assembly/linear/block_solver.hpp"
#include "polhode/assembly/sparse_algebra.hpp"
#include "polhode/math/dense.hpp"

namespace polhode::assembly {

using math::MatrixX;
using math::VectorX;

namespace {

// To an entry that the pattern has.
void add(SparseMatrix& matrix, int row, int column, double value) {
  const auto begin = matrix.row.begin() + matrix.column_start[column];
  const auto end = matrix.row.begin() + matrix.column_start[column + 1];
  const auto found = std::lower_bound(begin, end, row);
  if (found != end && *found == row) matrix.at(static_cast<int>(found - matrix.row.begin())) += value;
}

}  // namespace

ScaledSaddle::ScaledSaddle(const SparseMatrix& pattern, const VectorX& metric)
    : root(metric.cwiseSqrt().cwiseInverse()),
      scaled(pattern),
      unsymmetric(pattern),
      augmented(pattern),
      work(pattern),
      transposed_(pattern.row.size()) {
  set_transposed_entries();
  set_order();
}

bool ScaledSaddle::set(const SparseMatrix& saddle) {
  if (!scale_stiffness(saddle)) return false;
  scale_rows(saddle);
  add_row_products();
  return true;
}

// Little fill, and constraint equations after the nodes that they act on: all pivots are of the order of K or B^T B then.
void ScaledSaddle::set_order() {
  constexpr double most_operations = 1e11;  // a minute
  position_.resize(static_cast<std::size_t>(work.size));
  std::iota(position_.begin(), position_.end(), 0);
  if (!BlockSolver::takes(work)) return;
  const BlockOrder order(work);
  too_large = std::pow(BlockOrder::width, 3) * order.products > most_operations;
  int next = 0;
  for (const int b : order.block)
    for (int i = work.block_start[b]; i < work.block_start[b + 1]; ++i) position_[static_cast<std::size_t>(i)] = next++;
}

// Of L D L^T of `work`, by single unknowns: where a node has motions without stiffness, in whatever direction, the stiff
// ones are eliminated first, and what is left is small without loss of digits. Not known where a pivot is so small that
// digits are lost.
std::optional<int> ScaledSaddle::negative_pivots() {
  constexpr double largest_growth = 1e7;  // of L
  std::vector<Eigen::Triplet<double>> lower;
  lower.reserve(work.row.size() / 2 + position_.size());
  for (int column = 0; column < work.size; ++column)
    for (int p = work.column_start[column]; p < work.column_start[column + 1]; ++p) {
      const int i = position_[static_cast<std::size_t>(work.row[p])];
      const int j = position_[static_cast<std::size_t>(column)];
      if (i >= j) lower.emplace_back(i, j, work.at(p));
    }
  Eigen::SparseMatrix<double> matrix(work.size, work.size);
  matrix.setFromTriplets(lower.begin(), lower.end());
  ldlt_.compute(matrix);
  if (ldlt_.info() != Eigen::Success) return std::nullopt;
  const VectorX pivots = ldlt_.vectorD();
  const Eigen::SparseMatrix<double>& factor = ldlt_.matrixL().nestedExpression();
  const Eigen::Map<const VectorX> entries(factor.valuePtr(), factor.nonZeros());
  if (!pivots.allFinite() || !(entries.size() == 0 || entries.lpNorm<Eigen::Infinity>() < largest_growth))
    return std::nullopt;
  return static_cast<int>((pivots.array() < 0).count());
}

// The pattern is symmetric and its rows ascend: the next entry of column i that is passed is always (j, i).
void ScaledSaddle::set_transposed_entries() {
  std::vector<int> next(work.column_start.begin(), work.column_start.end() - 1);
  for (int column = 0; column < work.size; ++column)
    for (int p = work.column_start[column]; p < work.column_start[column + 1]; ++p)
      transposed_[static_cast<std::size_t>(p)] = next[static_cast<std::size_t>(work.row[p])]++;
}

// The symmetric part, in units of its largest entry.
bool ScaledSaddle::scale_stiffness(const SparseMatrix& saddle) {
  const auto k = static_cast<int>(root.size());
  stiffest = 0;
  std::fill(scaled.values.begin(), scaled.values.end(), 0.0);
  std::fill(unsymmetric.values.begin(), unsymmetric.values.end(), 0.0);
  for (int column = 0; column < k; ++column)
    for (int p = saddle.column_start[column]; p < saddle.column_start[column + 1] && saddle.row[p] < k; ++p) {
      const double other = saddle.at(transposed_[static_cast<std::size_t>(p)]);
      const double value = 0.5 * (saddle.at(p) + other) * root[column] * root[saddle.row[p]];
      if (!std::isfinite(value)) return false;
      stiffest = std::max(stiffest, std::abs(value));
      scaled.at(p) = value;
      unsymmetric.at(p) = saddle.at(p) * root[column] * root[saddle.row[p]];
    }
  if (stiffest == 0) return false;
  for (double& value : scaled.values) value /= stiffest;
  for (double& value : unsymmetric.values) value /= stiffest;
  return true;
}

// Rows of unit length. Those of dropped equations keep the one in their diagonal.
void ScaledSaddle::scale_rows(const SparseMatrix& saddle) {
  const auto k = static_cast<int>(root.size());
  rows = 0;
  for (int column = k; column < saddle.size; ++column) {
    double norm = 0;
    for (int p = saddle.column_start[column]; p < saddle.column_start[column + 1]; ++p)
      if (saddle.row[p] < k) norm = std::hypot(norm, saddle.at(p) * root[saddle.row[p]]);
    if (norm > 0) ++rows;
    for (int p = saddle.column_start[column]; p < saddle.column_start[column + 1]; ++p) {
      const bool is_free = saddle.row[p] < k;
      const double value = is_free && norm > 0 ? saddle.at(p) * root[saddle.row[p]] / norm : saddle.at(p);
      scaled.at(p) = value;
      if (is_free) scaled.at(transposed_[static_cast<std::size_t>(p)]) = value;
    }
  }
}

// B^T B stays within the pattern: nodes of a constraint are coupled.
void ScaledSaddle::add_row_products() {
  const auto k = static_cast<int>(root.size());
  augmented.values = scaled.values;
  for (int column = k; column < scaled.size; ++column)
    for (int p = scaled.column_start[column]; p < scaled.column_start[column + 1]; ++p)
      for (int o = scaled.column_start[column]; o < scaled.column_start[column + 1]; ++o) {
        const double product = scaled.at(p) * scaled.at(o);
        if (product == 0 || scaled.row[p] >= k || scaled.row[o] >= k) continue;
        add(augmented, scaled.row[p], scaled.row[o], product);
      }
}

// K_s - mu I in the place of K_s.
void ScaledSaddle::shift(const SparseMatrix& from, double mu) {
  work.values = from.values;
  for_each_diagonal(work, static_cast<int>(root.size()), [&](int, double& value) { value -= mu; });
}

// By Z and dense algebra.
int ScaledSaddle::count_dense(double bound) const {
  const auto k = root.size();
  MatrixX all = MatrixX::Zero(scaled.size, scaled.size);
  for (int column = 0; column < scaled.size; ++column)
    for (int p = scaled.column_start[column]; p < scaled.column_start[column + 1]; ++p)
      all(scaled.row[p], column) = scaled.at(p);
  const MatrixX Bt = all.topRightCorner(k, scaled.size - k);
  MatrixX Z = MatrixX::Identity(k, k);
  if (Bt.cols() > 0) Z = math::orthonormal_complement(Bt, 1e-9);
  if (Z.cols() == 0) return 0;
  const MatrixX H = math::transposed_product(Z, all.topLeftCorner(k, k) * Z);
  return static_cast<int>((math::symmetric_eigen(0.5 * (H + H.transpose())).values.array() < bound).count());
}

}  // namespace polhode::assembly
