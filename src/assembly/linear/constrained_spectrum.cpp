// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues counted by inertia, and subspace iteration below the lowest one.
#include "polhode/assembly/linear/constrained_spectrum.hpp"

#include <cmath>
#include <random>

#include "polhode/assembly/sparse_algebra.hpp"
#include "polhode/math/dense.hpp"
#include "scaled_saddle.hpp"

namespace polhode::assembly {

using math::MatrixX;
using math::VectorX;

struct ConstrainedSpectrum::Impl : ScaledSaddle {
  using ScaledSaddle::ScaledSaddle;
  std::optional<LinearSolver> solver;  // of `work`
};

namespace {

constexpr int largest_dense = 250;  // unknowns of a saddle matrix that dense algebra takes in a moment

// Largest entry 1.
void normalize(MatrixX& X) {
  for (auto column : X.colwise()) column /= column.lpNorm<Eigen::Infinity>();
}

}  // namespace

ConstrainedSpectrum::ConstrainedSpectrum(const SparseMatrix& pattern, const VectorX& metric)
    : impl_(std::make_unique<Impl>(pattern, metric)) {}
ConstrainedSpectrum::~ConstrainedSpectrum() = default;
ConstrainedSpectrum::ConstrainedSpectrum(ConstrainedSpectrum&&) noexcept = default;

bool ConstrainedSpectrum::set(const SparseMatrix& saddle) { return impl_->set(saddle); }

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
  constexpr int more = 9;         // what K without symmetry couples with the lowest
  Impl& own = *impl_;
  const auto k = static_cast<int>(own.root.size());
  const int wanted = std::min(count, k - own.rows);
  const int columns = std::min(count + more, k - own.rows);
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
    X = math::orthonormal_columns(X, columns);
    for (int i = 0; i < columns; ++i) multiply(own.scaled, X.col(i).data(), KX.col(i).data(), k);
    const MatrixX H = math::transposed_product(X, KX);
    const math::SymmetricEigen ritz = math::symmetric_eigen(0.5 * (H + H.transpose()));
    X = (X * ritz.vectors).eval();
    modes.values = ritz.values.head(wanted);
    if (((modes.values - before).array().abs() < exact * modes.values.array().abs()).all()) break;
    before = modes.values;
  }
  for (int i = 0; i < columns; ++i) multiply(own.unsymmetric, X.col(i).data(), KX.col(i).data(), k);
  modes.reduced = math::transposed_product(X, KX);
  modes.shapes = X.leftCols(wanted);
  normalize(modes.shapes);
  modes.shapes = (own.root.asDiagonal() * modes.shapes).eval();
  return modes;
}

}  // namespace polhode::assembly
