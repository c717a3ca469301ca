// SPDX-License-Identifier: BSD-3-Clause
// Where entries of [M B^T; B 0] stand.
#include "polhode/integrators/rosenbrock/jacobian_places.hpp"

#include <algorithm>

namespace polhode::integrators {

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
  for (int column = 0; column < unknowns; ++column)
    for (int p = X.column_start[column]; p < X.column_start[column + 1] && X.row[p] < unknowns; ++p) {
      places.push_back(X.place_of(p));
      if (X.row[p] == column) diagonal.push_back(X.place_of(p));
    }
  std::sort(places.begin(), places.end());
  for (const int p : places)
    if (!inner.empty() && inner.back().end == p)
      ++inner.back().end;
    else
      inner.push_back({p, p + 1});
  for (int column = unknowns; column < X.size; ++column)
    for (int p = X.column_start[column]; p < X.column_start[column + 1] && X.row[p] < unknowns;) {
      const int node = node_of[X.row[p]];
      const int count = system.unknowns()[node].count;
      columns.push_back({node, static_cast<int>(rows.size())});
      for (int k = 0; k < count; ++k, ++p)
        rows.push_back({X.place_of(p), X.place_of(entry_of(column, X.row[p])), column - unknowns});
    }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].fill(-1);
    const model::NodeUnknowns& u = system.unknowns()[i];
    for (int r = 0; r < u.count; ++r)
      for (int c = 0; c < u.count; ++c) nodes[i][r + 6 * c] = X.place_of(entry_of(u.first + r, u.first + c));
  }
}

}  // namespace polhode::integrators
