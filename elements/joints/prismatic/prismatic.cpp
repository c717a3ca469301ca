// SPDX-License-Identifier: BSD-3-Clause
// The prismatic joint, free, loaded or driven: inputs, outputs and building.
#include "elements/joints/prismatic/prismatic.hpp"

#include "elements/joints/rows/axis_sensor.hpp"
#include "elements/joints/rows/initial_coordinate.hpp"

namespace polhode::elements {
namespace {

// The fields of a law stand at the top level: this joint has one coordinate.
constexpr std::array fields{connects_field,
                            at_field,
                            axis_field,
                            translation_field,
                            axis_law::displacement_fields[0],
                            axis_law::displacement_fields[1],
                            axis_law::displacement_fields[2],
                            axis_law::displacement_fields[3],
                            axis_law::displacement_fields[4],
                            axis_law::displacement_fields[5],
                            axis_law::displacement_fields[6],
                            initial_displacement_field};
constexpr std::array outputs{
    force_output, moment_output, model::Output{"coordinates", "m", "", "displacement of b against a along the axis", 1},
    model::Output{"axis_force", "N", "", "force on b along the axis: of the drive, or of the law", 1},
    model::Output{"rates", "m/s", "", "rate of the displacement", 1}};

template <class Kind>
void add_prismatic(const model::Entry& entry, model::Builder& builder, const std::array<int, 2>& at,
                   typename Kind::Data data, std::vector<DriveOutput> drives = {}) {
  const Markers markers = data;
  add_joint<Kind>(entry, builder, at, std::move(data), std::move(drives));
  add_coordinate<Kind, AxisDisplacement>(entry, builder, at, markers, 0);
}

// Three kinds, so that a joint without drive and law pays for neither rows nor forces.
void build(const model::Entry& entry, model::Builder& builder) {
  const auto [a, b] = connected(entry, builder);
  axis_law::check(entry, builder, "translation");
  check_initial(entry, builder);
  if (!check_rotations(entry, builder, a, b)) return;
  const Markers markers = make_markers(builder, a, b, entry.vector3("at"), entry.vector3("axis"));
  if (entry.has("translation"))
    add_prismatic<DrivenPrismatic>(entry, builder, {a, b}, {markers, entry.function("translation")},
                                   {{"axis_force", 5}});
  else if (axis_law::given(entry))
    add_prismatic<LoadedPrismatic>(
        entry, builder, {a, b},
        {markers, axis_law::read(entry, builder, axis_law::starting_rate<AxisDisplacement>(builder, {a, b}, markers))});
  else
    add_prismatic<Prismatic>(entry, builder, {a, b}, markers);
}

}  // namespace

const model::KindInfo prismatic_info{
    "prismatic",
    model::Family::joint,
    "b slides along an axis of a without turning; free, driven, or with spring, damper, friction, motor, law, stops",
    fields,
    outputs,
    build,
    model::samples<Prismatic, DrivenPrismatic, LoadedPrismatic>};

}  // namespace polhode::elements
