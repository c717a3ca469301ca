// SPDX-License-Identifier: BSD-3-Clause
// A spanning forest of nodes whose edges are groups of constraint equations, and the loops that the other groups close.
#pragma once
#include <vector>

#include "block_graph.hpp"

namespace polhode::assembly {

class ConstraintForest {
 public:
  // Of the blocks that lead (BlockOrder).
  ConstraintForest(const BlockGraph& graph, std::span<const int> leaders);

  bool has_groups() const { return !nodes_.empty(); }
  // Of a node, from its root; without groups it counts as the deepest; of groups, 0.
  int depth(int block) const;
  // The node that a group follows at once; -1: nodes, and groups that close loops.
  int partner(int block) const { return partner_[block]; }
  // Nodes that a group without a partner has to wait for: those of its loop, but for the one nearest to the root. There
  // the group's equations have full rank whatever the joints are, if all equations together have (the one node may be
  // held, as a common motion of the whole loop meets all of its equations). Not followed beyond `most` nodes.
  std::vector<int> loop_of(int group, std::size_t most) const;

 private:
  void find_nodes_of_groups(const BlockGraph& graph, std::span<const int> leaders);
  void grow(const BlockGraph& graph);
  void grow_from(int root, const BlockGraph& graph);
  void attach(int node, int group, int parent);
  int size_of(int group) const { return node_start_[group + 1] - node_start_[group]; }

  static constexpr int ground = -1;
  std::vector<char> is_group_;
  std::vector<int> node_start_;  // nodes of block g, if it is a group: nodes_[node_start_[g] ... node_start_[g + 1])
  std::vector<int> nodes_;
  std::vector<int> group_start_;  // groups of block n, if it is a node
  std::vector<int> groups_;
  std::vector<int> partner_;
  std::vector<int> parent_;  // by node; a root that is not on ground has one of its own, below `ground`
  std::vector<int> depth_;   // by node: from 1; 0: not reached yet
  std::vector<int> queue_;   // nodes whose groups are still to be looked at
};

}  // namespace polhode::assembly
