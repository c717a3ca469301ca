// SPDX-License-Identifier: BSD-3-Clause
// Null vectors of the tangent stiffness.
#include "polhode/analyses/motion/free_motion.hpp"

#include <algorithm>
#include <random>

#include "polhode/assembly/linear/linear_solver.hpp"
#include "polhode/assembly/sparse_algebra.hpp"
#include "polhode/math/dense.hpp"

namespace polhode::analyses {

using assembly::SparseMatrix;
using assembly::System;
using math::MatrixX;
using model::VectorX;

namespace {

// Makes the columns orthonormal in the metric; those that depend on the others are dropped.
// By QR with pivoting of root X, root the square root of the metric.
MatrixX orthonormal(const MatrixX& X, const VectorX& root) {
  const MatrixX scaled = root.asDiagonal() * X;
  return root.cwiseInverse().asDiagonal() * math::orthonormal_range(scaled);
}

// A basis of the same space, of which each vector has an unknown for itself: motions of separate parts come apart.
// Gauss-Jordan elimination with the largest entry as the pivot.
void separate(MatrixX& X, const VectorX& root) {
  for (Eigen::Index i = 0; i < X.cols(); ++i) {
    Eigen::Index pivot = 0;
    Eigen::Index column = 0;
    (root.asDiagonal() * X.rightCols(X.cols() - i)).cwiseAbs().maxCoeff(&pivot, &column);
    X.col(i).swap(X.col(i + column));
    X.col(i) /= X(pivot, i);
    for (Eigen::Index j = 0; j < X.cols(); ++j)
      if (j != i) X.col(j) -= X(pivot, j) * X.col(i);
  }
}

}  // namespace

// Subspace iteration with (K + shift metric)^-1: with stiffnesses of 1 and free motions at 1e-13 or less, four rounds
// leave nothing of the others. Ritz values of K within the subspace then show which motions are free. Where elastic
// motions are softer than the shift (long thin beams), the rounds go on with a smaller one, and free is what has a
// thousandth of that.
std::vector<FreeMotion> free_motions(const System& system, const model::State& q, const SparseMatrix& matrix,
                                     const VectorX& metric, double threshold) {
  constexpr int most = 6;
  constexpr int rounds = 4;
  const int k = system.free_unknowns();
  if (k == 0) return {};
  SparseMatrix shifted = system.make_matrix();
  std::mt19937 random(1);
  std::normal_distribution<double> number;
  const VectorX root = metric.head(k).cwiseSqrt();
  MatrixX X(k, std::min(most, k));
  // Random, with a fixed seed: equal models give equal texts.
  for (double& x : X.reshaped()) x = number(random);
  VectorX rhs(system.size());
  MatrixX KX(k, X.cols());
  math::SymmetricEigen ritz;
  for (const double shift : {1e-9, 1e-13}) {
    shifted.values = matrix.values;
    for_each_diagonal(shifted, k, [&](int i, double& value) { value += shift * metric[i]; });
    assembly::LinearSolver solver(shifted, assembly::LinearSolver::Method::klu);
    if (!solver.factorize()) return {};
    for (int round = 0; round < rounds; ++round) {
      X = orthonormal(X, root);
      for (auto column : X.colwise()) {
        rhs.setZero();
        rhs.head(k) = metric.head(k).cwiseProduct(column);
        solver.solve(rhs);
        column = rhs.head(k);
      }
      if (!X.allFinite()) return {};
    }
    X = orthonormal(X, root);
    KX.resize(k, X.cols());
    for (Eigen::Index i = 0; i < X.cols(); ++i) assembly::multiply(matrix, X.col(i).data(), KX.col(i).data(), k);
    const MatrixX H = math::transposed_product(X, KX);
    ritz = math::symmetric_eigen(0.5 * (H + H.transpose()));
    threshold = std::min(threshold, 1e-3 * shift);
    const auto is_clear = [&](double value) { return std::abs(value) < threshold || std::abs(value) > shift; };
    if (std::all_of(ritz.values.begin(), ritz.values.end(), is_clear)) break;
  }
  Eigen::Index free = 0;
  MatrixX shapes(k, X.cols());
  for (Eigen::Index i = 0; i < X.cols(); ++i)
    if (std::abs(ritz.values[i]) < threshold) shapes.col(free++) = X * ritz.vectors.col(i);
  shapes.conservativeResize(Eigen::NoChange, free);
  separate(shapes, root);
  std::vector<FreeMotion> motions;
  for (auto column : shapes.colwise()) {
    // Largest entry 1 in the metric.
    const VectorX shape = column / root.cwiseProduct(VectorX(column)).lpNorm<Eigen::Infinity>();
    motions.push_back({shape, describe_motion(system, q, shape)});
  }
  return motions;
}

}  // namespace polhode::analyses
