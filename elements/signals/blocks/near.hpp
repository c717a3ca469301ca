// SPDX-License-Identifier: BSD-3-Clause
// What a misspelt name of a node or an entry may mean.
#pragma once
#include <string>

#include "polhode/model/builder.hpp"
#include "polhode/model/problem.hpp"

namespace polhode::elements::signals {

// "; did you mean 'leg.hip'?", or "".
inline std::string hint(const std::string& name, const std::vector<std::string>& known) {
  const std::string near = model::nearest_name(name, known);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

inline std::vector<std::string> names_of(model::Family family, const model::Builder& builder) {
  std::vector<std::string> names;
  for (const model::Entry& entry : builder.model().entries)
    if (entry.family == family) names.push_back(entry.name);
  return names;
}

inline std::vector<std::string> names_of_nodes(const model::Builder& builder) {
  std::vector<std::string> names;
  for (const model::NodeEntry& node : builder.model().nodes) names.push_back(node.name);
  return names;
}

}  // namespace polhode::elements::signals
