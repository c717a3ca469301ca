// SPDX-License-Identifier: BSD-3-Clause
// Cubic tables that swing far beyond their values.
#include "swinging_tables.hpp"

#include <fmt/format.h>

#include <variant>

#include "polhode/model/function.hpp"

namespace polhode::run {

std::vector<std::string> warnings_of_swinging_tables(const assembly::System& system) {
  // Of the range of its values: what a spline through even rows does not reach.
  constexpr double far_beyond = 1;
  // Lines beyond these are no help.
  constexpr std::size_t most = 5;
  std::vector<std::string> warnings;
  for (const model::Entry& entry : system.model().entries)
    for (const auto& [key, value] : entry.values) {
      const auto* function = std::get_if<model::TimeFunction>(&value);
      if (!function || !function->table() || warnings.size() == most) continue;
      const model::Table::Swing swing = function->table()->widest_swing();
      if (!(swing.beyond > far_beyond)) continue;
      warnings.push_back(fmt::format(
          "{} is {:.3g} at t = {:.6g} s, between two rows of its table: the cubic spline swings beyond the values by "
          "{:.3g} times their range; use `interpolation: linear`, or rows at even distances",
          entry.path(key), swing.value, swing.t, swing.beyond));
    }
  return warnings;
}

}  // namespace polhode::run
