// SPDX-License-Identifier: BSD-3-Clause
// Columns that depend on the others, by a sparse elimination.
#include "polhode/math/sparse_pivots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "polhode/math/dense.hpp"

namespace polhode::math {
namespace {

std::vector<SparseRow> rows_of(const MatrixX& A) {
  std::vector<SparseRow> rows(static_cast<std::size_t>(A.rows()));
  for (int r = 0; r < A.rows(); ++r)
    for (int c = 0; c < A.cols(); ++c)
      if (A(r, c) != 0) rows[static_cast<std::size_t>(r)].push_back({c, A(r, c)});
  return rows;
}

// A third of the entries are not zero.
MatrixX random_sparse(int rows, int columns, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  MatrixX A = MatrixX::Zero(rows, columns);
  for (double& value : A.reshaped())
    if (uniform(random) > 1.0 / 3) value = uniform(random);
  return A;
}

TEST(SparsePivots, ColumnsOfIndependentRowsMakeARegularMatrix) {
  std::mt19937 random(1);
  for (int i = 0; i < 20; ++i) {
    const MatrixX A = random_sparse(12, 30, random);
    const std::vector<int> pivots = sparse_pivots(rows_of(A), 30);
    ASSERT_EQ(pivots.size(), 12u);
    EXPECT_EQ(rank(A(Eigen::all, pivots), 1e-10), 12);
  }
}

TEST(SparsePivots, DependentRowsHaveNone) {
  std::mt19937 random(2);
  for (int i = 0; i < 20; ++i) {
    MatrixX A = random_sparse(10, 25, random);
    A.row(4) = 2 * A.row(1) - 0.5 * A.row(8);
    A.row(7).setZero();
    const std::vector<int> pivots = sparse_pivots(rows_of(A), 25);
    ASSERT_EQ(pivots.size(), 8u);
    EXPECT_EQ(rank(A(Eigen::all, pivots), 1e-10), 8);
  }
}

TEST(SparsePivots, SmallEntriesAreNotChosenForTheSakeOfSparsity) {
  MatrixX A(2, 3);
  A << 1e-3, 1, 0,  //
      0, 1, 1;
  const std::vector<int> pivots = sparse_pivots(rows_of(A), 3);
  EXPECT_EQ(std::count(pivots.begin(), pivots.end(), 0), 0);
}

// Each row has a column of its own, and shares one with the next.
TEST(SparsePivots, RowsOfALongChainHaveAColumnEach) {
  constexpr int count = 20000;
  std::vector<SparseRow> rows;
  for (int i = 0; i < count; ++i) rows.push_back({{2 * i, 0.5}, {2 * i + 1, 1}, {2 * i + 3, 1}});
  std::vector<int> pivots = sparse_pivots(rows, 2 * count + 2);
  EXPECT_EQ(pivots.size(), static_cast<std::size_t>(count));
  std::sort(pivots.begin(), pivots.end());
  EXPECT_EQ(std::adjacent_find(pivots.begin(), pivots.end()), pivots.end());
}

TEST(SparsePivots, NoRowsHaveNoPivots) { EXPECT_TRUE(sparse_pivots({}, 4).empty()); }

}  // namespace
}  // namespace polhode::math
