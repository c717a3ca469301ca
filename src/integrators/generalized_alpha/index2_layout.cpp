// SPDX-License-Identifier: BSD-3-Clause
// Pattern of the index-2 matrix, and the copies that fill it.
#include "polhode/integrators/generalized_alpha/index2_layout.hpp"

#include <algorithm>

namespace polhode::integrators {
namespace {

// The unknowns of a node, by each p of it.
struct OwnNode {
  int begin;
  int end;
};

// Numbers the unknowns group by group.
std::vector<OwnNode> add_blocks(const assembly::SparseMatrix& S, int k, Index2Layout& layout) {
  std::vector<OwnNode> own;
  std::vector<int> starts_p;
  std::vector<int> starts_lambda;
  std::vector<int> nodes_of_p;
  assembly::SparsePattern& made = layout.pattern;
  layout.p_place.assign(static_cast<std::size_t>(k), -1);
  int next = k;
  for (std::size_t b = 0; b + 1 < S.block_start.size(); ++b) {
    const int begin = S.block_start[b];
    const int end = S.block_start[b + 1];
    if (begin >= k) {
      starts_lambda.push_back(begin - k);
      continue;
    }
    layout.leaders.push_back(static_cast<int>(made.block_start.size()));
    made.block_start.push_back(begin);
    if (S.row[S.column_start[begin + 1] - 1] < k) continue;  // no constraint touches it
    starts_p.push_back(next);
    nodes_of_p.push_back(layout.leaders.back());
    for (int j = begin; j < end; ++j) {
      layout.p_place[j] = next++;
      own.push_back({begin, end});
    }
  }
  const int rows = S.size - k;
  layout.first_lambda = next;
  layout.first_eta = next + rows;
  made.size = layout.first_eta + rows;
  made.late = layout.first_lambda;
  made.block_start.insert(made.block_start.end(), starts_p.begin(), starts_p.end());
  for (const int start : starts_lambda) made.block_start.push_back(layout.first_lambda + start);
  for (const int start : starts_lambda) made.block_start.push_back(layout.first_eta + start);
  made.block_start.push_back(made.size);
  layout.leaders.insert(layout.leaders.end(), nodes_of_p.begin(), nodes_of_p.end());
  const int first_group = static_cast<int>(layout.leaders.size());
  const int groups = static_cast<int>(starts_lambda.size());
  for (int i = 0; i < 2 * groups; ++i) layout.leaders.push_back(first_group + i % groups);
  return own;
}

enum class ColumnOf { x, p, lambda, eta };

// From the column of S, rows ascending.
void add_column(const assembly::SparseMatrix& S, int k, const std::vector<OwnNode>& own, ColumnOf part, int column,
                Index2Layout& layout) {
  std::vector<int>& made = layout.pattern.row;
  const auto rows = S.row.subspan(S.column_start[column], S.column_start[column + 1] - S.column_start[column]);
  for (const int i : rows)
    if (i < k) made.push_back(i);
  if (part == ColumnOf::p) {
    const OwnNode& node = own[layout.p_place[column] - k];
    for (int i = node.begin; i < node.end; ++i) made.push_back(layout.p_place[i]);
  } else if (part != ColumnOf::lambda) {
    for (const int i : rows)
      if (i < k && layout.p_place[i] >= 0) made.push_back(layout.p_place[i]);
  }
  if (part == ColumnOf::x || part == ColumnOf::lambda)
    for (const int i : rows)
      if (i >= k) made.push_back(layout.first_lambda + i - k);
  if (part != ColumnOf::lambda)
    for (const int i : rows)
      if (i >= k) made.push_back(layout.first_eta + i - k);
  layout.pattern.column_start.push_back(static_cast<int>(made.size()));
}

// Entry by entry of the system's matrix, where it goes in the large one: `first` has A, B T and B^T of the first
// linearization, `second` A_0 and B, `velocity` the difference of rows four and three, `normal` -B_n^T. Places are
// searched once, and each iteration copies by lists.
void add_copies(const assembly::SparseMatrix& S, int k, Index2Layout& layout) {
  const std::vector<int>& p_place = layout.p_place;
  for (int j = 0; j < S.size; ++j)
    for (int p = S.column_start[j]; p < S.column_start[j + 1]; ++p) {
      const int i = S.row[p];
      const int from = S.place_of(p);
      const int lambda_i = layout.first_lambda + i - k;
      const int eta_i = layout.first_eta + i - k;
      const int lambda_j = layout.first_lambda + j - k;
      const int eta_j = layout.first_eta + j - k;
      if (j < k && i < k) {
        layout.first.push_back({from, layout.entry(i, j)});
        if (p_place[j] >= 0) layout.second.push_back({from, layout.entry(i, p_place[j])});
      } else if (j < k) {
        layout.first.push_back({from, layout.entry(lambda_i, j)});
        layout.second.push_back({from, layout.entry(eta_i, p_place[j])});
        layout.velocity.push_back({from, layout.entry(lambda_i, j), layout.entry(eta_i, j)});
      } else if (i < k) {
        layout.first.push_back({from, layout.entry(i, lambda_j)});
        layout.normal.push_back({from, layout.entry(p_place[i], eta_j), i});
      } else {  // of dropped constraint equations: identity
        layout.first.push_back({from, layout.entry(lambda_i, lambda_j)});
        layout.second.push_back({from, layout.entry(eta_i, eta_j)});
      }
    }
}

}  // namespace

// Rows of a column are ascending.
int Index2Layout::entry(int row, int column) const {
  const auto begin = pattern.row.begin() + pattern.column_start[column];
  const auto end = pattern.row.begin() + pattern.column_start[column + 1];
  return static_cast<int>(std::lower_bound(begin, end, row) - pattern.row.begin());
}

Index2Layout make_index2_layout(const assembly::SparseMatrix& S, int k) {
  Index2Layout layout;
  const std::vector<OwnNode> own = add_blocks(S, k, layout);
  layout.pattern.column_start.assign(1, 0);
  for (int j = 0; j < k; ++j) add_column(S, k, own, ColumnOf::x, j, layout);
  for (int j = 0; j < k; ++j)
    if (layout.p_place[j] >= 0) add_column(S, k, own, ColumnOf::p, j, layout);
  for (int j = k; j < S.size; ++j) add_column(S, k, own, ColumnOf::lambda, j, layout);
  for (int j = k; j < S.size; ++j) add_column(S, k, own, ColumnOf::eta, j, layout);
  add_copies(S, k, layout);
  return layout;
}

}  // namespace polhode::integrators
