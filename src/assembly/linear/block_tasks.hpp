// SPDX-License-Identifier: BSD-3-Clause
// Which parts of an elimination threads can take side by side.
//
// The parent of a position in the elimination tree is the first of its later neighbors. Subtrees touch nothing of each
// other, only what stands above them. A task is a few subtrees; what is in none of them, the top, follows.
#pragma once
#include <span>
#include <vector>

namespace polhode::assembly {

struct BlockTasks {
  // Of a symbolic factor: later[start[p] ... start[p + 1]) of position p. The choice depends on that alone, never on the
  // number of threads.
  BlockTasks(std::span<const int> start, std::span<const int> later);

  // Positions in the order in which they are to stand: those of the tasks, one subtree behind the other, then the top.
  // Ancestors keep their order, so that later neighbors stay ascending. Empty where work is little.
  std::vector<int> order;
  // Places in that order: task t has [begin[t], begin[t + 1]); the last is where the top begins. Without tasks: 0.
  std::vector<int> begin{0};
  // Of each task, in products of blocks
  std::vector<double> work;
  // What several threads would wait for, in products of blocks; without tasks all of the work.
  double waiting = 0;
};

// Positions in an order that has the same fill, and one at its end that has about half of the work on either side: a
// chain is eliminated from both of its ends then. Empty where no position has.
std::vector<int> order_with_center_last(std::span<const int> start, std::span<const int> later);

}  // namespace polhode::assembly
