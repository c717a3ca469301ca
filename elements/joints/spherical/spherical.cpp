// SPDX-License-Identifier: BSD-3-Clause
// The spherical joint: inputs, outputs and building.
#include "elements/joints/spherical/spherical.hpp"

namespace polhode::elements {
namespace {

constexpr std::array fields{connects_field, at_field};
constexpr std::array outputs{force_output, moment_output};

void build(const model::Entry& entry, model::Builder& builder) {
  const int a = builder.node(entry.names("connects")[0]);
  const int b = builder.node(entry.names("connects")[1]);
  const Markers markers = make_markers(builder, a, b, entry.vector3("at"), Vec3::Zero());
  check_point(entry, builder, a, markers.s_a);
  check_point(entry, builder, b, markers.s_b);
  builder.add<Spherical>(entry, {a, b}, markers);
  builder.add_topology(model::JointTopology{builder.index_of(entry), {a, b}, {markers.s_a, markers.s_b}});
}

}  // namespace

const model::KindInfo spherical_info{
    "spherical", model::Family::joint,     "a point of a and a point of b coincide", fields, outputs,
    build,       model::samples<Spherical>};

}  // namespace polhode::elements
