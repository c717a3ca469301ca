// SPDX-License-Identifier: BSD-3-Clause
// Eigen's decompositions, behind functions.
#include "polhode/math/dense.hpp"

#include <Eigen/Dense>

namespace polhode::math {

MatrixX orthonormal_columns(const MatrixX& A, Eigen::Index columns) {
  const Eigen::HouseholderQR<MatrixX> qr(A);
  return qr.householderQ() * MatrixX::Identity(A.rows(), columns);
}

MatrixX orthonormal_range(const MatrixX& A) {
  const Eigen::ColPivHouseholderQR<MatrixX> qr(A);
  return qr.householderQ() * MatrixX::Identity(A.rows(), qr.rank());
}

MatrixX orthonormal_complement(const MatrixX& A, double threshold) {
  Eigen::ColPivHouseholderQR<MatrixX> qr(A);
  qr.setThreshold(threshold);
  const Eigen::Index rest = A.rows() - qr.rank();
  MatrixX E = MatrixX::Zero(A.rows(), rest);
  E.bottomRows(rest).setIdentity();
  return qr.householderQ() * E;
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

GeneralEigen general_eigen(const MatrixX& A) {
  const Eigen::EigenSolver<MatrixX> eigen(A);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

}  // namespace polhode::math
