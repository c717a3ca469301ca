// SPDX-License-Identifier: BSD-3-Clause
// Inertia of a scaled saddle matrix, and subspace iteration below the lowest eigenvalue.
#include "polhode/assembly/linear/constrained_spectrum.hpp"

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "polhode/assembly/linear/block_solver.hpp"
#include "polhode/assembly/sparse_algebra.hpp"

namespace polhode::assembly {

using math::MatrixX;
using math::VectorX;

struct ConstrainedSpectrum::Impl {
  Impl(const SparseMatrix& pattern, const VectorX& metric);
  void set_transposed_entries();
  void set_order();
  bool scale_stiffness(const SparseMatrix& saddle);
  void scale_rows(const SparseMatrix& saddle);
  void add_row_products();
  void shift(const SparseMatrix& from, double mu);
  std::optional<int> negative_pivots();
  std::optional<int> count_dense(double bound) const;

  VectorX root;                 // of 1 / metric
  SparseMatrix scaled;          // [K_s B^T; B 0]
  SparseMatrix unsymmetric;     // [K 0; 0 0], scaled alike
  SparseMatrix augmented;       // [K_s + B^T B  B^T; B 0]
  SparseMatrix work;            // one of them, shifted
  std::vector<int> transposed;  // by entry: the entry (column, row)
  std::vector<double> row_scale;
  std::vector<int> position;  // of each unknown in the elimination
  bool too_large = false;     // to be eliminated in that order
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::NaturalOrdering<int>> ldlt;
  std::optional<LinearSolver> solver;
  double stiffest = 0;
  int rows = 0;  // of B that are not dropped
};

namespace {

constexpr int largest_dense = 250;  // unknowns of a saddle matrix that dense algebra takes in a moment

// Largest entry 1.
void normalize(MatrixX& X) {
  for (auto column : X.colwise()) column /= column.lpNorm<Eigen::Infinity>();
}

// To an entry that the pattern has.
void add(SparseMatrix& matrix, int row, int column, double value) {
  const auto begin = matrix.row.begin() + matrix.column_start[column];
  const auto end = matrix.row.begin() + matrix.column_start[column + 1];
  const auto found = std::lower_bound(begin, end, row);
  if (found != end && *found == row) matrix.at(static_cast<int>(found - matrix.row.begin())) += value;
}

}  // namespace

ConstrainedSpectrum::Impl::Impl(const SparseMatrix& pattern, const VectorX& metric)
    : root(metric.cwiseSqrt().cwiseInverse()),
      scaled(pattern),
      unsymmetric(pattern),
      augmented(pattern),
      work(pattern),
      transposed(pattern.row.size()),
      row_scale(static_cast<std::size_t>(pattern.size), 1) {
  set_transposed_entries();
  set_order();
}

// Little fill, and constraint equations after the nodes that they act on: all pivots are of the order of K or B^T B then.
void ConstrainedSpectrum::Impl::set_order() {
  constexpr double most_operations = 1e11;  // a minute
  position.resize(static_cast<std::size_t>(work.size));
  std::iota(position.begin(), position.end(), 0);
  if (!BlockSolver::takes(work)) return;
  const BlockLayout layout(work, false);
  too_large = std::pow(BlockLayout::width, 3) * static_cast<double>(layout.targets.size()) > most_operations;
  int next = 0;
  for (std::size_t p = 0; p < layout.first.size(); ++p)
    for (int i = 0; i < layout.size[p]; ++i) position[static_cast<std::size_t>(layout.first[p] + i)] = next++;
}

// Of L D L^T of `work`, by single unknowns: where a node has motions without stiffness, in whatever direction, the stiff
// ones are eliminated first, and what is left is small without loss of digits. Not known where a pivot is so small that
// digits are lost.
std::optional<int> ConstrainedSpectrum::Impl::negative_pivots() {
  constexpr double largest_growth = 1e7;  // of L
  std::vector<Eigen::Triplet<double>> lower;
  lower.reserve(work.row.size() / 2 + position.size());
  for (int column = 0; column < work.size; ++column)
    for (int p = work.column_start[column]; p < work.column_start[column + 1]; ++p) {
      const int i = position[static_cast<std::size_t>(work.row[p])];
      const int j = position[static_cast<std::size_t>(column)];
      if (i >= j) lower.emplace_back(i, j, work.at(p));
    }
  Eigen::SparseMatrix<double> matrix(work.size, work.size);
  matrix.setFromTriplets(lower.begin(), lower.end());
  ldlt.compute(matrix);
  if (ldlt.info() != Eigen::Success) return std::nullopt;
  const VectorX pivots = ldlt.vectorD();
  const Eigen::SparseMatrix<double>& factor = ldlt.matrixL().nestedExpression();
  const Eigen::Map<const VectorX> entries(factor.valuePtr(), factor.nonZeros());
  if (!pivots.allFinite() || !(entries.size() == 0 || entries.lpNorm<Eigen::Infinity>() < largest_growth))
    return std::nullopt;
  return static_cast<int>((pivots.array() < 0).count());
}

// The pattern is symmetric and its rows ascend: the next entry of column i that is passed is always (j, i).
void ConstrainedSpectrum::Impl::set_transposed_entries() {
  std::vector<int> next(work.column_start.begin(), work.column_start.end() - 1);
  for (int column = 0; column < work.size; ++column)
    for (int p = work.column_start[column]; p < work.column_start[column + 1]; ++p)
      transposed[static_cast<std::size_t>(p)] = next[static_cast<std::size_t>(work.row[p])]++;
}

// The symmetric part, in units of its largest entry.
bool ConstrainedSpectrum::Impl::scale_stiffness(const SparseMatrix& saddle) {
  const auto k = static_cast<int>(root.size());
  stiffest = 0;
  std::fill(scaled.values.begin(), scaled.values.end(), 0.0);
  std::fill(unsymmetric.values.begin(), unsymmetric.values.end(), 0.0);
  for (int column = 0; column < k; ++column)
    for (int p = saddle.column_start[column]; p < saddle.column_start[column + 1] && saddle.row[p] < k; ++p) {
      const double other = saddle.at(transposed[static_cast<std::size_t>(p)]);
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
void ConstrainedSpectrum::Impl::scale_rows(const SparseMatrix& saddle) {
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
      if (is_free) scaled.at(transposed[static_cast<std::size_t>(p)]) = value;
    }
  }
}

// B^T B stays within the pattern: nodes of a constraint are coupled.
void ConstrainedSpectrum::Impl::add_row_products() {
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
void ConstrainedSpectrum::Impl::shift(const SparseMatrix& from, double mu) {
  work.values = from.values;
  for_each_diagonal(work, static_cast<int>(root.size()), [&](int, double& value) { value -= mu; });
}

// By Z and dense algebra.
std::optional<int> ConstrainedSpectrum::Impl::count_dense(double bound) const {
  const auto k = root.size();
  MatrixX all = MatrixX::Zero(scaled.size, scaled.size);
  for (int column = 0; column < scaled.size; ++column)
    for (int p = scaled.column_start[column]; p < scaled.column_start[column + 1]; ++p)
      all(scaled.row[p], column) = scaled.at(p);
  const MatrixX Bt = all.topRightCorner(k, scaled.size - k);
  MatrixX Z = MatrixX::Identity(k, k);
  if (Bt.cols() > 0) {
    Eigen::ColPivHouseholderQR<MatrixX> qr(Bt);
    qr.setThreshold(1e-9);
    const MatrixX Q = qr.householderQ() * MatrixX::Identity(k, k);
    Z = Q.rightCols(k - qr.rank());
  }
  if (Z.cols() == 0) return 0;
  const MatrixX H = Z.transpose() * all.topLeftCorner(k, k) * Z;
  const Eigen::SelfAdjointEigenSolver<MatrixX> eigen(0.5 * (H + H.transpose()), Eigen::EigenvaluesOnly);
  return static_cast<int>((eigen.eigenvalues().array() < bound).count());
}

ConstrainedSpectrum::ConstrainedSpectrum(const SparseMatrix& pattern, const VectorX& metric)
    : impl_(std::make_unique<Impl>(pattern, metric)) {}
ConstrainedSpectrum::~ConstrainedSpectrum() = default;
ConstrainedSpectrum::ConstrainedSpectrum(ConstrainedSpectrum&&) noexcept = default;

bool ConstrainedSpectrum::set(const SparseMatrix& saddle) {
  if (!impl_->scale_stiffness(saddle)) return false;
  impl_->scale_rows(saddle);
  impl_->add_row_products();
  return true;
}

double ConstrainedSpectrum::stiffest() const { return impl_->stiffest; }

// A leading part may happen to be singular where the whole is not: another bound nearby has other ones. Small matrices
// have dense algebra as a last resort.
std::optional<int> ConstrainedSpectrum::count_below(double bound) {
  Impl& own = *impl_;
  if (!own.too_large)
    for (const double factor : {1.0, 1.1, 0.9, 1.3}) {
      own.shift(own.augmented, factor * bound);
      const std::optional<int> negative = own.negative_pivots();
      if (negative && *negative >= own.rows) return *negative - own.rows;
    }
  if (own.work.size <= largest_dense) return own.count_dense(bound);
  return std::nullopt;
}

// A bound below all eigenvalues, close to the lowest one where that is negative: K_s - mu I is definite there within the
// constraints, and its inverse magnifies the lowest ones. By decades first, then by bisection.
std::optional<double> ConstrainedSpectrum::bound_below_all() {
  constexpr double first = -1e-13;
  constexpr double last = -1e6;  // far below: no eigenvalue is larger than the rows of K_s
  double below = first;
  std::optional<int> count = count_below(below);
  while (count && *count > 0 && below > last) {
    below *= 10;
    count = count_below(below);
  }
  if (!count || *count > 0) return std::nullopt;
  if (below == first) return below;
  double above = below / 10;
  for (int i = 0; i < 4; ++i) {
    const double middle = -std::sqrt(below * above);
    count = count_below(middle);
    if (!count) return std::nullopt;
    if (*count == 0)
      below = middle;
    else
      above = middle;
  }
  return 1.05 * below;
}

// Subspace iteration with the inverse at that bound, which has pivots between nodes and constraints (KLU); Ritz values
// within B x = 0.
ConstrainedSpectrum::Modes ConstrainedSpectrum::lowest(int count) {
  constexpr int rounds = 100;
  constexpr double exact = 1e-5;  // relative change of a Ritz value in a round
  Impl& own = *impl_;
  const auto k = static_cast<int>(own.root.size());
  const int wanted = std::min(count, k - own.rows);
  const int columns = std::min(count + 3, k - own.rows);
  const std::optional<double> mu = bound_below_all();
  if (!mu || wanted <= 0) return {};
  own.shift(own.scaled, *mu);
  if (!own.solver) own.solver.emplace(own.work, LinearSolver::Method::klu);
  if (!own.solver->factorize()) return {};
  std::mt19937 random(1);
  std::normal_distribution<double> number;
  MatrixX X(k, columns);
  for (double& x : X.reshaped()) x = number(random);
  MatrixX KX(k, columns);
  VectorX rhs(own.work.size);
  VectorX before = VectorX::Zero(wanted);
  Modes modes;
  for (int round = 0; round < rounds; ++round) {
    for (auto column : X.colwise()) {
      rhs.setZero();
      rhs.head(k) = column;
      own.solver->solve(rhs);
      column = rhs.head(k);
    }
    if (!X.allFinite()) return {};
    const Eigen::HouseholderQR<MatrixX> qr(X);
    X = qr.householderQ() * MatrixX::Identity(k, columns);
    for (int i = 0; i < columns; ++i) multiply(own.scaled, X.col(i).data(), KX.col(i).data(), k);
    const MatrixX H = X.transpose() * KX;
    const Eigen::SelfAdjointEigenSolver<MatrixX> ritz(0.5 * (H + H.transpose()));
    X = (X * ritz.eigenvectors()).eval();
    modes.values = ritz.eigenvalues().head(wanted);
    if (((modes.values - before).array().abs() < exact * modes.values.array().abs()).all()) break;
    before = modes.values;
  }
  for (int i = 0; i < columns; ++i) multiply(own.unsymmetric, X.col(i).data(), KX.col(i).data(), k);
  modes.reduced = X.transpose() * KX;
  modes.shapes = X.leftCols(wanted);
  normalize(modes.shapes);
  modes.shapes = (own.root.asDiagonal() * modes.shapes).eval();
  return modes;
}

}  // namespace polhode::assembly
