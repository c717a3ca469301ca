// SPDX-License-Identifier: BSD-3-Clause
// Forces of supports from their neighboring elements.
#include "polhode/results/support_forces.hpp"

#include <algorithm>

namespace polhode::results {

SupportForces::SupportForces(const assembly::System& system)
    : system_(system), forces_(system.nodes(), model::Vec6::Zero()) {}

// Supports have few elements beside them: finding these once saves the residual of the whole model at each state.
void SupportForces::set_nodes(std::vector<int> nodes) {
  neighbors_.clear();
  touched_.clear();
  std::sort(nodes.begin(), nodes.end());
  for (const auto& batch : system_.batches()) {
    Neighbors some{batch.get(), {}};
    for (std::size_t e = 0; e < batch->size(); ++e) {
      const auto of_element = batch->nodes_of(e);
      const bool near = std::any_of(of_element.begin(), of_element.end(),
                                    [&](int node) { return std::binary_search(nodes.begin(), nodes.end(), node); });
      if (!near) continue;
      some.elements.push_back(e);
      touched_.insert(touched_.end(), of_element.begin(), of_element.end());
    }
    if (!some.elements.empty()) neighbors_.push_back(std::move(some));
  }
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
}

// Elements add to the forces of all their nodes, also of those that are not supported.
std::span<const model::Vec6> SupportForces::at(const model::State& q) {
  for (const int node : touched_) forces_[static_cast<std::size_t>(node)].setZero();
  const model::Context context = system_.context(q);
  for (const Neighbors& some : neighbors_) some.batch->add_residual_of(some.elements, q, context, forces_);
  return forces_;
}

}  // namespace polhode::results
