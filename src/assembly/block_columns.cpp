// SPDX-License-Identifier: BSD-3-Clause
// Blocks of columns.
#include "polhode/assembly/block_columns.hpp"

#include <algorithm>

namespace polhode::assembly {

// All columns of a block have the same rows, whole blocks: the first one counts.
std::vector<std::vector<BlockEntry>> block_columns(const SparseMatrix& matrix) {
  const std::span<const int> start = matrix.block_start;
  std::vector<int> block_of(static_cast<std::size_t>(matrix.size));
  std::vector<std::vector<BlockEntry>> columns(start.size() - 1);
  for (std::size_t b = 0; b < columns.size(); ++b)
    std::fill(block_of.begin() + start[b], block_of.begin() + start[b + 1], static_cast<int>(b));
  for (std::size_t b = 0; b < columns.size(); ++b)
    for (int p = matrix.column_start[start[b]]; p < matrix.column_start[start[b] + 1];) {
      const int row = block_of[matrix.row[p]];
      columns[b].push_back({row, matrix.place_of(p)});
      p += start[row + 1] - start[row];
    }
  return columns;
}

}  // namespace polhode::assembly
