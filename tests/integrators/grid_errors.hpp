// SPDX-License-Identifier: BSD-3-Clause
// Errors of computed states against better ones at the same points of a grid over time.
#pragma once
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "support/models.hpp"

namespace polhode::support {

constexpr double grid = 2e-3;
constexpr int grid_points = 30;

// The largest over nodes and points.
struct GridErrors {
  double x = 0;
  double R = 0;
  double v = 0;
  double lambda = 0;
};

// Over the points after time `from` up to time `to`.
inline GridErrors grid_errors(const std::vector<State>& a, const std::vector<State>& b, double from = -1,
                              double to = 1) {
  if (a.size() != b.size()) throw std::runtime_error("different grids");
  GridErrors e;
  for (std::size_t i = 0; i < a.size() && a[i].t <= to; ++i) {
    if (a[i].t <= from) continue;
    for (std::size_t node = 1; node < a[i].x.size(); ++node) {
      e.x = std::max(e.x, (a[i].x[node] - b[i].x[node]).norm());
      e.R = std::max(e.R, (a[i].R[node] - b[i].R[node]).norm());
      e.v = std::max(e.v, (a[i].v[node] - b[i].v[node]).norm());
    }
    e.lambda = std::max(e.lambda, (a[i].lambda - b[i].lambda).norm());
  }
  return e;
}

}  // namespace polhode::support
