// SPDX-License-Identifier: BSD-3-Clause
// What a results file holds of the model itself: names of nodes, and what beams, joints and bodies connect.
#pragma once
#include <vector>

#include "polhode/assembly/system.hpp"
#include "polhode/results/channel.hpp"

namespace polhode::results {

// /nodes/names; /beams/<name>/nodes; /joints/<name>/{nodes, offsets}; /bodies/<name>/{node, mass, center_of_mass,
// inertia}. Indices count the nodes without the ground, which is -1. Points are offsets in the node's frame, m.
std::vector<StaticData> fixed_data(const assembly::System& system);

}  // namespace polhode::results
