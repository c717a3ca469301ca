// SPDX-License-Identifier: BSD-3-Clause
// Heights of roads.
#include "elements/forces/tyre/road.hpp"

#include <cmath>

namespace polhode::elements {

// Bumps stand on the road as it is below their axis.
Road::Road(model::TimeFunction height, std::optional<model::Table> profile, std::vector<double> bumps,
           double bump_radius, double wheel_radius)
    : height_(std::move(height)),
      profile_(std::move(profile)),
      wheel_radius_(wheel_radius),
      distance_(wheel_radius + bump_radius) {
  for (const double x : bumps) bumps_.push_back({x, base(x).value});
}

std::optional<double> Road::bump_on_nothing() const {
  for (const Bump& bump : bumps_)
    if (!std::isfinite(bump.base)) return bump.x;
  return std::nullopt;
}

// Sum of formula and table with two derivatives, as the tangent of the damper needs the curvature.
model::Jet Road::base(double x) const {
  model::Jet jet = height_(x);
  if (profile_) {
    const model::Jet more = (*profile_)(x);
    jet.value += more.value;
    jet.first += more.first;
    jet.second += more.second;
  }
  return jet;
}

// Center of a disc on a circle of radius R + r about the bump's axis, less R;
// slope -dx/rise and curvature -(R + r)^2/rise^3 of that circle. Where several apply the highest carries the
// wheel.
model::Jet Road::operator()(double x) const {
  model::Jet jet = base(x);
  for (const Bump& bump : bumps_) {
    const double dx = x - bump.x;
    if (!(std::abs(dx) < distance_)) continue;
    const double rise = std::sqrt(distance_ * distance_ - dx * dx);
    const double value = bump.base + rise - wheel_radius_;
    if (value > jet.value) jet = {value, -dx / rise, -distance_ * distance_ / (rise * rise * rise)};
  }
  return jet;
}

}  // namespace polhode::elements
