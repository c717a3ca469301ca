// SPDX-License-Identifier: BSD-3-Clause
// The keys of a deck that are bound to members of Model itself.
#pragma once
#include "polhode/model/model.hpp"
#include "polhode/model/settings.hpp"

namespace polhode::model {

// `constraints`: how redundant constraints are met
extern const SettingsTable constraints_table;
// `initial`: how well the start must meet the constraints
extern const SettingsTable initial_table;

}  // namespace polhode::model
