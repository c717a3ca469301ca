// SPDX-License-Identifier: BSD-3-Clause
// Functions of all entries that follow sensors.
#include "polhode/assembly/feedback.hpp"

#include <utility>
#include <variant>

namespace polhode::assembly {

std::vector<Feedback> feedback_of(const System& system) {
  std::vector<Feedback> result;
  int number = 0;
  const auto add = [&](const std::string& key, const model::TimeFunction& function) {
    if (function.signals().empty()) return;
    std::vector<int> sensors = system.signals().measured_behind(function.signals());
    if (!sensors.empty()) result.push_back({number, key, std::move(sensors)});
  };
  for (const model::Entry& entry : system.model().entries) {
    if (entry.family <= model::Family::force)
      for (const auto& [key, value] : entry.values) {
        if (const auto* function = std::get_if<model::TimeFunction>(&value)) add(key, *function);
        if (const auto* several = std::get_if<std::vector<model::TimeFunction>>(&value))
          for (const model::TimeFunction& function : *several) add(key, function);
      }
    ++number;
  }
  return result;
}

}  // namespace polhode::assembly
