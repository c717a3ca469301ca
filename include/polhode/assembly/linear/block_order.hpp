// SPDX-License-Identifier: BSD-3-Clause
// In which order a matrix of small blocks is eliminated, and what that costs: order, symbolic factor, operations.
//
// Blocks are nodes and groups of constraint equations, which have no diagonal of their own: -B A^-1 B^T, after a node
// that the group acts on. A spanning forest of the nodes, with groups as its edges and the ground as a root, pairs each
// group with the node at its far end, which it then follows at once, as in Baraff (1996). A row or a tree of bodies has
// no fill so, whereas all nodes before all groups would couple each group with each other one. What closes a loop
// follows when all nodes of the loop have been eliminated: then its pivot is regular where the constraints are
// independent. Nodes with their groups are one vertex of the graph that minimum degree orders.
#pragma once
#include <span>
#include <vector>

#include "polhode/assembly/sparse.hpp"

namespace polhode::assembly {

struct BlockOrder {
  static constexpr int width = 6;  // unknowns of a block, at most
  // Numbers that a column of a block has in memory.
  static constexpr int stride(int rows) { return math::column_width(rows); }

  // `leaders`, where given: by block, the block (itself, or one of a lower number) whose place in the order it shares:
  // corrections of a node stand right before the node, second multipliers behind the first ones. Throws std::bad_alloc
  // for want of memory.
  explicit BlockOrder(const PatternView& matrix, std::span<const int> leaders = {});

  // Floating-point operations of a factorization, nearly; infinite where the count was given up.
  double operations() const { return 2.0 * width * width * width * products; }
  // What a BlockSolver of this order takes: its blocks, and where each product goes. In place, blocks of the matrix
  // itself, which are there already, do not count again.
  double bytes(double bytes_in_place = 0) const;

  std::vector<int> block;      // at each position, by the numbers of the matrix
  std::vector<char> is_group;  // at each position: of constraint equations
  // Later positions that the column of the factor L has blocks in, ascending: of position p, [start[p], start[p + 1]).
  std::vector<int> start;
  std::vector<int> later;
  // Threads may take these side by side: task t has the positions [task_begin[t], task_begin[t + 1]), whole subtrees of
  // the elimination tree. The top begins at the last one: at 0 where it is not worth while.
  std::vector<int> task_begin{0};
  // Of each task, in products of blocks
  std::vector<double> task_work;
  // Of a position in a task: all its later neighbors are of the top, and those of its subtree are among them.
  bool ends_subtree(int position) const;
  double products = 0;  // of blocks, in a factorization
  double numbers = 0;   // of all blocks, and of what subtrees of tasks hand on to the top

 private:
  void form_tasks();
};

}  // namespace polhode::assembly
