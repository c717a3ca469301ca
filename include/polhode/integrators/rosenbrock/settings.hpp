// SPDX-License-Identifier: BSD-3-Clause
// Settings of the Rosenbrock family.
#pragma once
#include "polhode/model/settings.hpp"

namespace polhode::integrators {

// What the coordinates of state-space methods are independent of: see lift.hpp.
enum class Coordinates { weighted, mass, partition };

struct RosenbrockSettings {
  Coordinates coordinates = Coordinates::weighted;
};

extern const model::SettingsTable rosenbrock_table;

}  // namespace polhode::integrators
