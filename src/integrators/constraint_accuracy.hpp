// SPDX-License-Identifier: BSD-3-Clause
// How exactly positions and velocities in state-space form are brought to the constraints, relative to the model.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>

#include "polhode/assembly/system.hpp"

namespace polhode::integrators {

inline constexpr double exact_violation = 1e-13;       // where rounding allows
inline constexpr double acceptable_violation = 1e-11;  // where it does not

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
