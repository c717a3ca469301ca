// SPDX-License-Identifier: BSD-3-Clause
// Forces of supports on fixed nodes: the residual there, from the elements that touch these nodes.
//
//   reaction = M vdot + g + B^T lambda at the removed components: the equations there hold without it.
#pragma once
#include <span>
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::results {

class SupportForces {
 public:
  // Without any node. `system` must outlive this.
  explicit SupportForces(const assembly::System& system);

  // The supported nodes, in any order.
  void set_nodes(std::vector<int> nodes);

  // By node: N in the inertial frame, N m in the node's frame; right at the supported nodes only. Computes the elements
  // beside the supports, and allocates nothing. The span lives until the next call.
  std::span<const model::Vec6> at(const model::State& q);

 private:
  // Elements of a batch that touch a supported node.
  struct Neighbors {
    const model::BatchBase* batch;
    std::vector<std::size_t> elements;
  };

  const assembly::System& system_;
  std::vector<Neighbors> neighbors_;
  // All nodes of these elements.
  std::vector<int> touched_;
  // By node.
  std::vector<model::Vec6> forces_;
};

}  // namespace polhode::results
