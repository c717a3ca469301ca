// SPDX-License-Identifier: BSD-3-Clause
// Eigen's decompositions, behind functions.
#include "polhode/math/dense.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

namespace polhode::math {

namespace {

// Q E in place of E: one type for all decompositions by reflections and all E.
template <class Decomposition>
MatrixX rotated(const Decomposition& qr, MatrixX E) {
  E.applyOnTheLeft(qr.householderQ());
  return E;
}

// L^-1 of M = L L^T.
Mat6 inverse_of_root(const Mat6& M) {
  const Mat6 L = Eigen::LLT<Mat6>(M).matrixL();
  Mat6 inverse = Mat6::Zero();
  for (int j = 0; j < 6; ++j) {
    inverse(j, j) = 1 / L(j, j);
    for (int i = j + 1; i < 6; ++i) {
      double sum = 0;
      for (int k = j; k < i; ++k) sum += L(i, k) * inverse(k, j);
      inverse(i, j) = -sum / L(i, i);
    }
  }
  return inverse;
}

}  // namespace

MatrixX orthonormal_columns(const MatrixX& A, Eigen::Index columns) {
  return rotated(Eigen::HouseholderQR<MatrixX>(A), MatrixX::Identity(A.rows(), columns));
}

MatrixX transposed_product(const MatrixX& A, const MatrixX& B) { return A.transpose() * B; }

MatrixX orthonormal_range(const MatrixX& A) {
  const Eigen::ColPivHouseholderQR<MatrixX> qr(A);
  return rotated(qr, MatrixX::Identity(A.rows(), qr.rank()));
}

MatrixX orthonormal_complement(const MatrixX& A, double threshold) {
  Eigen::ColPivHouseholderQR<MatrixX> qr(A);
  qr.setThreshold(threshold);
  const Eigen::Index rest = A.rows() - qr.rank();
  MatrixX E = MatrixX::Zero(A.rows(), rest);
  for (Eigen::Index i = 0; i < rest; ++i) E(qr.rank() + i, i) = 1;
  return rotated(qr, std::move(E));
}

Eigen::Index rank(const MatrixX& A, double threshold) {
  Eigen::ColPivHouseholderQR<MatrixX> qr(A);
  qr.setThreshold(threshold);
  return qr.rank();
}

std::vector<int> pivot_order(const MatrixX& A) {
  const Eigen::ColPivHouseholderQR<MatrixX> qr(A);
  const auto& indices = qr.colsPermutation().indices();
  return {indices.begin(), indices.end()};
}

// The last columns of V, behind the rank.
MatrixX null_space(const MatrixX& A, double threshold) {
  const Eigen::JacobiSVD<MatrixX> svd(A, Eigen::ComputeFullV);
  const VectorX& values = svd.singularValues();
  Eigen::Index rank = 0;
  while (rank < values.size() && values[rank] > threshold * values[0]) ++rank;
  return svd.matrixV().rightCols(A.cols() - rank);
}

MatrixX solve(const MatrixX& A, const MatrixX& B) { return Eigen::PartialPivLU<MatrixX>(A).solve(B); }

bool solve_definite(const MatrixX& A, double least, MatrixX& B) {
  const Eigen::LDLT<MatrixX> ldlt(A);
  if (!(ldlt.vectorD().minCoeff() > least)) return false;
  B = ldlt.solve(B);
  return true;
}

bool is_definite(const MatrixX& A, double least) {
  const Eigen::LLT<MatrixX> cholesky(A);
  return cholesky.info() == Eigen::Success && cholesky.matrixLLT().diagonal().minCoeff() > least;
}

// With orthonormal bases P of A's range and Q of its rows', A = P R Q^T with a regular R, and its pseudo-inverse is
// Q R^-1 P^T.
MatrixX pseudo_inverse(const MatrixX& A) {
  const MatrixX P = orthonormal_range(A);
  if (P.cols() == 0) return MatrixX::Zero(A.cols(), A.rows());
  const MatrixX rows = transposed_product(A, P);
  const MatrixX Q = orthonormal_columns(rows, P.cols());
  return Q * solve(transposed_product(rows, Q), P.transpose());
}

// A = P^T L D L^T P; D is cut at zero against round-off.
MatrixX semidefinite_root(const MatrixX& A) {
  const Eigen::LDLT<MatrixX> ldlt(A);
  MatrixX W = ldlt.matrixL();
  W = ldlt.transpositionsP().transpose() * W;
  W *= ldlt.vectorD().cwiseMax(0).cwiseSqrt().asDiagonal();
  return W;
}

SymmetricEigen symmetric_eigen(const MatrixX& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixX> eigen(A);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

double least_scaled_eigenvalue(const Mat6& A) {
  Vec6 scale;
  for (int i = 0; i < 6; ++i) scale[i] = A(i, i) > 0 ? 1 / std::sqrt(A(i, i)) : 1;
  const Mat6 scaled = scale.asDiagonal() * A * scale.asDiagonal();
  return Eigen::SelfAdjointEigenSolver<Mat6>(scaled).eigenvalues()[0];
}

// M = L L^T, L^-1 K L^-T = X diag(values) X^T: the sum's inverse is (L^-T X) (1 + values)^-1 (L^-T X)^T. Where K is of
// the last three alone, as of rotations, X is of these, too.
Mat6 inverse_of_sum(const Mat6& M, const Mat6& K) {
  const Mat6 root = inverse_of_root(M);
  if (K.topRows<3>().isZero(0)) {
    const Mat3 last = root.bottomRightCorner<3, 3>();
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(Mat3(last * K.bottomRightCorner<3, 3>() * last.transpose()));
    Eigen::Matrix<double, 6, 3> basis = root.bottomRows<3>().transpose() * eigen.eigenvectors();
    const auto rest = root.topRows<3>();
    Mat6 sum = rest.transpose() * rest;
    for (int i = 0; i < 3; ++i) basis.col(i) /= std::sqrt(1 + std::max(eigen.eigenvalues()[i], 0.0));
    return sum + basis * basis.transpose();
  }
  const Mat6 half = root * K;
  const Eigen::SelfAdjointEigenSolver<Mat6> eigen(Mat6(half * root.transpose()));
  const Mat6 basis = root.transpose() * eigen.eigenvectors();
  Mat6 divided = basis;
  for (int i = 0; i < 6; ++i) divided.col(i) /= 1 + std::max(eigen.eigenvalues()[i], 0.0);
  return divided * basis.transpose();
}

Mat6 definite_inverse(const Mat6& M) {
  const Mat6 root = inverse_of_root(M);
  return root.transpose() * root;
}

GeneralEigen general_eigen(const MatrixX& A) {
  const Eigen::EigenSolver<MatrixX> eigen(A);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

}  // namespace polhode::math
