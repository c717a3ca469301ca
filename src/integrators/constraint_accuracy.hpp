// SPDX-License-Identifier: BSD-3-Clause
// How exactly positions and velocities in state-space form are brought to the constraints, relative to the model.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "polhode/assembly/system.hpp"

namespace polhode::integrators {

inline constexpr double exact_violation = 1e-13;       // where rounding allows
inline constexpr double acceptable_violation = 1e-11;  // where it does not

// The same of positions, whose rounding errors grow with the distance from the origin: a few of its last bits.
struct PositionAccuracy {
  double exact;
  double acceptable;
};
inline PositionAccuracy position_accuracy(const assembly::System& system, const model::State& q) {
  double farthest = 0;
  for (const math::Vec3& x : q.x) farthest = std::max(farthest, x.lpNorm<Eigen::Infinity>());
  const double round_off = std::numeric_limits<double>::epsilon() * farthest / system.length();
  return {std::max(exact_violation, 2 * round_off), std::max(acceptable_violation, 16 * round_off)};
}

// The largest of all rows, or of those that are `kept`; lengths by that of the model. Not a number if any is none.
template <class Rows>
double largest_violation(const assembly::System& system, const Rows& rows, std::span<const char> kept = {}) {
  double most = 0;
  for (int r = 0; r < system.rows(); ++r) {
    if (!kept.empty() && !kept[static_cast<std::size_t>(r)]) continue;
    const double violation = std::abs(rows[r]) / (system.row_is_length(r) ? system.length() : 1);
    if (std::isnan(violation)) return violation;
    most = std::max(most, violation);
  }
  return most;
}

}  // namespace polhode::integrators
