// SPDX-License-Identifier: BSD-3-Clause
// Where entries of [M B^T; B 0] stand.
#include "polhode/integrators/rosenbrock/jacobian_places.hpp"

#include <algorithm>

#include "polhode/assembly/block_columns.hpp"

namespace polhode::integrators {
namespace {

using Range = JacobianPlaces::Range;

// Places that follow each other are one range.
std::vector<Range> ranges_of(std::vector<int> places) {
  std::sort(places.begin(), places.end());
  std::vector<Range> made;
  for (const int p : places)
    if (!made.empty() && made.back().end == p)
      ++made.back().end;
    else
      made.push_back({p, p + 1});
  return made;
}

// What is left of so many places.
std::vector<Range> ranges_between(const std::vector<Range>& ranges, int count) {
  std::vector<Range> made;
  int next = 0;
  for (const auto& [begin, end] : ranges) {
    if (begin > next) made.push_back({next, begin});
    next = end;
  }
  if (count > next) made.push_back({next, count});
  return made;
}

}  // namespace

JacobianPlaces::JacobianPlaces(const assembly::System& system, const assembly::SparseMatrix& X)
    : unknowns(system.free_unknowns()), equations(system.rows()), nodes(system.nodes()) {
  const auto entry_of = [&](int row, int column) {
    const auto begin = X.row.begin() + X.column_start[column];
    const auto end = X.row.begin() + X.column_start[column + 1];
    const auto at = std::lower_bound(begin, end, row);
    return at != end && *at == row ? static_cast<int>(at - X.row.begin()) : -1;
  };
  std::vector<int> node_of(static_cast<std::size_t>(unknowns));
  for (std::size_t i = 1; i < system.nodes(); ++i)
    for (int k = 0; k < system.unknowns()[i].count; ++k) node_of[system.unknowns()[i].first + k] = static_cast<int>(i);
  std::vector<int> places;
  std::vector<int> above;  // of B^T
  for (int column = 0; column < X.size; ++column)
    for (int p = X.column_start[column]; p < X.column_start[column + 1] && X.row[p] < unknowns; ++p) {
      (column < unknowns ? places : above).push_back(X.place_of(p));
      if (X.row[p] == column) diagonal.push_back(X.place_of(p));
    }
  inner = ranges_of(places);
  places.insert(places.end(), above.begin(), above.end());
  below = ranges_between(ranges_of(places), static_cast<int>(X.values.size()));
  const auto blocks = assembly::block_columns(X);
  const auto first_of = [&](int b) { return X.block_start[b]; };
  const auto size_of = [&](int b) { return X.block_start[b + 1] - X.block_start[b]; };
  const auto place_of = [&](int row, int column) {
    return std::find_if(blocks[column].begin(), blocks[column].end(), [row](const auto& e) { return e.row == row; })
        ->from;
  };
  for (int g = 0; g < static_cast<int>(blocks.size()); ++g) {
    if (first_of(g) < unknowns) continue;
    const int width = size_of(g);
    int above_node = 0;  // entries of a column
    for (int j = 0; j < width; ++j) {
      above_node = 0;
      for (const auto& [b, from] : blocks[g]) {
        if (first_of(b) >= unknowns) continue;
        const int count = size_of(b);
        columns.push_back({.node = node_of[first_of(b)],
                           .row = first_of(g) + j - unknowns,
                           .count = count,
                           .entry = entries + above_node * width + j * count,
                           .place = from + j * count,
                           .mirror = place_of(g, b) + j,
                           .stride = X.stride(first_of(g), width)});
        above_node += count;
      }
    }
    entries += above_node * width;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].fill(-1);
    const model::NodeUnknowns& u = system.unknowns()[i];
    for (int r = 0; r < u.count; ++r)
      for (int c = 0; c < u.count; ++c) nodes[i][r + 6 * c] = X.place_of(entry_of(u.first + r, u.first + c));
  }
}

}  // namespace polhode::integrators
