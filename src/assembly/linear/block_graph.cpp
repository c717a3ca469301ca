// SPDX-License-Identifier: BSD-3-Clause
// Neighbours of blocks, from the columns of a matrix.
#include "block_graph.hpp"

#include <algorithm>

namespace polhode::assembly {

// All columns of a block have the same rows: the first one counts.
BlockGraph::BlockGraph(const PatternView& matrix) {
  const int blocks = static_cast<int>(matrix.block_start.size()) - 1;
  std::vector<int> block_of(static_cast<std::size_t>(matrix.size));
  for (int b = 0; b < blocks; ++b) {
    std::fill(block_of.begin() + matrix.block_start[b], block_of.begin() + matrix.block_start[b + 1], b);
    size.push_back(matrix.block_start[b + 1] - matrix.block_start[b]);
  }
  is_group.assign(static_cast<std::size_t>(blocks), 1);
  for (int b = 0; b < blocks; ++b) {
    const int column = matrix.block_start[b];
    for (int p = matrix.column_start[column]; p < matrix.column_start[column + 1];) {
      const int other = block_of[matrix.row[p]];
      if (other == b && column < matrix.late) is_group[b] = 0;
      rows.push_back(other);
      p += size[other];
    }
    start.push_back(static_cast<int>(rows.size()));
  }
}

}  // namespace polhode::assembly
