// SPDX-License-Identifier: BSD-3-Clause
// Pattern of a stage's matrix, and the copies that fill it.
#include "polhode/integrators/rosenbrock/stage_layout.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace polhode::integrators {

using assembly::SparseMatrix;

namespace {

// Numbers of the blocks of the stage that belong to a block of the system: p, w, z of a node, or nu, y, x of a group;
// -1 where there is none.
using StageBlocks = std::array<int, 3>;

// Pairs (row, column) of what couples two nodes, two different ones or one with itself, of what couples a node (row)
// with a group, and of what is in the rows of a group by itself. The entries, and those that symmetry adds.
constexpr std::pair<int, int> between_positions[] = {{0, 0}};
constexpr std::pair<int, int> between_nodes[] = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {2, 0}};
constexpr std::pair<int, int> within_node[] = {{1, 1}, {2, 2}};
constexpr std::pair<int, int> node_and_group[] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
constexpr std::pair<int, int> within_group[] = {{0, 0}, {1, 1}, {2, 2}};

// Which blocks have entries in the columns of each block, ascending.
class BlockCouplings {
 public:
  explicit BlockCouplings(std::size_t blocks) : rows_(blocks) {}
  void add(const StageBlocks& row, const StageBlocks& column, std::span<const std::pair<int, int>> pairs) {
    for (const auto& [r, c] : pairs)
      if (row[r] >= 0 && column[c] >= 0) rows_[static_cast<std::size_t>(column[c])].push_back(row[r]);
  }
  // Node and group, both ways.
  void add_both(const StageBlocks& node, const StageBlocks& group) {
    for (const auto& [n, g] : node_and_group) {
      if (node[n] < 0) continue;
      rows_[static_cast<std::size_t>(group[g])].push_back(node[n]);
      rows_[static_cast<std::size_t>(node[n])].push_back(group[g]);
    }
  }
  const std::vector<int>& of(int column) {
    std::vector<int>& list = rows_[static_cast<std::size_t>(column)];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }

 private:
  std::vector<std::vector<int>> rows_;
};

}  // namespace

StageLayout::StageLayout(const JacobianPlaces& places, const SparseMatrix& X, std::span<const char> by_rates) {
  number(places, X);
  find_rates(X, by_rates);
  set_pattern(X);
  add_node_copies(places, X);
  add_constraint_copies(places);
}

// Rows of a column are ascending.
int StageLayout::entry(int row, int column) const {
  const auto begin = pattern.row.begin() + pattern.column_start[column];
  const auto end = pattern.row.begin() + pattern.column_start[column + 1];
  return static_cast<int>(std::lower_bound(begin, end, row) - pattern.row.begin());
}

// First the nodes, in the order of the system, then w of those that constraints touch, then z, and so on.
void StageLayout::number(const JacobianPlaces& places, const SparseMatrix& X) {
  const int n = places.unknowns;
  const int m = places.equations;
  std::vector<int> nodes;   // blocks of the system
  std::vector<int> groups;  // first equations
  w_place.assign(static_cast<std::size_t>(n), -1);
  for (int b = 0; b + 1 < static_cast<int>(X.block_start.size()); ++b) {
    const int begin = X.block_start[b];
    if (begin >= n) {
      groups.push_back(begin - n);
      continue;
    }
    leaders.push_back(b);
    pattern.block_start.push_back(begin);
    if (places.column_start[begin] == places.column_start[begin + 1]) continue;
    nodes.push_back(b);
    for (int j = begin; j < X.block_start[b + 1]; ++j) w_place[j] = n + lifts++;
  }
  for (const int first : {0, lifts})
    for (const int b : nodes) {
      leaders.push_back(b);
      pattern.block_start.push_back(first + w_place[X.block_start[b]]);
    }
  first_nu = n + 2 * lifts;
  first_y = first_nu + m;
  first_x = first_y + m;
  const int first_group = static_cast<int>(leaders.size());
  for (const int first : {first_nu, first_y, first_x})
    for (std::size_t g = 0; g < groups.size(); ++g) {
      leaders.push_back(first_group + static_cast<int>(g));
      pattern.block_start.push_back(first + groups[g]);
    }
  pattern.size = first_x + m;
  pattern.late = first_nu;
  pattern.block_start.push_back(pattern.size);
}

void StageLayout::find_rates(const SparseMatrix& X, std::span<const char> by_rates) {
  const int n = static_cast<int>(w_place.size());
  block_begin_.resize(static_cast<std::size_t>(X.size));
  for (std::size_t b = 0; b + 1 < X.block_start.size(); ++b)
    std::fill(block_begin_.begin() + X.block_start[b], block_begin_.begin() + X.block_start[b + 1], X.block_start[b]);
  for (int column = 0; column < n; ++column)
    for (int p = X.column_start[column]; p < X.column_start[column + 1] && X.row[p] < n; ++p) {
      const int a = block_begin_[X.row[p]];
      const int b = block_begin_[column];
      if (a != b && !by_rates.empty() && !by_rates[X.place_of(p)]) continue;
      rates_.insert({a, b});
      rates_.insert({b, a});
    }
}

