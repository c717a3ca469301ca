// SPDX-License-Identifier: BSD-3-Clause
// Connected nodes, and what reaches them from outside.
#include "loose_parts.hpp"

#include <numeric>
#include <vector>

#include "polhode/model/catalog.hpp"

namespace polhode::analyses {
namespace {

using model::Entry;

// The same force wherever its node is: others may come to a balance, and so may kinds that are not named here.
bool is_dead_load(const Entry& entry) {
  const bool is_load = entry.kind->name == "load" || entry.kind->name == "distributed_load";
  const bool follows =
      entry.flag("follower", false) || (entry.has("history") && !entry.function("history").signals().empty());
  return is_load && !follows;
}

// Nodes that elements connect, each part known by one of its nodes: disjoint sets, with paths halved on the way.
class Parts {
 public:
  explicit Parts(std::size_t nodes) : parent_(nodes) { std::iota(parent_.begin(), parent_.end(), 0); }
  int root_of(int node) {
    while (parent_of(node) != node) node = parent_of(node) = parent_of(parent_of(node));
    return node;
  }
  void join(int a, int b) { parent_of(root_of(a)) = root_of(b); }

 private:
  int& parent_of(int node) { return parent_[static_cast<std::size_t>(node)]; }

  std::vector<int> parent_;
};

}  // namespace

// What may hold is taken for part of the ground.
bool has_falling_part(const assembly::System& system, const model::VectorX& load) {
  constexpr double round_off = 1e-9;
  Parts parts(system.nodes());
  for (std::size_t i = 1; i < system.nodes(); ++i) {
    const auto& removed = system.node(i).removed;
    if (removed[0] || removed[1] || removed[2]) parts.join(static_cast<int>(i), 0);
  }
  for (const auto& batch : system.batches())
    for (std::size_t e = 0; e < batch->size(); ++e) {
      const auto at = batch->nodes_of(e);
      const Entry& entry = system.model().entries[static_cast<std::size_t>(batch->entry_of(e))];
      const bool may_hold = entry.family == model::Family::force && !is_dead_load(entry);
      for (const int node : at) parts.join(node, may_hold ? 0 : at.front());
    }
  std::vector<model::Vec6> of_nodes(system.nodes());
  system.scatter(load, of_nodes);
  std::vector<math::Vec3> sums(system.nodes(), math::Vec3::Zero());
  std::vector<double> sizes(system.nodes(), 0);
  for (std::size_t i = 1; i < system.nodes(); ++i) {
    const auto part = static_cast<std::size_t>(parts.root_of(static_cast<int>(i)));
    sums[part] += of_nodes[i].head<3>();
    sizes[part] += of_nodes[i].head<3>().norm();
  }
  const auto ground = static_cast<std::size_t>(parts.root_of(0));
  for (std::size_t part = 0; part < sums.size(); ++part)
    if (part != ground && sums[part].norm() > round_off * sizes[part]) return true;
  return false;
}

}  // namespace polhode::analyses
