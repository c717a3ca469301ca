// SPDX-License-Identifier: BSD-3-Clause
// The spherical joint: inputs, outputs and building.
#include "elements/joints/spherical/spherical.hpp"

namespace polhode::elements {
namespace {

constexpr std::array fields{connects_field, at_field};
constexpr std::array outputs{force_output, moment_output};

// The rows need no rotation: points without one may be joined where they stand at the joint's point.
// Markers have inertial axes, which no row uses.
void build(const model::Entry& entry, model::Builder& builder) {
  const auto [a, b] = connected(entry, builder);
  const Markers markers = make_markers(builder, a, b, entry.vector3("at"), Vec3::Zero());
  check_point(entry, builder, a, markers.s_a);
  check_point(entry, builder, b, markers.s_b);
  add_joint<Spherical>(entry, builder, {a, b}, markers);
}

}  // namespace

const model::KindInfo spherical_info{
    "spherical", model::Family::joint,     "a point of a and a point of b coincide", fields, outputs,
    build,       model::samples<Spherical>};

}  // namespace polhode::elements
