// SPDX-License-Identifier: BSD-3-Clause
// Messages of the mechanics name units of SI; a deck may have declared others.
#pragma once
#include <string>

#include "polhode/model/units.hpp"

namespace polhode::model {

// A message with the units that stand behind its numbers as the deck names them: "0.3 J" -> "0.3 N mm",
// "t = 2 s" -> "t = 2 ms". Seconds that are not behind "t = " are those of the processor, and stay.
std::string in_units_of_deck(std::string text, const Units& units);

}  // namespace polhode::model
