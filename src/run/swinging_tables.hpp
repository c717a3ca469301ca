// SPDX-License-Identifier: BSD-3-Clause
// Cubic tables that swing far beyond their values.
#pragma once
#include <string>
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::run {

// A natural spline through rows at very uneven distances, such as a narrow peak in a long rest, swings between them by
// many times what its values are. One line for each function that swings beyond them by more than their range.
std::vector<std::string> warnings_of_swinging_tables(const assembly::System& system);

}  // namespace polhode::run
