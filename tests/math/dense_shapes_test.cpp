// SPDX-License-Identifier: BSD-3-Clause
// Laws of the decompositions by rank on matrices of all shapes: tall, wide, square, of full and of lower rank.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "polhode/math/dense.hpp"

namespace polhode::math {
namespace {

struct RankedShape {
  Eigen::Index rows;
  Eigen::Index columns;
  Eigen::Index rank;
  friend void PrintTo(const RankedShape& s, std::ostream* out) {
    *out << s.rows << " x " << s.columns << " of rank " << s.rank;
  }
};

// Of small integers, none zero: products of such factors have the rank of the factors exactly.
MatrixX whole_numbers(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
  std::mt19937 random(seed);
  MatrixX A(rows, columns);
  for (double& a : A.reshaped()) {
    const auto number = static_cast<double>(random() % 8);
    a = number < 4 ? number - 4 : number - 3;
  }
  return A;
}

double far_from_identity(const MatrixX& A) { return (A - MatrixX::Identity(A.rows(), A.cols())).norm(); }

class DenseShape : public testing::TestWithParam<RankedShape> {
 protected:
  static constexpr double threshold = 1e-9;
  const Eigen::Index rows = GetParam().rows;
  const Eigen::Index columns = GetParam().columns;
  const Eigen::Index full = GetParam().rank;
  const MatrixX A = MatrixX(whole_numbers(rows, full, 1) * whole_numbers(full, columns, 2));
  const double size = A.norm();
};
INSTANTIATE_TEST_SUITE_P(Shapes, DenseShape,
                         testing::Values(RankedShape{5, 5, 5}, RankedShape{7, 3, 3}, RankedShape{3, 7, 3},
                                         RankedShape{6, 6, 2}, RankedShape{8, 5, 3}, RankedShape{4, 9, 2},
                                         RankedShape{1, 5, 1}, RankedShape{5, 1, 1}, RankedShape{1, 1, 1}),
                         [](const auto& p) {
                           return std::to_string(p.param.rows) + "x" + std::to_string(p.param.columns) + "_of_rank_" +
                                  std::to_string(p.param.rank);
                         });

TEST_P(DenseShape, PseudoInverseMeetsTheFourConditionsOfPenrose) {
  const MatrixX X = pseudo_inverse(A);
  ASSERT_EQ(X.rows(), columns);
  ASSERT_EQ(X.cols(), rows);
  const MatrixX onto_range = A * X;
  const MatrixX onto_rows = X * A;
  EXPECT_LE((A * X * A - A).norm(), 1e-12 * size);
  EXPECT_LE((X * A * X - X).norm(), 1e-12 * X.norm());
  EXPECT_LE((onto_range - onto_range.transpose()).norm(), 1e-12);
  EXPECT_LE((onto_rows - onto_rows.transpose()).norm(), 1e-12);
}

TEST_P(DenseShape, PseudoInverseCommutesWithTransposesUnitsAndItself) {
  const MatrixX X = pseudo_inverse(A);
  EXPECT_LE((pseudo_inverse(A.transpose()) - X.transpose()).norm(), 1e-12 * X.norm());
  EXPECT_LE((pseudo_inverse(X) - A).norm(), 1e-11 * size);
  for (const double unit : {1e-9, 1e9})
    EXPECT_LE((unit * pseudo_inverse(unit * A) - X).norm(), 1e-12 * X.norm()) << "the rank is relative";
}

// Least squares, and of all of them the shortest.
TEST_P(DenseShape, PseudoInverseGivesTheShortestOfTheNearestSolutions) {
  const MatrixX B = whole_numbers(rows, 3, 7);
  const MatrixX solution = pseudo_inverse(A) * B;
  EXPECT_LE((A.transpose() * (A * solution - B)).norm(), 1e-11 * size * B.norm());
  EXPECT_LE((null_space(A, threshold).transpose() * solution).norm(), 1e-12 * (1 + solution.norm()));
}

TEST_P(DenseShape, RankIsThatOfTheTransposeInAnyUnit) {
  EXPECT_EQ(rank(A, threshold), full);
  EXPECT_EQ(rank(A.transpose(), threshold), full);
  EXPECT_EQ(rank(1e-12 * A, threshold), full);
  EXPECT_EQ(rank(1e12 * A, threshold), full);
  EXPECT_EQ(orthonormal_range(A).cols(), full);
}

TEST_P(DenseShape, RowsAndNullSpaceDivideTheDomain) {
  const MatrixX N = null_space(A, threshold);
  const MatrixX R = orthonormal_range(A.transpose());
  ASSERT_EQ(N.cols(), columns - full);
  EXPECT_LE((A * N).norm(), 1e-13 * size);
  EXPECT_LE(far_from_identity(R.transpose() * R), 1e-14 * static_cast<double>(columns));
  EXPECT_LE(far_from_identity(R * R.transpose() + N * N.transpose()), 1e-13);
}

TEST_P(DenseShape, ComplementIsTheNullSpaceOfTheTranspose) {
  const MatrixX C = orthonormal_complement(A, threshold);
  const MatrixX N = null_space(A.transpose(), threshold);
  ASSERT_EQ(C.cols(), N.cols());
  EXPECT_LE(far_from_identity(C.transpose() * C), 1e-13);
  EXPECT_LE((C * C.transpose() - N * N.transpose()).norm(), 1e-13) << "one space, whatever the basis";
}

TEST_P(DenseShape, LeadingPivotsAreIndependentColumns) {
  std::vector<int> order = pivot_order(A);
  const MatrixX leading = A(Eigen::all, std::vector<int>(order.begin(), order.begin() + full));
  EXPECT_EQ(rank(leading, threshold), full);
  const Eigen::VectorXd lengths = A.colwise().norm();
  EXPECT_DOUBLE_EQ(lengths[order.front()], lengths.maxCoeff());
  std::sort(order.begin(), order.end());
  std::vector<int> all(static_cast<std::size_t>(columns));
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(order, all);
}

// A = Q R: column j of A is made of the first j + 1 columns of Q, without pivoting.
TEST_P(DenseShape, ColumnsOfQMakeTheColumnsOfTheMatrixInTheirOrder) {
  const MatrixX Q = orthonormal_columns(A, rows);
  EXPECT_LE(far_from_identity(Q * Q.transpose()), 1e-13);
  const MatrixX R = Q.transpose() * A;
  for (Eigen::Index j = 0; j < columns; ++j)
    for (Eigen::Index i = j + 1; i < rows; ++i) EXPECT_LE(std::abs(R(i, j)), 1e-13 * size) << i << " " << j;
  EXPECT_LE((orthonormal_columns(A, 1) - Q.col(0)).norm(), 1e-15);
}

TEST_P(DenseShape, ProductsWithTransposesAreThoseOfTheColumns) {
  const MatrixX B = whole_numbers(rows, 4, 5);
  const MatrixX P = transposed_product(A, B);
  ASSERT_EQ(P.rows(), columns);
  ASSERT_EQ(P.cols(), 4);
  for (Eigen::Index i = 0; i < columns; ++i)
    for (Eigen::Index j = 0; j < 4; ++j) EXPECT_EQ(P(i, j), A.col(i).dot(B.col(j))) << "whole numbers are exact";
}

TEST(DenseZero, HasRankNoneAndAPseudoInverseOfZeros) {
  const MatrixX zero = MatrixX::Zero(3, 5);
  EXPECT_EQ(rank(zero, 1e-9), 0);
  EXPECT_EQ(orthonormal_range(zero).cols(), 0);
  EXPECT_EQ(pseudo_inverse(zero), MatrixX(MatrixX::Zero(5, 3)));
  EXPECT_LE(far_from_identity(null_space(zero, 1e-9).transpose() * null_space(zero, 1e-9)), 1e-14);
  EXPECT_EQ(null_space(zero, 1e-9).cols(), 5);
  EXPECT_EQ(orthonormal_complement(zero, 1e-9).cols(), 3);
}

}  // namespace
}  // namespace polhode::math
