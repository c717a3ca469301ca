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

  // Where a block is: its first value among those of the matrix, or -1 - its first one among the own values. Blocks are
  // dense by columns: six numbers a column, four where they have at most four rows (then they are own ones).
  using Place = int;
  struct Neighbour {
    int block;    // position
    Place lower;  // L block (neighbour, this)
    Place upper;  // U block (this, neighbour)
    // Where what is summed up by positions is updated, such as right-hand sides: at its position, or, where a task
    // updates the top, in a slot of the subtree's own, from `count` on.
    int slot;
  };
  // Values of the matrix that go into an own block before elimination.
  struct Copy {
    int from;    // the first of them
    int stride;  // from one column to the next
    int to;      // own value
    int rows;
    int columns;
  };

  // A range of own values.
  struct Range {
    int begin;
    int end;
  };
  // Own values of a subtree in a task, to be added to a block of the top.
  struct HandedOn {
    int from;
    Place to;
    int values;
    int slot;           // of a block on the diagonal; -1: of another
    bool shows_groups;  // a block on the diagonal that groups of constraint equations have updated
  };

  // What changes a row of the top: the pivot's position, and which of its neighbours the row is.
  struct Update {
    int position;
    int neighbour;
  };

  // `in_place`: blocks of six rows that the matrix keeps dense by columns get no own block. The order has to have a
  // count of operations.
  BlockLayout(const SparseMatrix& matrix, const BlockOrder& order, bool in_place);

  // Of the block of these positions.
  int values_of(int row, int column) const { return stride_of(row) * size[column]; }
  int stride_of(int row) const { return BlockOrder::stride(size[row]); }

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
  // through the processor's cache: by copies, or with zeros where elimination alone makes them.
  int own_values = 0;
  std::vector<Copy> copies;
  std::vector<int> copy_start;  // by position
  std::vector<Range> fill_in;
  std::vector<int> fill_start;  // by position
  // Subtrees of tasks update blocks of the top in memory of their own, so that tasks share nothing. It is added in the
  // order of the subtrees.
  int top = 0;                      // position
  std::vector<int> task_begin;      // positions; at the end, the top
  std::vector<double> task_places;  // for math::in_parallel()
  std::vector<Range> task_own;      // by task: own values to be cleared at its begin
  std::vector<HandedOn> handed_on;
  std::vector<int> handed_on_start;  // by position, counted from the top: to blocks of its own
  std::vector<int> slots;            // from `count` on: positions of the top
  std::vector<int> slot_begin;       // by task, from 0 on; at the end, number of slots
  // By position of the top, counted from it; pivots ascending. Empty where most of its work is too narrow for threads.
  std::vector<Update> updates;
  std::vector<int> updates_start;

 private:
  // A subtree while its targets are found.
  struct Subtree;
  void give_places(const SparseMatrix& matrix, bool in_place);
  void find_targets(const BlockOrder& order);
  Subtree begin_subtree(int root);
  void add_targets_of_task(int position, Subtree& subtree);
  void hand_on(const Subtree& subtree);
  void sort_handed_on();
  void find_updates();
  void find_copies(const SparseMatrix& matrix);
  Place& place_of(int row, int column);  // of a block, by positions
  template <class Use>
  void each_block(const SparseMatrix& matrix, const Use& use) const;
};

}  // namespace polhode::assembly
