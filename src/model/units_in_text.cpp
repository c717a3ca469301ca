// SPDX-License-Identifier: BSD-3-Clause
// Units behind numbers, replaced by name.
#include "polhode/model/units_in_text.hpp"

#include <regex>

namespace polhode::model {

std::string in_units_of_deck(std::string text, const Units& units) {
  if (units.are_si()) return text;
  static const std::regex behind_number(R"((t = [-+.\de]+ |[\d\]] )(s|J|N m s|N s|N m|N|kg|m)(?![\w^/]))");
  std::string made;
  auto begin = text.cbegin();
  for (std::smatch found; std::regex_search(begin, text.cend(), found, behind_number); begin = found[0].second) {
    made.append(begin, found[2].first);
    // Other seconds are those of the processor.
    const bool stays = found[2] == "s" && !found[1].str().starts_with("t = ");
    made += stays ? "s" : units.name_of(found[2].str());
  }
  made.append(begin, text.cend());
  return made;
}

}  // namespace polhode::model
