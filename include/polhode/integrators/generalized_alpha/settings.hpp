// SPDX-License-Identifier: BSD-3-Clause
// Settings of the Lie group methods of the generalized-alpha family, beside those that all methods may have.
#pragma once
#include "polhode/model/settings.hpp"

namespace polhode::integrators {

// Of rotations' velocities and increments: left-trivialized, Rdot = R Omega~ with Omega in the body frame (BCA12), or
// right-trivialized, Rdot = omega~ R with omega in inertial components (spatial_lie_alpha.hpp).
enum class Frame { body, spatial };

struct LieAlphaSettings {
  Frame frame = Frame::body;
};

extern const model::SettingsTable lie_alpha_table;

}  // namespace polhode::integrators
