// SPDX-License-Identifier: BSD-3-Clause
// Units of channels and of data, by the names that the deck has for them.
#include "polhode/results/deck_units.hpp"

namespace polhode::results {

// Lists of units, one an entity, are data themselves.
void name_units(StaticData& data, const model::Units& units) {
  data.units = units.name_of(data.units);
  if (data.path.ends_with("_units"))
    for (std::string& one : data.names) one = units.name_of(one);
}

// Shared channels have units of their own for each kind of entity.
void name_units(Layout& layout, const model::Units& units) {
  if (units.are_si()) return;
  for (std::vector<Channel>* channels : {&layout.states, &layout.steps})
    for (Channel& channel : *channels) {
      channel.units = units.name_of(channel.units);
      for (PartForm& form : channel.forms) form.units = units.name_of(form.units);
    }
  for (StaticData& data : layout.statics) name_units(data, units);
}

}  // namespace polhode::results
