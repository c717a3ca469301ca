// SPDX-License-Identifier: BSD-3-Clause
// The prismatic joint, free, loaded or driven: inputs, outputs and building.
#include "elements/joints/prismatic/prismatic.hpp"

namespace polhode::elements {
namespace {

constexpr std::array fields{connects_field,
                            at_field,
                            axis_field,
                            translation_field,
                            axis_law::displacement_fields[0],
                            axis_law::displacement_fields[1],
                            axis_law::displacement_fields[2],
                            axis_law::displacement_fields[3],
                            axis_law::displacement_fields[4]};
constexpr std::array outputs{
    force_output, moment_output, model::Output{"coordinates", "m", "", "displacement of b against a along the axis", 1},
    model::Output{"axis_force", "N", "",
                  "force on b along the axis: of the drive, or of spring, damper, friction, motor", 1}};

void build(const model::Entry& entry, model::Builder& builder) {
  const int a = builder.node(entry.names("connects")[0]);
  const int b = builder.node(entry.names("connects")[1]);
  axis_law::check(entry, builder, "translation");
  if (!check_rotations(entry, builder, a, b)) return;
  const Markers markers = make_markers(builder, a, b, entry.vector3("at"), entry.vector3("axis"));
  if (entry.has("translation"))
    builder.add<DrivenPrismatic>(entry, {a, b}, {markers, entry.function("translation")});
  else if (axis_law::given(entry))
    builder.add<LoadedPrismatic>(entry, {a, b}, {markers, axis_law::read(entry)});
  else
    builder.add<Prismatic>(entry, {a, b}, markers);
  builder.add_topology(model::JointTopology{builder.index_of(entry), {a, b}, {markers.s_a, markers.s_b}});
}

}  // namespace

const model::KindInfo prismatic_info{
    "prismatic",
    model::Family::joint,
    "b slides along an axis of a without turning; free, driven, or with spring, damper, friction, motor",
    fields,
    outputs,
    build,
    model::samples<Prismatic, DrivenPrismatic, LoadedPrismatic>};

}  // namespace polhode::elements
