// SPDX-License-Identifier: BSD-3-Clause
// The same machine with loops of control cut: signals that are held where they are, as if a host had set them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::analyses {

struct OpenLoop {
  // `q` as it is, but for states of the signals that are cut. Problems where a name is none that can be cut.
  OpenLoop(const assembly::System& system, const std::vector<std::string>& names, model::State q,
           const std::string& path, model::Problems& problems);

  model::Model model;
  std::optional<assembly::System> system;
  model::State q;
};

// Names alone.
void check_open(const assembly::System& system, const std::vector<std::string>& names, const std::string& path,
                model::Problems& problems);

}  // namespace polhode::analyses
