// SPDX-License-Identifier: BSD-3-Clause
// What to say where nothing shows how large a model is.
#pragma once
#include <string>

#include "polhode/assembly/system.hpp"

namespace polhode::run {

// Tolerances are relative to a size that nobody gave: "" where it is known.
std::string warning_of_unknown_size(const assembly::System& system);

}  // namespace polhode::run
