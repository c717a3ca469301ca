// SPDX-License-Identifier: BSD-3-Clause
// Where the numbers of a factor of small blocks are kept, and what updates what.
//
// A block is a node (six unknowns or fewer) or a group of constraint equations. Positions count blocks in the order of
// elimination. The neighbours of a position are the later positions that its column of the factor L has blocks in, and
// by symmetry of the pattern its row of U, too.
#pragma once
#include <vector>

#include "polhode/assembly/linear/block_order.hpp"

namespace polhode::assembly {

struct BlockLayout {
  static constexpr int width = BlockOrder::width;

  // Where a block is: its first value among those of the matrix, or -1 - its number among the own blocks.
  using Place = int;
  struct Neighbour {
    int block;    // position
    Place lower;  // L block (neighbour, this)
    Place upper;  // U block (this, neighbour)
  };
  // Values of the matrix that go into an own block before elimination.
  struct Copy {
    int from;    // the first of them
    int stride;  // from one column to the next
    int block;   // number of the own block
    int rows;
    int columns;
  };

  // `in_place`: blocks that the matrix keeps whole, 6x6 by columns, get no own block. The order has to have a count of
  // operations.
  BlockLayout(const SparseMatrix& matrix, const BlockOrder& order, bool in_place);

  int own_blocks() const { return own_start.back(); }

  int count = 0;               // of blocks
  std::vector<int> first;      // unknown, by position
  std::vector<int> size;       // number of unknowns, by position
  std::vector<char> is_group;  // by position: of constraint equations
  std::vector<int> start;      // neighbours of position p: [start[p], start[p + 1])
  std::vector<Neighbour> neighbours;
  std::vector<Place> diagonal;  // by position: its block, which becomes its inverse
  // For each position, for each pair of its neighbours (row, column): the block that they update.
  std::vector<Place> targets;
  std::vector<int> target_start;  // by position
  // Own blocks of a position stand together, and are filled just before they are needed, so that each travels once
  // through the processor's cache.
  std::vector<int> own_start;  // by position
  std::vector<Copy> copies;
  std::vector<int> copy_start;  // by position
  std::vector<char> partial;    // by position: copies do not fill all of its own blocks

 private:
  void give_places(const SparseMatrix& matrix, bool in_place);
  void find_targets();
  void find_copies(const SparseMatrix& matrix);
  Place& place_of(int row, int column);  // of a block, by positions
  template <class Use>
  void each_block(const SparseMatrix& matrix, const Use& use) const;
};

}  // namespace polhode::assembly
