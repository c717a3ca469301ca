// SPDX-License-Identifier: BSD-3-Clause
// Joints that an analysis locks and releases at its start, before anything else.
#pragma once
#include <string>

#include "polhode/assembly/system.hpp"

namespace polhode::analyses {

// Does with `q` what `released` and `locked` of the analysis say, `path` its place in the deck: "analysis.1".
// Velocities change by impulses, as at an event; `work`, J, gets what the energy changes by. One line for a person, ""
// where there is nothing to do; problems where it cannot be done.
std::string start_joints(const assembly::System& system, const std::string& path, model::State& q, double& work,
                         model::Problems& problems);

}  // namespace polhode::analyses
