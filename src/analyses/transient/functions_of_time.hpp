// SPDX-License-Identifier: BSD-3-Clause
// The functions of time of a model, as its deck gives them, and where they jump.
#pragma once
#include <string_view>
#include <variant>
#include <vector>

#include "polhode/assembly/system.hpp"
#include "polhode/model/catalog.hpp"

namespace polhode::analyses {

// Functions of another variable than time (force over length) have no times.
bool is_of_time(const model::Entry& entry, std::string_view key);
// Whether the function says where a joint is: `rotation`, `translation`, `motion.x`, ...
bool is_drive(std::string_view key);

// f(entry, key, function) for each function of time alone.
template <class F>
void for_each_function_of_time(const assembly::System& system, const F& f) {
  for (const model::Entry& entry : system.model().entries)
    for (const auto& [key, value] : entry.values)
      if (const auto* function = std::get_if<model::TimeFunction>(&value);
          function && is_of_time(entry, key) && function->signals().empty())
        f(entry, key, *function);
}

// Times in (begin, end], s, ascending, at which a load, a motor or another function of time but a drive jumps in value.
// Kinks are none, but for those of laws, whose size depends on the motion. A jump of a drive is a motion that nothing can follow; one of its rate is an impulse.
std::vector<double> find_jumps(const assembly::System& system, double begin, double end);

}  // namespace polhode::analyses
