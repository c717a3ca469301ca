// SPDX-License-Identifier: BSD-3-Clause
// Parts of a model that nothing can hold: neither supports nor forces that depend on where they are.
#pragma once
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::analyses {

// By node, 1 where it belongs to such a part: no element leads from there to the ground or to a fixed node, and all that
// acts there are loads of fixed direction and gravity. A load on it that is not balanced has no equilibrium anywhere.
std::vector<char> nodes_of_loose_parts(const assembly::System& system);

}  // namespace polhode::analyses
