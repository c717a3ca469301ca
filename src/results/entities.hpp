// SPDX-License-Identifier: BSD-3-Clause
// What shares channels: the entities of each group of the results, in the order of the model.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::results {

// Bodies, beams, joints and forces by their entries in the model, and supported nodes ("reactions").
struct EntityGroup {
  std::string name;
  // Ascending: indices into Model::entries, or nodes.
  std::vector<int> keys;
  std::vector<std::string> names;

  // The place of an entity that is one of the group.
  int index_of(int key) const;
};

class Entities {
 public:
  explicit Entities(const assembly::System& system);

  const std::vector<EntityGroup>& groups() const { return groups_; }
  const EntityGroup& group(std::string_view name) const;

 private:
  std::vector<EntityGroup> groups_;
};

}  // namespace polhode::results
