// SPDX-License-Identifier: BSD-3-Clause
// Connected nodes, and what reaches them from outside.
#include "loose_parts.hpp"

#include <numeric>

#include "polhode/model/catalog.hpp"

namespace polhode::analyses {
namespace {

using model::Entry;

// The same force wherever its node is: others may come to a balance.
bool is_dead_load(const Entry& entry) {
  const bool is_load = entry.kind->name == "load" || entry.kind->name == "distributed_load";
  const bool follows =
      entry.flag("follower", false) || (entry.has("history") && !entry.function("history").signals().empty());
  return is_load && !follows;
}

// Nodes that elements connect, each part known by one of its nodes: disjoint sets, paths halved on the way.
class Parts {
 public:
  explicit Parts(std::size_t nodes) : parent_(nodes) { std::iota(parent_.begin(), parent_.end(), 0); }
  int root_of(int node) {
    int& parent = parent_[static_cast<std::size_t>(node)];
    while (parent != parent_[static_cast<std::size_t>(parent)]) parent = parent_[static_cast<std::size_t>(parent)];
    return parent;
  }
  void join(int a, int b) { parent_[static_cast<std::size_t>(root_of(a))] = root_of(b); }

 private:
  std::vector<int> parent_;
};

}  // namespace

// What may hold is taken for part of the ground.
std::vector<char> nodes_of_loose_parts(const assembly::System& system) {
  Parts parts(system.nodes());
  for (std::size_t i = 1; i < system.nodes(); ++i)
    if (system.node(i).is_fixed()) parts.join(static_cast<int>(i), 0);
  for (const auto& batch : system.batches())
    for (std::size_t e = 0; e < batch->size(); ++e) {
      const auto at = batch->nodes_of(e);
      const Entry& entry = system.model().entries[static_cast<std::size_t>(batch->entry_of(e))];
      const bool may_hold = entry.family == model::Family::force && !is_dead_load(entry);
      for (const int node : at) parts.join(node, may_hold ? 0 : at.front());
    }
  std::vector<char> loose(system.nodes(), 0);
  for (std::size_t i = 0; i < loose.size(); ++i) loose[i] = parts.root_of(static_cast<int>(i)) != parts.root_of(0);
  return loose;
}

}  // namespace polhode::analyses
