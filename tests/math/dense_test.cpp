// SPDX-License-Identifier: BSD-3-Clause
// What each decomposition promises, on random matrices.
#include "polhode/math/dense.hpp"

#include <gtest/gtest.h>

namespace polhode::math {
namespace {

// A fixed sequence of numbers in [-1, 1].
MatrixX some_matrix(Eigen::Index rows, Eigen::Index columns) {
  MatrixX A(rows, columns);
  unsigned number = 1;
  for (double& a : A.reshaped()) {
    number = 1664525 * number + 1013904223;
    a = static_cast<double>(number >> 8) / (1 << 23) - 1;
  }
  return A;
}

// Of rank `rank`.
MatrixX product_of_rank(Eigen::Index rows, Eigen::Index columns, Eigen::Index rank) {
  return some_matrix(rows, rank) * some_matrix(columns, rank).transpose();
}

double distance_from_identity(const MatrixX& A) { return (A - MatrixX::Identity(A.rows(), A.cols())).norm(); }

TEST(Dense, ColumnsOfQSpanTheLeadingColumns) {
  const MatrixX A = some_matrix(7, 3);
  const MatrixX Q = orthonormal_columns(A, 3);
  EXPECT_LT(distance_from_identity(Q.transpose() * Q), 1e-14);
  EXPECT_LT((A - Q * (Q.transpose() * A)).norm(), 1e-14);
  const MatrixX whole = orthonormal_columns(A, 7);
  EXPECT_LT(distance_from_identity(whole.transpose() * whole), 1e-14);
}

TEST(Dense, RangeAndComplementDivideTheSpace) {
  const MatrixX A = product_of_rank(8, 6, 4);
  const MatrixX range = orthonormal_range(A);
  const MatrixX complement = orthonormal_complement(A, 1e-9);
  ASSERT_EQ(range.cols(), 4);
  ASSERT_EQ(complement.cols(), 4);
  EXPECT_LT((A - range * (range.transpose() * A)).norm(), 1e-13);
  EXPECT_LT((A.transpose() * complement).norm(), 1e-13);
  EXPECT_LT((range.transpose() * complement).norm(), 1e-13);
  EXPECT_EQ(rank(A, 1e-9), 4);
}

TEST(Dense, RankFollowsTheThreshold) {
  MatrixX A = MatrixX::Identity(3, 3);
  A(2, 2) = 1e-6;
  EXPECT_EQ(rank(A, 1e-9), 3);
  EXPECT_EQ(rank(A, 1e-3), 2);
}

TEST(Dense, TheLargestColumnLeads) {
  MatrixX A = some_matrix(4, 5);
  A.col(3) *= 100;
  const std::vector<int> order = pivot_order(A);
  ASSERT_EQ(order.size(), 5u);
  EXPECT_EQ(order[0], 3);
}

TEST(Dense, NullSpaceIsWhatTheMatrixTakesToZero) {
  const MatrixX A = product_of_rank(5, 6, 2);
  const MatrixX N = null_space(A, 1e-9);
  ASSERT_EQ(N.cols(), 4);
  EXPECT_LT((A * N).norm(), 1e-13);
  EXPECT_LT(distance_from_identity(N.transpose() * N), 1e-13);
  EXPECT_EQ(null_space(some_matrix(3, 3), 1e-9).cols(), 0);
}

TEST(Dense, SolutionsSolve) {
  const MatrixX A = some_matrix(6, 6);
  const MatrixX B = some_matrix(6, 2);
  EXPECT_LT((A * solve(A, B) - B).norm(), 1e-12);
  const MatrixX definite = A * A.transpose();
  MatrixX X = B;
  ASSERT_TRUE(solve_definite(definite, 1e-13, X));
  EXPECT_LT((definite * X - B).norm(), 1e-10);
}

TEST(Dense, WhatIsNotDefiniteIsLeftAsItWas) {
  const MatrixX A = product_of_rank(4, 4, 3);
  const MatrixX singular = A * A.transpose();
  const MatrixX B = some_matrix(4, 1);
  MatrixX X = B;
  EXPECT_FALSE(solve_definite(singular, 1e-9, X));
  EXPECT_EQ(X, B);
  EXPECT_FALSE(is_definite(singular, 1e-3));
  EXPECT_TRUE(is_definite(MatrixX::Identity(4, 4), 1e-3));
  EXPECT_FALSE(is_definite(-MatrixX::Identity(4, 4), 1e-3));
}

TEST(Dense, RootsOfSemidefiniteMatricesGiveThemBack) {
  const MatrixX A = product_of_rank(6, 6, 3);
  const MatrixX S = A * A.transpose();
  const MatrixX W = semidefinite_root(S);
  EXPECT_LT((W * W.transpose() - S).norm(), 1e-12 * S.norm());
}

TEST(Dense, EigenvectorsOfSymmetricMatrices) {
  const MatrixX A = some_matrix(6, 6);
  const MatrixX S = A + A.transpose();
  const auto [values, vectors] = symmetric_eigen(S);
  EXPECT_LT((S * vectors - vectors * values.asDiagonal()).norm(), 1e-13);
  EXPECT_LT(distance_from_identity(vectors.transpose() * vectors), 1e-13);
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
}

TEST(Dense, EigenvectorsOfAnyMatrix) {
  const MatrixX A = some_matrix(7, 7);
  const auto [values, vectors] = general_eigen(A);
  EXPECT_LT((A * vectors - vectors * values.asDiagonal()).norm(), 1e-12);
  EXPECT_NEAR(values.sum().real(), A.trace(), 1e-13);
  EXPECT_NEAR(values.sum().imag(), 0, 1e-13);
}

}  // namespace
}  // namespace polhode::math
