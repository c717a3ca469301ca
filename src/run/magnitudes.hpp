// SPDX-License-Identifier: BSD-3-Clause
// Numbers of a deck that point to mixed units.
#pragma once
#include <string>
#include <vector>

#include "polhode/io/deck/deck.hpp"

namespace polhode::run {

// Gravity, densities and stiffnesses of sections that no material or place on a planet has, in the units that the deck
// declares, or SI: a line each, with the number and what to do.
std::vector<std::string> warnings_of_magnitudes(const io::Deck& deck);

}  // namespace polhode::run
