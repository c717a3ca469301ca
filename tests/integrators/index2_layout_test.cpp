// SPDX-License-Identifier: BSD-3-Clause
// The matrix of the stabilized index-2 formulation against its block form, from matrices with known numbers.
#include "polhode/integrators/generalized_alpha/index2_layout.hpp"

#include <gtest/gtest.h>

#include "integrators/moving_models.hpp"

namespace polhode::support {
namespace {

using assembly::SparseMatrix;
using integrators::Index2Layout;

class LayoutOf : public testing::TestWithParam<MovingModel> {
 protected:
  // Each value the number of its place, from `first` on.
  SparseMatrix numbered(double first) const {
    SparseMatrix S = machine.system.make_matrix();
    for (double& x : S.values) x = first++;
    return S;
  }
  MatrixX dense_layout(const std::vector<double>& values) const {
    MatrixX D = MatrixX::Zero(layout.pattern.size, layout.pattern.size);
    for (int j = 0; j < layout.pattern.size; ++j)
      for (int p = layout.pattern.column_start[j]; p < layout.pattern.column_start[j + 1]; ++p)
        D(layout.pattern.row[p], j) = values[static_cast<std::size_t>(p)];
    return D;
  }
  const Machine machine{GetParam().make()};
  const int n = machine.system.free_unknowns();
  const int m = machine.system.rows();
  const Index2Layout layout = integrators::make_index2_layout(machine.system.make_matrix(), n);
};
INSTANTIATE_TEST_SUITE_P(Models, LayoutOf, testing::ValuesIn(moving_models), name_of_model);

TEST_P(LayoutOf, PatternIsSymmetricWithAscendingRowsAndWholeBlocks) {
  const assembly::SparsePattern& pattern = layout.pattern;
  const MatrixX D = dense_layout(std::vector<double>(pattern.row.size(), 1));
  EXPECT_EQ(D, D.transpose());
  EXPECT_EQ(D.sum(), static_cast<double>(pattern.row.size())) << "no entry stands twice";
  EXPECT_EQ(pattern.block_start.front(), 0);
  EXPECT_EQ(pattern.block_start.back(), pattern.size);
  for (std::size_t b = 0; b + 1 < pattern.block_start.size(); ++b) {
    ASSERT_LT(pattern.block_start[b], pattern.block_start[b + 1]);
    for (int j = pattern.block_start[b] + 1; j < pattern.block_start[b + 1]; ++j)
      EXPECT_EQ(D.col(j), D.col(j - 1)) << "columns of a block have the same rows";
  }
  for (int j = 0; j < pattern.size; ++j)
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p) {
      EXPECT_TRUE(p == pattern.column_start[j] || pattern.row[p] > pattern.row[p - 1]);
      EXPECT_EQ(layout.entry(pattern.row[p], j), p);
    }
}

TEST_P(LayoutOf, OnlyNodesThatConstraintsTouchHaveUnknownsOfTheirOwn) {
  State q = machine.system.initial_state();
  const MatrixX B = m > 0 ? constraint_gradient(machine.system, q) : MatrixX::Zero(0, n);
  int next = n;
  for (std::size_t i = 1; i < machine.system.nodes(); ++i) {
    const model::NodeUnknowns& u = machine.system.unknowns()[i];
    const bool touched = m > 0 && !B.middleCols(u.first, u.count).isZero(0);
    for (int k = 0; k < u.count; ++k) EXPECT_EQ(layout.p_place[u.first + k] >= 0, touched) << i;
    next += touched ? u.count : 0;
  }
  EXPECT_EQ(layout.first_lambda, next);
  EXPECT_EQ(layout.first_eta, next + m);
  EXPECT_EQ(layout.pattern.size, next + 2 * m);
}

// [ A A_0 B^T 0 ; 0 I 0 -W^-1 B_n^T ; B T 0 0 0 ; B + s Z T - B T, B, 0, 0 ] but for the identity, which has no source.
TEST_P(LayoutOf, CopiesMakeTheBlockForm) {
  const SparseMatrix first = numbered(1);
  const SparseMatrix second = numbered(1e4);
  const SparseMatrix normal = numbered(1e8);
  const SparseMatrix velocity = numbered(1e12);
  std::vector<double> values(layout.pattern.row.size(), 0);
  std::vector<int> writes(values.size(), 0);
  const auto copy = [&](const std::vector<Index2Layout::Copy>& copies, const SparseMatrix& from, double sign) {
    for (const Index2Layout::Copy& c : copies) {
      values[static_cast<std::size_t>(c.to)] = sign * from.values[static_cast<std::size_t>(c.from)];
      ++writes[static_cast<std::size_t>(c.to)];
    }
  };
  copy(layout.first, first, 1);
  copy(layout.second, second, 1);
  const auto weight = [](int unknown) { return unknown % 2 == 0 ? 1.0 : 0.25; };
  for (const Index2Layout::WeightedCopy& c : layout.normal) {
    values[static_cast<std::size_t>(c.to)] = -weight(c.unknown) * normal.values[static_cast<std::size_t>(c.from)];
    ++writes[static_cast<std::size_t>(c.to)];
  }
  EXPECT_LE(*std::max_element(writes.begin(), writes.end()), 1) << "no entry has two sources";
  for (const Index2Layout::Difference& d : layout.velocity)
    values[static_cast<std::size_t>(d.to)] =
        velocity.values[static_cast<std::size_t>(d.from)] - values[static_cast<std::size_t>(d.less)];
  const MatrixX D = dense_layout(values);
  const MatrixX S1 = dense_of(first);
  const MatrixX S2 = dense_of(second);
  const int l = layout.first_lambda;
  const int e = layout.first_eta;
  MatrixX expected = MatrixX::Zero(D.rows(), D.cols());
  expected.topLeftCorner(n, n) = S1.topLeftCorner(n, n);
  expected.block(0, l, n, m) = S1.topRightCorner(n, m);
  expected.block(l, 0, m, n) = S1.bottomLeftCorner(m, n);
  expected.block(l, l, m, m) = S1.bottomRightCorner(m, m);
  expected.block(e, e, m, m) = S2.bottomRightCorner(m, m);
  const MatrixX rates = dense_of(velocity).bottomLeftCorner(m, n);
  expected.block(e, 0, m, n) = (rates.array() != 0).select(rates - S1.bottomLeftCorner(m, n), MatrixX::Zero(m, n));
  for (int j = 0; j < n; ++j) {
    const int p = layout.p_place[static_cast<std::size_t>(j)];
    if (p < 0) continue;
    expected.block(0, p, n, 1) = S2.block(0, j, n, 1);
    expected.block(e, p, m, 1) = S2.block(n, j, m, 1);
    expected.block(p, e, 1, m) = -weight(j) * dense_of(normal).block(j, n, 1, m);
  }
  EXPECT_EQ(D, expected);
}

}  // namespace
}  // namespace polhode::support
