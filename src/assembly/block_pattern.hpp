// SPDX-License-Identifier: BSD-3-Clause
// The sparsity pattern of a system while it is made: which blocks are coupled, and where their values are kept.
//
// Blocks are the nodes, then one group of rows for each element with constraints; an element couples all its blocks.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "polhode/assembly/sparse.hpp"
#include "polhode/model/batch_base.hpp"

namespace polhode::assembly {

class BlockPattern {
 public:
  using Batches = std::vector<std::unique_ptr<model::BatchBase>>;
  // `free_unknowns`: of all nodes; constraint rows follow them, as the batches have numbered them.
  // `couplings`: pairs of blocks that are coupled besides.
  // `with_row_diagonals`: room for ones in the diagonal of constraint rows, of models that may drop some.
  BlockPattern(std::span<const model::NodeUnknowns> unknowns, const Batches& batches,
               std::span<const std::pair<int, int>> couplings, int free_unknowns, bool with_row_diagonals);

  // Of a matrix of `size` rows.
  SparsePattern pattern(int size) const;
  // Tells the elements where the numbers of their blocks are kept.
  void set_slots(const Batches& batches) const;
  // Where the values of two coupled blocks begin; -1 where one of them has no unknowns.
  int place_of_coupling(int row, int column) const {
    return count_[row] == 0 || count_[column] == 0 ? -1 : place_of(column, row);
  }
  // First value kept with each node, and the end of those of the last: values of constraint rows follow.
  const std::vector<int>& value_start() const { return value_start_; }

 private:
  void couple(const Batches& batches, std::span<const std::pair<int, int>> couplings, bool with_row_diagonals);
  void place_blocks();
  int place_of(int column, int row) const;  // of a block, by numbers of blocks that are coupled
  // Of blocks in the rows of `block`, from one column to the next.
  int stride_of(int block) const { return block < nodes_ ? count_[block] : math::column_width(count_[block]); }

  int nodes_;
  int free_;
  std::vector<int> first_;                    // unknown of each block
  std::vector<int> count_;                    // unknowns of each block; 0 of nodes that are fixed
  std::vector<std::vector<int>> neighbours_;  // of each block, ascending; with itself where it has a diagonal
  std::vector<std::vector<int>> places_;      // where the values of the blocks (neighbour, block) begin
  std::vector<int> value_start_;
  int values_ = 0;
};

}  // namespace polhode::assembly
