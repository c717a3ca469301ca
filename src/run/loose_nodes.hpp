// SPDX-License-Identifier: BSD-3-Clause
// Nodes that do no harm, and nothing else either.
#pragma once
#include <string>

#include "polhode/assembly/system.hpp"

namespace polhode::run {

// A warning that names fixed nodes to which nothing refers; "" where there are none. A node that is free to move and to
// which nothing refers is a problem of the model (System::make).
std::string warning_of_loose_nodes(const assembly::System& system);

}  // namespace polhode::run
