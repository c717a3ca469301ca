// SPDX-License-Identifier: BSD-3-Clause
// Settings of the Rosenbrock family.
#pragma once
#include "polhode/model/settings.hpp"

namespace polhode::integrators {

// What the coordinates of state-space methods are independent of: see lift.hpp.
enum class Coordinates { weighted, mass, partition };

// Of the error of a step: as it is, or through (I - h gamma J)^-1, J of the system of first order.
enum class ErrorEstimate { plain, filtered };

struct RosenbrockSettings {
  Coordinates coordinates = Coordinates::weighted;
  ErrorEstimate estimate = ErrorEstimate::plain;
};

extern const model::SettingsTable rosenbrock_table;

}  // namespace polhode::integrators
