// SPDX-License-Identifier: BSD-3-Clause
// Breadth first, so that loops are short.
#include "constraint_forest.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace polhode::assembly {

ConstraintForest::ConstraintForest(const BlockGraph& graph, std::span<const int> leaders)
    : is_group_(graph.is_group),
      partner_(static_cast<std::size_t>(graph.count()), -1),
      parent_(static_cast<std::size_t>(graph.count()), ground),
      depth_(static_cast<std::size_t>(graph.count()), 0) {
  find_nodes_of_groups(graph, leaders);
  grow(graph);
}

// Both ways: nodes of groups, groups of nodes.
void ConstraintForest::find_nodes_of_groups(const BlockGraph& graph, std::span<const int> leaders) {
  std::vector<int> degree(static_cast<std::size_t>(graph.count()) + 1, 0);
  node_start_.push_back(0);
  for (int g = 0; g < graph.count(); ++g) {
    const auto first = static_cast<std::ptrdiff_t>(nodes_.size());
    if (graph.is_group[g] && leaders[g] == g)
      for (const int n : graph.neighbours(g))
        if (!graph.is_group[n]) nodes_.push_back(leaders[n]);
    std::sort(nodes_.begin() + first, nodes_.end());
    nodes_.erase(std::unique(nodes_.begin() + first, nodes_.end()), nodes_.end());
    node_start_.push_back(static_cast<int>(nodes_.size()));
  }
  for (const int n : nodes_) ++degree[n + 1];
  std::partial_sum(degree.begin(), degree.end(), degree.begin());
  group_start_ = degree;
  groups_.resize(nodes_.size());
  for (int g = 0; g < graph.count(); ++g)
    for (int i = node_start_[g]; i < node_start_[g + 1]; ++i) groups_[degree[nodes_[i]]++] = g;
}

// From ground first, then from what has the most joints of each part that ground does not hold.
void ConstraintForest::grow(const BlockGraph& graph) {
  for (int g = 0; g < graph.count(); ++g)
    if (size_of(g) == 1 && depth_[nodes_[node_start_[g]]] == 0 && graph.size[g] <= graph.size[nodes_[node_start_[g]]])
      attach(nodes_[node_start_[g]], g, ground);
  grow_from(ground, graph);
  std::vector<int> roots;
  for (int n = 0; n < graph.count(); ++n)
    if (depth_[n] == 0 && group_start_[n + 1] > group_start_[n]) roots.push_back(n);
  std::stable_sort(roots.begin(), roots.end(), [&](int a, int b) {
    return group_start_[a + 1] - group_start_[a] > group_start_[b + 1] - group_start_[b];
  });
  for (const int root : roots)
    if (depth_[root] == 0) grow_from(root, graph);
}

void ConstraintForest::attach(int node, int group, int parent) {
  partner_[group] = node;
  parent_[node] = parent;
  depth_[node] = parent == ground ? 1 : depth_[parent] + 1;
  queue_.push_back(node);
}

int ConstraintForest::depth(int block) const {
  const bool is_node_without = !is_group_[block] && depth_[block] == 0;
  return is_node_without ? std::numeric_limits<int>::max() : depth_[block];
}

// Groups of two nodes lead on. A node has to have room for the equations of its group.
void ConstraintForest::grow_from(int root, const BlockGraph& graph) {
  if (root != ground) {
    parent_[root] = ground - 1 - root;
    depth_[root] = 1;
    queue_.push_back(root);
  }
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const int node = queue_[next];
    for (int i = group_start_[node]; i < group_start_[node + 1]; ++i) {
      const int g = groups_[i];
      if (size_of(g) != 2 || partner_[g] >= 0) continue;
      const int other = nodes_[node_start_[g]] + nodes_[node_start_[g] + 1] - node;
      if (depth_[other] == 0 && graph.size[g] <= graph.size[other]) attach(other, g, node);
    }
  }
  queue_.clear();
}

// All nodes of the group go toward the root, the deepest first, until one is left; a group on a single node is one
// between it and ground.
std::vector<int> ConstraintForest::loop_of(int group, std::size_t most) const {
  std::vector<int> heads(nodes_.begin() + node_start_[group], nodes_.begin() + node_start_[group + 1]);
  if (heads.size() == 1) heads.push_back(ground);
  const auto depth_of = [&](int n) { return n >= 0 ? depth_[n] : 0; };
  std::vector<int> loop;
  while (heads.size() > 1 && loop.size() < most) {
    const auto deepest =
        std::max_element(heads.begin(), heads.end(), [&](int a, int b) { return depth_of(a) < depth_of(b); });
    const int node = *deepest;
    if (node < 0) break;  // each has reached a root of its own
    loop.push_back(node);
    if (std::find(heads.begin(), heads.end(), parent_[node]) == heads.end())
      *deepest = parent_[node];
    else
      heads.erase(deepest);
  }
  return loop;
}

}  // namespace polhode::assembly