// Whether the entry depends on velocities, so that stages of another step size change it.
bool StageLayout::has_rates(int row, int column) const {
  return rates_.contains({block_begin_[row], block_begin_[column]});
}

void StageLayout::set_pattern(const SparseMatrix& X) {
  const int n = static_cast<int>(w_place.size());
  const int blocks = static_cast<int>(pattern.block_start.size()) - 1;
  std::vector<int> block_at(static_cast<std::size_t>(pattern.size) + 1, -1);
  for (int b = 0; b < blocks; ++b) block_at[pattern.block_start[b]] = b;
  const auto blocks_of = [&](int first) -> StageBlocks {
    if (first >= n) {
      const int row = first - n;
      return {block_at[first_nu + row], block_at[first_y + row], block_at[first_x + row]};
    }
    const int w = w_place[first];
    if (w < 0) return {block_at[first], -1, -1};
    return {block_at[first], block_at[w], block_at[w + lifts]};
  };
  BlockCouplings couplings(static_cast<std::size_t>(blocks));
  std::vector<char> begins(static_cast<std::size_t>(X.size), 0);
  for (std::size_t b = 0; b + 1 < X.block_start.size(); ++b) begins[X.block_start[b]] = 1;
  for (std::size_t b = 0; b + 1 < X.block_start.size(); ++b) {
    const int column = X.block_start[b];
    const StageBlocks own = blocks_of(column);
    couplings.add(own, own, column < n ? std::span<const std::pair<int, int>>(within_node) : within_group);
    for (int p = X.column_start[column]; p < X.column_start[column + 1]; ++p) {
      const int row = X.row[p];
      if (!begins[row]) continue;
      if (column < n && row < n && has_rates(row, column))
        couplings.add(blocks_of(row), own, between_nodes);
      else if (column < n && row < n)
        couplings.add(blocks_of(row), own, between_positions);
      if (column >= n && row < n) couplings.add_both(blocks_of(row), own);
    }
  }
  pattern.column_start.assign(1, 0);
  for (int b = 0; b < blocks; ++b) {
    const std::vector<int>& rows = couplings.of(b);
    for (int column = pattern.block_start[b]; column < pattern.block_start[b + 1]; ++column) {
      for (const int other : rows)
        for (int i = pattern.block_start[other]; i < pattern.block_start[other + 1]; ++i) pattern.row.push_back(i);
      pattern.column_start.push_back(static_cast<int>(pattern.row.size()));
    }
  }
}

void StageLayout::add_node_copies(const JacobianPlaces& places, const SparseMatrix& X) {
  const int n = places.unknowns;
  for (int column = 0; column < n; ++column)
    for (int p = X.column_start[column]; p < X.column_start[column + 1] && X.row[p] < n; ++p) {
      const int row = X.row[p];
      const int from = X.place_of(p);
      forces_p.push_back({from, entry(row, column)});
      if (w_place[column] < 0) continue;
      if (!has_rates(row, column)) {
        without_rates.push_back(from);
        continue;
      }
      forces_w.push_back({from, entry(row, w_place[column])});
      forces_z.push_back({from, entry(row, w_place[column] + lifts)});
    }
  for (int w = n; w < first_nu; ++w) identity.push_back(entry(w, w));
}

void StageLayout::add_constraint_copies(const JacobianPlaces& places) {
  for (int p = 0; p < places.unknowns; ++p) {
    const int w = w_place[p];
    const int z = w + lifts;
    for (int i = places.column_start[p]; i < places.column_start[p + 1]; ++i) {
      const int index = places.by_column[i];
      const JacobianPlaces::Row& at = places.rows[index];
      const int nu = first_nu + at.row;
      const int y = first_y + at.row;
      const int x = first_x + at.row;
      forces_nu.push_back({at.place, entry(p, nu)});
      gradient.push_back({at.mirror, entry(nu, p)});
      gradient.push_back({at.mirror, entry(y, w)});
      gradient.push_back({at.mirror, entry(x, z)});
      velocities_p.push_back({at.mirror, entry(y, p)});
      accelerations_p.push_back({at.mirror, entry(x, p)});
      accelerations_w.push_back({at.mirror, entry(x, w)});
      lift.push_back({index, entry(w, y)});
      lift.push_back({index, entry(z, x)});
    }
  }
  for (int row = 0; row < places.equations; ++row) {
    const int nu = first_nu + row;
    const int y = first_y + row;
    const int x = first_x + row;
    holds.push_back({entry(nu, nu), entry(y, y), entry(x, x)});
  }
}

}  // namespace polhode::integrators
