// SPDX-License-Identifier: BSD-3-Clause
// The same machine with its signals as linear models take them: loops of control cut, with signals held where they are
// as if a host had set them, and delays by Padé approximants.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::analyses {

struct PreparedLoops {
  // Whether that is another machine.
  static bool are_needed(const assembly::System& system, const std::vector<std::string>& open) {
    return !open.empty() || system.signals().has_delays();
  }
  // `open`: names of signals that are cut; `pade`: the order of approximants. `q` as it is, but for states of the
  // signals that are cut; approximants rest. Problems where a name is none that can be cut, or where nothing rests.
  PreparedLoops(const assembly::System& system, const std::vector<std::string>& open, int pade, model::State q,
                const std::string& path, model::Problems& problems);
  PreparedLoops(const PreparedLoops&) = delete;

  std::optional<model::Model> model;  // where loops are cut
  std::optional<assembly::System> system;
  model::State q;
};

// Names alone.
void check_open(const assembly::System& system, const std::vector<std::string>& names, const std::string& path,
                model::Problems& problems);

}  // namespace polhode::analyses
