// SPDX-License-Identifier: BSD-3-Clause
// Fixed nodes that no entry of the model and no initial motion names.
#include "loose_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace polhode::run {
namespace {

bool has_motion(const model::Model& model, const std::string& node) {
  return std::any_of(model.initial_motion.begin(), model.initial_motion.end(), [&](const model::InitialMotion& motion) {
    return std::find(motion.nodes.begin(), motion.nodes.end(), node) != motion.nodes.end();
  });
}

}  // namespace

// The first four by name, and how many more. The ground is no node of the deck.
std::string warning_of_loose_nodes(const assembly::System& system) {
  constexpr std::size_t most = 4;
  std::string names;
  std::size_t count = 0;
  for (std::size_t i = 1; i < system.nodes(); ++i) {
    const model::NodeData& node = system.node(i);
    if (node.referenced || has_motion(system.model(), node.name)) continue;
    if (count < most) names += (count == 0 ? "" : ", ") + node.label();
    ++count;
  }
  if (count == 0) return "";
  if (count > most) names += fmt::format(" and {} more", count - most);
  const bool one = count == 1;
  return fmt::format(
      "{}: nothing is attached to {}, so {} no unknowns and no effect; remove {}, or attach a body, beam, joint or "
      "force",
      names, one ? "this fixed node" : "these fixed nodes", one ? "it has" : "they have", one ? "it" : "them");
}

}  // namespace polhode::run
