// SPDX-License-Identifier: BSD-3-Clause
// Products with the mass matrix, by the inertia forces of a state at rest.
#pragma once
#include <utility>
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::integrators {

class MassProduct {
 public:
  // Keeps a reference.
  explicit MassProduct(const assembly::System& system)
      : system_(system), at_rest_(system.nodes(), math::Vec6::Zero()) {}

  // Sets the forces (N, N m, by node) to M(q) x; x by node, of which `q` has its accelerations meanwhile. Both are as
  // before then. Allocates nothing.
  void set(model::State& q, std::vector<math::Vec6>& x, assembly::Residual& product) {
    std::swap(q.v, at_rest_);
    std::swap(q.vdot, x);
    system_.set_inertia_forces(q, product);
    std::swap(q.v, at_rest_);
    std::swap(q.vdot, x);
  }

 private:
  const assembly::System& system_;
  std::vector<math::Vec6> at_rest_;
};

}  // namespace polhode::integrators
