// SPDX-License-Identifier: BSD-3-Clause
// Drives of joints that jump in value or in rate: impulses, whose work no balance of energy has.
#pragma once
#include <vector>

#include "polhode/analyses/transient/transient.hpp"

namespace polhode::analyses {

// Times within `duration`, s, from q.t on, ascending, at which Phi or Phi_t jumps: of breakpoints of functions of time,
// by the values a little before and after each, at the configuration of `q`. All breakpoints where there are many,
// which are knots of tables: they do not jump, and most have a kink.
// Warns of drives that jump in value: constraints that no motion can follow, at times that only functions of time
// decide.
std::vector<double> find_impulses(const assembly::System& system, const State& q, double duration, Observer& observer);

}  // namespace polhode::analyses
