// SPDX-License-Identifier: BSD-3-Clause
// Results in the units of the deck: their numbers are those of the deck already, so that only names change.
#pragma once
#include "polhode/model/units.hpp"
#include "polhode/results/channel.hpp"

namespace polhode::results {

// Names the units of all channels and data after the deck's.
void name_units(Layout& layout, const model::Units& units);
void name_units(StaticData& data, const model::Units& units);

}  // namespace polhode::results
