// SPDX-License-Identifier: BSD-3-Clause
// Vectors by node: over the free unknowns, and their size.
#pragma once
#include <algorithm>
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

// Largest component of a displacement or a velocity, translations by the length of the model, m: no unit, or 1/s.
inline double size_of(const model::Vec6& vector, double length) {
  return std::max(vector.head<3>().lpNorm<Eigen::Infinity>() / length, vector.tail<3>().lpNorm<Eigen::Infinity>());
}

// The same of all nodes.
inline double size_of(const std::vector<model::Vec6>& nodal, double length) {
  double most = 0;
  for (const model::Vec6& vector : nodal) most = std::max(most, size_of(vector, length));
  return most;
}

// Configuration, velocities, accelerations and multipliers of another state of the same system; time, internal variables
// and what a method keeps stay.
inline void take_motion(model::State& to, const model::State& from) {
  to.x = from.x;
  to.quat = from.quat;
  to.R = from.R;
  to.v = from.v;
  to.vdot = from.vdot;
  to.lambda = from.lambda;
}

// Notes what delays of signals are given where a method starts: `q`, with loads and drives `instant`, s, later.
inline void record_start(const assembly::System& system, double instant, model::State& q) {
  const double t = q.t;
  q.t += instant;
  system.signals().record(q, true);
  q.t = t;
}

}  // namespace polhode::integrators
