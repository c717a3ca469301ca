// SPDX-License-Identifier: BSD-3-Clause
// What analyses do to joints at their start.
#include "polhode/analyses/joint_starts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analyses/transient/event_actions.hpp"

namespace polhode::analyses {

// A run that is taken up begins its analysis again from the state behind this.
std::string start_joints(const assembly::System& system, const std::string& path, model::State& q, double& work,
                         model::Problems& problems) {
  const auto entry_of = [&](const model::Event& start) -> const model::Entry& {
    return system.model().entries[static_cast<std::size_t>(start.entry)];
  };
  const auto found = std::find_if(system.starts().begin(), system.starts().end(),
                                  [&](const model::Event& start) { return entry_of(start).path() == path; });
  if (found == system.starts().end()) return "";
  double change = 0;
  if (const std::string why = EventActions(system).begin(q, *found, change); !why.empty()) {
    problems.push_back({path + (entry_of(*found).has("locked") ? ".locked" : ".released"), why});
    return "";
  }
  work += change;
  const std::string energy = change == 0 ? "" : fmt::format(", energy {:+.6g} J", change);
  return fmt::format("{} at t = {:.9g} s: {}{}", path, q.t, found->what, energy);
}

}  // namespace polhode::analyses
