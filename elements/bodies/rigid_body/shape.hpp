// SPDX-License-Identifier: BSD-3-Clause
// Rigid bodies by their shape: volume and inertia of unit mass about the center, in the axes of the shape.
//
//   box       a x b x c              J_x/m = (b^2 + c^2)/12, and so on around
//   tube      radii r, r_i, length l along an axis: J/m = (r^2 + r_i^2)/2 along it,
//             (3 (r^2 + r_i^2) + l^2)/12 across it
//   cylinder  a tube with r_i = 0
//   sphere    J/m = 2 r^2/5
#pragma once
#include <optional>

#include "polhode/model/builder.hpp"

namespace polhode::elements {

struct BodyShape {
  // m^3
  double volume;
  // Principal moments over mass, m^2, about the center, in the axes of the shape
  math::Vec3 specific_inertia;
};

// Edge lengths along x, y, z, m.
BodyShape box(const math::Vec3& size);
// Radii and length in m, inner_radius below radius; axis: along x (0), y (1) or z (2).
BodyShape tube(double radius, double inner_radius, double length, int axis);
// Radius in m.
BodyShape sphere(double radius);

// Names in the deck: of `shape` and of `along`.
inline constexpr std::array<std::string_view, 4> body_shapes{"box", "cylinder", "sphere", "tube"};
inline constexpr std::array<std::string_view, 3> body_axes{"x", "y", "z"};

// The shape of an entry, or nothing; what is missing or out of place is reported.
std::optional<BodyShape> read_body_shape(const model::Entry& entry, model::Builder& builder);

}  // namespace polhode::elements
