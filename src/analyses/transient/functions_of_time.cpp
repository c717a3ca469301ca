// SPDX-License-Identifier: BSD-3-Clause
// Functions of time on both sides of their breakpoints.
#include "analyses/transient/functions_of_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode::analyses {
namespace {

// On either side of a breakpoint, in units of the round-off of the largest time of an analysis: breakpoints are known
// to some of them.
constexpr double last_bits_of_time = 32;
// Of the function's value: a smaller jump has no effect that shows.
constexpr double smallest_jump = 1e-9;

// `aside`: s. What the rates on both sides explain is no jump.
bool jumps_at(const model::TimeFunction& function, double t, double aside) {
  const model::Jet before = function(t - aside);
  const model::Jet after = function(t + aside);
  const double explained = 4 * aside * (std::abs(before.first) + std::abs(after.first));
  const double unnoticed = smallest_jump * std::max(std::abs(before.value), std::abs(after.value));
  return std::abs(after.value - before.value) > explained + unnoticed;
}

}  // namespace

bool is_of_time(const model::Entry& entry, std::string_view key) {
  const auto& fields = entry.kind->fields;
  return std::none_of(fields.begin(), fields.end(),
                      [&](const model::Field& field) { return field.name == key && !field.variables.empty(); });
}

bool is_drive(std::string_view key) { return key == "rotation" || key == "translation" || key.starts_with("motion."); }

std::vector<double> find_jumps(const assembly::System& system, double begin, double end) {
  const double aside =
      last_bits_of_time * std::numeric_limits<double>::epsilon() * std::max(std::abs(begin), std::abs(end));
  std::vector<double> times;
  for_each_function_of_time(system,
                            [&](const model::Entry&, std::string_view key, const model::TimeFunction& function) {
                              if (is_drive(key)) return;
                              // The interval of breakpoints is open
                              for (const double t : function.breakpoints(begin + aside, end + 2 * aside))
                                if (jumps_at(function, t, aside)) times.push_back(t);
                            });
  // What a law jumps by depends on the motion: each of its breakpoints may be a jump.
  for (const model::Entry& entry : system.model().entries)
    for (const auto& [key, value] : entry.values)
      if (const auto* law = std::get_if<model::Expression>(&value))
        for (const double t : law->breakpoints(begin + aside, end + 2 * aside)) times.push_back(t);
  std::sort(times.begin(), times.end());
  return times;
}

}  // namespace polhode::analyses
