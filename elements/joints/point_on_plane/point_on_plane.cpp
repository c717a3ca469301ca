// SPDX-License-Identifier: BSD-3-Clause
// Point on a plane: inputs, outputs and building.
#include "elements/joints/point_on_plane/point_on_plane.hpp"

namespace polhode::elements {
namespace {

constexpr model::Field normal_field{.name = "axis",
                                    .type = model::FieldType::direction,
                                    .unit = "",
                                    .doc = "the plane's normal, inertial, in the initial configuration",
                                    .required = true};
constexpr std::array fields{connects_field, at_field, normal_field};
constexpr std::array outputs{
    force_output, moment_output,
    model::Output{"coordinates", "m", "",
                  "displacements of the point of b in the plane, along t1 and t2: t1 is the inertial axis that is most "
                  "nearly normal to `axis`, made normal to it; t2 = axis x t1; both fixed on a",
                  2}};

void build(const model::Entry& entry, model::Builder& builder) {
  const int a = builder.node(entry.names("connects")[0]);
  const int b = builder.node(entry.names("connects")[1]);
  const Markers markers = make_markers(builder, a, b, entry.vector3("at"), entry.vector3("axis"));
  if (!check_rotations(entry, builder, a, 0) || !check_point(entry, builder, b, markers.s_b)) return;
  builder.add<PointOnPlane>(entry, {a, b}, markers);
  builder.add_topology(model::JointTopology{builder.index_of(entry), {a, b}, {markers.s_a, markers.s_b}});
}

}  // namespace

const model::KindInfo point_on_plane_info{"point_on_plane",
                                          model::Family::joint,
                                          "a point of b stays in a plane of a",
                                          fields,
                                          outputs,
                                          build,
                                          model::samples<PointOnPlane>};

}  // namespace polhode::elements
