// SPDX-License-Identifier: BSD-3-Clause
// The units that a deck declares for its numbers. Nothing is converted: the equations hold in any consistent set, and
// the units of results are named after the deck's.
#pragma once
#include <string>
#include <string_view>

#include "polhode/model/settings.hpp"

namespace polhode::model {

// `units` of a deck; SI without. Force is that of mass length / time^2, whether the deck names it or not.
struct Units {
  std::string length = "m";
  std::string mass = "kg";
  std::string time = "s";
  // Empty until the deck is read: the unit that follows from the others.
  std::string force = "";

  bool are_si() const { return length == "m" && mass == "kg" && time == "s"; }
  // A unit of SI in these: "N m" -> "N mm", "J" -> "N mm", "kg m/s^2" -> "t mm/s^2". Texts with other words stay as
  // they are.
  std::string name_of(std::string_view si) const;
  // One of it in SI: of "m/s^2" 0.001 where lengths are in mm. The unit has m, kg, s, N, J, W, Pa, Hz and rad, and
  // powers.
  double size_of(std::string_view si) const;
};

// Refuses a force that is not mass length / time^2, with both in SI.
extern const SettingsTable units_table;

}  // namespace polhode::model
