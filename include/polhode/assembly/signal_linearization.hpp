// SPDX-License-Identifier: BSD-3-Clause
// Signals in the linear equations of small motions about a state whose z stand, with s all values of signals, m what
// sensors read, r the residual of forces, and w what is added to one of s:
//
//   delta z' = Z delta z + S delta m + W delta w,   delta r = R delta z + (tangents of the system) + R_w delta w
//
// through all blocks and loops between them.
#pragma once
#include <vector>

#include "polhode/model/signal.hpp"

namespace polhode::assembly {

struct SignalLinearization {
  // Nodal forces, N and N m, as in Residual
  using Forces = std::vector<model::Vec6>;

  math::VectorX rates;            // z' itself; 0 where the state is one of rest
  math::MatrixX rates_by_state;   // Z, 1/s
  math::MatrixX rates_by_sensor;  // S
  math::MatrixX rates_by_added;   // W, by value
  std::vector<Forces> by_state;   // R
  std::vector<Forces> by_added;   // R_w, by value
  std::vector<model::Measurement> measured;

  // S delta m of a motion of the nodes: translations inertial, rotations in each node's frame.
  math::VectorX rates_along(const std::vector<model::Vec6>& dx, const std::vector<model::Vec6>& dv) const;
  // What z and motions of the size of a model of that length, m, would make of the rates.
  math::VectorX sizes(const math::VectorX& z, double length) const;
};

}  // namespace polhode::assembly
