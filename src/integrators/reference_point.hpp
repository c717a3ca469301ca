// SPDX-License-Identifier: BSD-3-Clause
// Where positions are measured from, so that errors relative to them say something far from the origin, too.
#pragma once
#include "polhode/assembly/system.hpp"

namespace polhode::integrators {

// Inertial, m: the origin, where that is no further than the length of the model from the center of its nodes in each
// direction; else the nearest point that is.
inline math::Vec3 reference_point(const assembly::System& system) {
  Eigen::AlignedBox3d box;
  for (std::size_t i = 1; i < system.nodes(); ++i) box.extend(system.node(i).position);
  if (box.isEmpty()) return math::Vec3::Zero();
  const math::Vec3 reach = math::Vec3::Constant(system.length());
  return math::Vec3::Zero().cwiseMax(box.center() - reach).cwiseMin(box.center() + reach);
}

}  // namespace polhode::integrators
