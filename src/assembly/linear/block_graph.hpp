// SPDX-License-Identifier: BSD-3-Clause
// Blocks of a matrix as a graph.
#pragma once
#include <span>
#include <vector>

#include "polhode/assembly/sparse.hpp"

namespace polhode::assembly {

struct BlockGraph {
  explicit BlockGraph(const PatternView& matrix);

  int count() const { return static_cast<int>(size.size()); }
  std::span<const int> neighbours(int block) const {
    return std::span(rows).subspan(start[block], start[block + 1] - start[block]);
  }

  // Blocks that a block is coupled with, itself where it has a diagonal: rows[start[b] ... start[b + 1]).
  std::vector<int> start{0};
  std::vector<int> rows;
  std::vector<int> size;       // number of unknowns
  std::vector<char> is_group;  // of constraint equations: without a diagonal that elimination could begin with
};

}  // namespace polhode::assembly
