// SPDX-License-Identifier: BSD-3-Clause
// The fixed joint: inputs, outputs and building.
#include "elements/joints/fixed/fixed.hpp"

namespace polhode::elements {
namespace {

constexpr model::Field optional_at{.name = "at",
                                   .type = model::FieldType::vector3,
                                   .unit = "m",
                                   .doc =
                                       "the point at which reactions are given, inertial, initial configuration; "
                                       "default: node b (node a if b is ground)",
                                   .frame = model::Frame::point};
constexpr std::array fields{connects_field, optional_at};
constexpr std::array outputs{force_output, moment_output};

// The point matters for reactions alone; the motion that is locked is the same for any.
// The default is a point of the model: node b, or node a where b is the ground,
// whose node stands at the origin.
void build(const model::Entry& entry, model::Builder& builder) {
  const auto [a, b] = connected(entry, builder);
  if (!check_rotations(entry, builder, a, b)) return;
  const Vec3 at = entry.vector3("at", builder.at(b == 0 ? a : b).position);
  const Markers markers = make_markers(builder, a, b, at, Vec3::Zero());
  add_joint<Fixed>(entry, builder, {a, b}, markers);
}

}  // namespace

const model::KindInfo fixed_info{"fixed", model::Family::joint, "b does not move against a", fields, outputs,
                                 build,   model::samples<Fixed>};

}  // namespace polhode::elements
