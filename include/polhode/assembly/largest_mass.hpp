// SPDX-License-Identifier: BSD-3-Clause
// A mass of the model, for what has to be free of its units.
#pragma once
#include <algorithm>

#include "polhode/assembly/system.hpp"

namespace polhode::assembly {

// The largest mass that a node has, kg: of the diagonal of M over the translations. 0 where no node can move.
// `matrix` is one of the system, set with {.m = 1}, K and C without a part. Allocates nothing.
inline double largest_mass(const System& system, const SparseMatrix& matrix) {
  double largest = 0;
  for (const model::NodeUnknowns& node : system.unknowns())
    for (int i = 0; i < 3; ++i) {
      if (node.local[i] < 0) continue;
      const int j = node.first + node.local[i];
      for (int p = matrix.column_start[j]; p < matrix.column_start[j + 1]; ++p)
        if (matrix.row[p] == j) largest = std::max(largest, matrix.at(p));
    }
  return largest;
}

}  // namespace polhode::assembly
