// SPDX-License-Identifier: BSD-3-Clause
// What a results file holds of the model itself: names of nodes, and what beams, joints and bodies connect.
#pragma once
#include "entities.hpp"
#include "polhode/assembly/system.hpp"
#include "polhode/results/channel.hpp"

namespace polhode::results {

// Appends to the statics of the layout, behind its channels:
//   /nodes/names
//   /beams/{names, nodes, node_ranges, segments}
//   /joints/{names, nodes, offsets}
//   /bodies/{names, node, mass, center_of_mass, inertia}
// and the same by name where the group is small: /beams/<name>/nodes, /joints/<name>/offsets, ... Indices count the
// nodes without the ground, which is -1. Points are offsets in the node's frame, m.
void add_fixed_data(const assembly::System& system, const Entities& entities, Layout& layout);

}  // namespace polhode::results
