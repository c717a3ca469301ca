// SPDX-License-Identifier: BSD-3-Clause
// Entities of the groups of the results.
#include "entities.hpp"

#include <algorithm>
#include <stdexcept>

#include "polhode/model/catalog.hpp"
#include "polhode/results/element_outputs.hpp"

namespace polhode::results {

int EntityGroup::index_of(int key) const {
  const auto found = std::lower_bound(keys.begin(), keys.end(), key);
  if (found == keys.end() || *found != key) throw std::logic_error("an entity that is not one of " + name);
  return static_cast<int>(found - keys.begin());
}

// Forces without any output, as loads, have nothing that could be shared; what events lock stands in /events.
Entities::Entities(const assembly::System& system) {
  using model::Family;
  for (const Family family : {Family::body, Family::beam, Family::joint, Family::force})
    groups_.push_back({std::string(model::deck_key(family)), {}, {}});
  for (const EntryElements& elements : entries_with_elements(system)) {
    const model::Entry& entry = system.model().entries[static_cast<std::size_t>(elements.entry)];
    if (entry.family == Family::event || entry.family == Family::analysis) continue;
    if (entry.family == Family::force && entry.kind->outputs.empty() && elements.batch->rows() == 0) continue;
    EntityGroup& group = groups_[static_cast<std::size_t>(entry.family)];
    group.keys.push_back(elements.entry);
    group.names.push_back(entry.name);
  }
  EntityGroup& supports = groups_.emplace_back(EntityGroup{"reactions", {}, {}});
  for (std::size_t place = 0; place < system.node_axis().size(); ++place) {
    const model::NodeData& node = system.node(static_cast<std::size_t>(system.node_axis()[place]));
    const auto end = node.translation_only ? node.removed.begin() + 3 : node.removed.end();
    if (std::none_of(node.removed.begin(), end, [](bool removed) { return removed; })) continue;
    supports.keys.push_back(static_cast<int>(place));
    supports.names.push_back(node.name);
  }
}

const EntityGroup& Entities::group(std::string_view name) const {
  for (const EntityGroup& group : groups_)
    if (group.name == name) return group;
  throw std::logic_error("no group of the results: " + std::string(name));
}

}  // namespace polhode::results
