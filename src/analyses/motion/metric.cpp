// SPDX-License-Identifier: BSD-3-Clause
#include "analyses/motion/metric.hpp"

#include <algorithm>
#include <cmath>

#include "polhode/assembly/sparse_algebra.hpp"

namespace polhode::analyses {

// A turn of 1 rad counts as much as a displacement by the length of the model.
model::VectorX metric_of(const assembly::System& system) {
  const double length = system.length();
  model::VectorX metric(system.free_unknowns());
  for (std::size_t i = 1; i < system.nodes(); ++i)
    for (std::size_t j = 0; j < 6; ++j)
      if (const model::NodeUnknowns& at = system.unknowns()[i]; at.local[j] >= 0)
        metric[at.first + at.local[j]] = j < 3 ? 1 : length * length;
  return metric;
}

// The diagonal is enough: no eigenvalue of a stiffness is far above it in this metric.
double stiffest_of(const assembly::SparseMatrix& K, const model::VectorX& metric) {
  double stiffest = 0;
  for_each_diagonal(K, static_cast<int>(metric.size()),
                    [&](int i, double value) { stiffest = std::max(stiffest, std::abs(value) / metric[i]); });
  return stiffest;
}

}  // namespace polhode::analyses
