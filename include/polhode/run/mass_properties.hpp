// SPDX-License-Identifier: BSD-3-Clause
// Mass, center of mass and inertia of bodies, beams and the whole model.
#pragma once
#include <string>
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::run {

struct MassProperties {
  std::string path;                         // "bodies.hub"; "" of the whole model
  double mass = 0;                          // kg
  math::Vec3 center = math::Vec3::Zero();   // of mass, m, inertial
  math::Mat3 inertia = math::Mat3::Zero();  // about the center, axes of the inertial frame, kg m^2
};

// In the configuration `q`, whose velocities do not count: the whole model first, then each entry that has a mass, in
// the order of the deck. Fixed nodes count with the mass of what is attached to them.
std::vector<MassProperties> mass_properties_of(const assembly::System& system, model::State q);

}  // namespace polhode::run
