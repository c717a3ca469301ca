// SPDX-License-Identifier: BSD-3-Clause
// Vectors over the free unknowns from vectors by node.
#pragma once
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::integrators {

// Components of `vector` at or beyond the number of free unknowns stay.
inline void gather(const assembly::System& system, const std::vector<model::Vec6>& nodal, model::VectorX& vector) {
  for (std::size_t i = 1; i < nodal.size(); ++i) {
    const model::NodeUnknowns& u = system.unknowns()[i];
    for (int k = 0; k < 6; ++k)
      if (u.local[k] >= 0) vector[u.first + u.local[k]] = nodal[i][k];
  }
}

}  // namespace polhode::integrators
