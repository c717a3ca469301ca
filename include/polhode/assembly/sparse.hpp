// SPDX-License-Identifier: BSD-3-Clause
// A square sparse matrix in compressed columns, its pattern fixed, its values changing.
#pragma once
#include <vector>

namespace polhode::assembly {

struct SparseMatrix {
  int size = 0;
  std::vector<int> column_start;  // size + 1
  std::vector<int> row;           // ascending in each column
  std::vector<double> value;
  // Where given: first unknown of each group of unknowns that belong together (nodes, rows of a joint), and size at the
  // end. All columns of a group have the same rows, whole groups.
  std::vector<int> block_start;
};

}  // namespace polhode::assembly
