// SPDX-License-Identifier: BSD-3-Clause
// Blocks of a matrix by columns, for those who lay out larger matrices from them.
#pragma once
#include <vector>

#include "polhode/assembly/sparse.hpp"

namespace polhode::assembly {

struct BlockEntry {
  int row;   // block
  int from;  // its first value
};

// By block of columns: the blocks that it has, ascending. Blocks are those of SparsePattern::block_start.
std::vector<std::vector<BlockEntry>> block_columns(const SparseMatrix& matrix);

}  // namespace polhode::assembly
