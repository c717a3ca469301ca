// SPDX-License-Identifier: BSD-3-Clause
// The analysis that makes a start meet all constraints has no keys of its own.
#include "polhode/analyses/settings.hpp"

namespace polhode::analyses {

const model::SettingsTable initial_table{
    "initial",
    "Positions and velocities are changed until they meet all constraints, by the least change in the norm of the mass "
    "matrix; what was moved is reported.",
    {}};

}  // namespace polhode::analyses
