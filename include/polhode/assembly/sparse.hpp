// SPDX-License-Identifier: BSD-3-Clause
// A square sparse matrix in compressed columns, its pattern fixed and shared, its values changing.
#pragma once
#include <limits>
#include <span>
#include <vector>

#include "polhode/math/large_vector.hpp"

namespace polhode::assembly {

struct SparsePattern {
  int size = 0;
  std::vector<int> column_start;  // size + 1
  std::vector<int> row;           // ascending in each column
  // Where given: first unknown of each group of unknowns that belong together (nodes, rows of a joint), and size at the
  // end. All columns of a group have the same rows, whole groups.
  std::vector<int> block_start;
  int late = std::numeric_limits<int>::max();  // groups from this unknown on (constraints) want to be eliminated after
                                               // the others
};

// The parts of its pattern, which has to outlive it, and the values, zero at first.
struct SparseMatrix {
  explicit SparseMatrix(const SparsePattern& p)
      : size(p.size),
        column_start(p.column_start),
        row(p.row),
        block_start(p.block_start),
        late(p.late),
        value(p.row.size(), 0.0) {}

  int size;
  std::span<const int> column_start, row, block_start;
  int late;
  math::LargeVector<double> value;
};

}  // namespace polhode::assembly
