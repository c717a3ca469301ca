// SPDX-License-Identifier: BSD-3-Clause
// The sparse solver: kept pivots, new ones when they have gone bad, singular matrices.
#include "polhode/assembly/linear/linear_solver.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <deque>
#include <random>

#include "polhode/math/types.hpp"

namespace polhode::assembly {
namespace {

using math::MatrixX;
using math::VectorX;

SparseMatrix full_pattern(int n) {
  static std::deque<SparsePattern> patterns;
  SparsePattern& S = patterns.emplace_back();
  S.size = n;
  S.column_start.push_back(0);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) S.row.push_back(i);
    S.column_start.push_back(static_cast<int>(S.row.size()));
  }
  return SparseMatrix(S);
}

void set(SparseMatrix& S, const MatrixX& A) { S.values.assign(A.data(), A.data() + A.size()); }

// Error of the solution of A x = A (1, 1, ...).
double error(LinearSolver& solver, const MatrixX& A) {
  VectorX x = A * VectorX::Ones(A.rows());
  solver.solve({x.data(), static_cast<std::size_t>(x.size())});
  return (x - VectorX::Ones(A.rows())).lpNorm<Eigen::Infinity>();
}

MatrixX random_matrix(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  return MatrixX::NullaryExpr(n, n, [&] { return number(random); }) + 3 * MatrixX::Identity(n, n);
}

// A node of two unknowns that two constraint equations hold, nearly the same ones, and many nodes beside it.
SparsePattern nearly_redundant_pattern() {
  constexpr int nodes = 2001;
  SparsePattern S;
  S.late = nodes + 1;
  S.size = S.late + 2;
  S.block_start.push_back(0);
  for (int first = 2; first <= S.size; ++first) S.block_start.push_back(first);
  S.column_start.push_back(0);
  for (int j = 0; j < S.size; ++j) {
    if (j < 2 || j >= S.late) S.row.insert(S.row.end(), {0, 1});
    if (j < 2) S.row.insert(S.row.end(), {S.late, S.late + 1});
    if (j >= 2 && j < S.late) S.row.push_back(j);
    S.column_start.push_back(static_cast<int>(S.row.size()));
  }
  return S;
}

// Factorizes and solves where `left` of the second equation is left behind the first; whether blocks were enough.
bool keeps_blocks(double left, bool is_iterated) {
  const SparsePattern pattern = nearly_redundant_pattern();
  const auto value = [&](int row, int column) {
    if (row == column) return 1.0;
    if (row < 2 && column < 2) return 0.0;
    const int unknown = std::min(row, column);
    return unknown == 0 ? 1.0 : std::max(row, column) == pattern.late ? 0.0 : std::sqrt(left);
  };
  SparseMatrix S(pattern);
  LinearSolver solver(S, InPlace{.is_iterated = is_iterated});
  const auto set_values = [&] {
    for (int j = 0; j < S.size; ++j)
      for (int p = S.column_start[j]; p < S.column_start[j + 1]; ++p) S.at(p) = value(S.row[p], j);
  };
  EXPECT_TRUE(solver.factorize(set_values));
  const bool kept = solver.uses_blocks();
  set_values();
  VectorX x = VectorX::Zero(S.size);
  for (int j = 0; j < S.size; ++j)
    for (int p = S.column_start[j]; p < S.column_start[j + 1]; ++p) x[S.row[p]] += S.at(p);
  EXPECT_TRUE(solver.factorize());
  solver.solve(x);
  EXPECT_LE((x - VectorX::Ones(S.size)).lpNorm<Eigen::Infinity>(), 1e-8);
  return kept;
}

TEST(LinearSolver, GivesBlocksUpForSmallPivotsSoonerWhereNoIterationMakesThemGood) {
  EXPECT_TRUE(keeps_blocks(1e-6, true));
  EXPECT_TRUE(keeps_blocks(1e-6, false));
  EXPECT_TRUE(keeps_blocks(4e-8, true));
  EXPECT_FALSE(keeps_blocks(4e-8, false));
}

TEST(LinearSolver, KeepsPivotsWhileTheyAreGood) {
  SparseMatrix S = full_pattern(12);
  LinearSolver solver(S);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const MatrixX A = random_matrix(12, 1) + 0.02 * random_matrix(12, seed);
    set(S, A);
    ASSERT_TRUE(solver.factorize());
    EXPECT_LE(error(solver, A), 1e-13);
  }
  EXPECT_EQ(solver.pivot_choices(), 1);
}

// The diagonal, where the first pivots stand, fades away: with the old pivots all digits would be lost.
TEST(LinearSolver, ChoosesNewPivotsWhenTheOldOnesHaveGoneBad) {
  SparseMatrix S = full_pattern(8);
  LinearSolver solver(S);
  const MatrixX cycle =
      MatrixX::NullaryExpr(8, 8, [](Eigen::Index i, Eigen::Index j) { return (i + 1) % 8 == j ? 1.0 : 0.0; });
  for (const double diagonal : {10.0, 1.0, 1e-2, 1e-6, 1e-12, 1e-17, 0.0}) {
    const MatrixX A =
        diagonal * MatrixX::Identity(8, 8) + cycle + 0.01 * random_matrix(8, 3) - 0.03 * MatrixX::Identity(8, 8);
    set(S, A);
    ASSERT_TRUE(solver.factorize()) << diagonal;
    EXPECT_LE(error(solver, A), 1e-12) << diagonal;
  }
  const MatrixX saddle = (MatrixX(2, 2) << 1, 1, 1, 0).finished();  // zero on the diagonal from the start
  SparseMatrix small = full_pattern(2);
  LinearSolver two(small);
  set(small, saddle);
  ASSERT_TRUE(two.factorize());
  for (const double pivot : {1e-5, 1e-10, 1e-18, 0.0}) {
    const MatrixX A = (MatrixX(2, 2) << pivot, 1, 1, 1).finished();
    set(small, A);
    ASSERT_TRUE(two.factorize());
    EXPECT_LE(error(two, A), 1e-13) << pivot;
  }
  EXPECT_GT(two.pivot_choices(), 1);
}

TEST(LinearSolver, ReportsASingularMatrixAndRecovers) {
  SparseMatrix S = full_pattern(6);
  LinearSolver solver(S);
  MatrixX A = random_matrix(6, 2);
  const MatrixX good = A;
  A.col(3).setZero();
  set(S, A);
  EXPECT_FALSE(solver.factorize());
  EXPECT_EQ(solver.singular_column(), 3);
  set(S, good);
  ASSERT_TRUE(solver.factorize());
  EXPECT_LE(error(solver, good), 1e-13);
  A = good;
  A.row(4) = A.row(1);
  set(S, A);
  EXPECT_FALSE(solver.factorize());
}

TEST(LinearSolver, CopesWithRowsOfVeryDifferentSize) {
  SparseMatrix S = full_pattern(10);
  LinearSolver solver(S);
  MatrixX A = random_matrix(10, 4);
  for (int i = 0; i < 10; ++i) A.row(i) *= std::pow(10.0, 3 * i - 15);
  set(S, A);
  ASSERT_TRUE(solver.factorize());
  EXPECT_LE(error(solver, A), 1e-12);
}

}  // namespace
}  // namespace polhode::assembly
