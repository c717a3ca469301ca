// SPDX-License-Identifier: BSD-3-Clause
// The revolute joint, free, loaded or driven: inputs, outputs and building.
#include "elements/joints/revolute/revolute.hpp"

#include "elements/joints/rows/axis_sensor.hpp"
#include "elements/joints/rows/initial_coordinate.hpp"

namespace polhode::elements {
namespace {

// The fields of a law stand at the top level: this joint has one coordinate.
constexpr std::array fields{connects_field,
                            at_field,
                            axis_field,
                            rotation_field,
                            axis_law::angle_fields[0],
                            axis_law::angle_fields[1],
                            axis_law::angle_fields[2],
                            axis_law::angle_fields[3],
                            axis_law::angle_fields[4],
                            axis_law::angle_fields[5],
                            axis_law::angle_fields[6],
                            initial_angle_field};
constexpr std::array outputs{
    force_output, moment_output,
    model::Output{"coordinates", "rad", "", "angle of b against a about the axis, counted without jumps", 1},
    model::Output{"axis_torque", "N m", "", "torque on b about the axis: of the drive, or of the law", 1},
    model::Output{"rates", "rad/s", "", "rate of the angle", 1}};

template <class Kind>
void add_revolute(const model::Entry& entry, model::Builder& builder, const std::array<int, 2>& at,
                  typename Kind::Data data, std::vector<DriveOutput> drives = {}) {
  const Markers markers = data;
  add_joint<Kind>(entry, builder, at, std::move(data), std::move(drives));
  add_coordinate<Kind, AxisAngle>(entry, builder, at, markers, 0);
}

// Three kinds, so that a joint without drive and law pays for neither rows nor forces.
void build(const model::Entry& entry, model::Builder& builder) {
  const auto [a, b] = connected(entry, builder);
  axis_law::check(entry, builder, "rotation");
  check_initial(entry, builder);
  if (!check_rotations(entry, builder, a, b)) return;
  const Markers markers = make_markers(builder, a, b, entry.vector3("at"), entry.vector3("axis"));
  if (entry.has("rotation"))
    add_revolute<DrivenRevolute>(entry, builder, {a, b}, {markers, entry.function("rotation")}, {{"axis_torque", 5}});
  else if (axis_law::given(entry))
    add_revolute<LoadedRevolute>(
        entry, builder, {a, b},
        {markers, axis_law::read(entry, builder, axis_law::starting_rate<AxisAngle>(builder, {a, b}, markers))});
  else
    add_revolute<Revolute>(entry, builder, {a, b}, markers);
}

}  // namespace

const model::KindInfo revolute_info{
    "revolute",
    model::Family::joint,
    "a point and an axis in common; free, driven, or with spring, damper, friction, motor, law, stops",
    fields,
    outputs,
    build,
    model::samples<Revolute, DrivenRevolute, LoadedRevolute>};

}  // namespace polhode::elements
