// SPDX-License-Identifier: BSD-3-Clause
// The cylindrical joint with its drives and laws: inputs, outputs and building.
#include "elements/joints/cylindrical/cylindrical.hpp"

#include "elements/joints/rows/axis_sensor.hpp"
#include "elements/joints/rows/initial_coordinate.hpp"

namespace polhode::elements {
namespace {

// Laws stand in groups, since there are two coordinates; a drive excludes the law of its own.
constexpr std::array fields{
    connects_field,
    at_field,
    axis_field,
    rotation_field,
    translation_field,
    model::Field{.name = "about",
                 .type = model::FieldType::group,
                 .unit = "",
                 .doc = "spring, damper, friction, motor, law, stops of an angle that is not driven",
                 .members = axis_law::angle_fields},
    model::Field{.name = "along",
                 .type = model::FieldType::group,
                 .unit = "",
                 .doc = "spring, damper, friction, motor, law, stops of a displacement that is not driven",
                 .members = axis_law::displacement_fields},
    initial_both_field};
constexpr std::array outputs{
    force_output,
    moment_output,
    model::Output{"coordinates", "rad, m", "",
                  "angle of b against a about the axis, counted without jumps, and displacement along it", 2},
    model::Output{"axis_torque", "N m", "", "torque on b about the axis: of the drive, or of the law", 1},
    model::Output{"axis_force", "N", "", "force on b along the axis: of the drive, or of the law", 1},
    model::Output{"rates", "rad/s, m/s", "", "rates of both coordinates", 2}};

// Whether a coordinate is driven is part of the type, as the number of rows depends on it.
// Laws are read in any case: those beside a drive have been reported, and others are zero.
template <bool rotation, bool translation>
void add(const model::Entry& entry, model::Builder& builder, const std::array<int, 2>& at, const Markers& markers) {
  typename Cylindrical<rotation, translation>::Data d{
      markers,
      {},
      {},
      axis_law::read(entry, builder, axis_law::starting_rate<AxisAngle>(builder, at, markers), "about."),
      axis_law::read(entry, builder, axis_law::starting_rate<AxisDisplacement>(builder, at, markers), "along.")};
  if constexpr (rotation) d.rotation_drive = entry.function("rotation");
  if constexpr (translation) d.translation_drive = entry.function("translation");
  using Kind = Cylindrical<rotation, translation>;
  std::vector<DriveOutput> drives;
  if constexpr (rotation) drives.push_back({"axis_torque", 4});
  if constexpr (translation) drives.push_back({"axis_force", Kind::m - 1});
  add_joint<Kind>(entry, builder, at, std::move(d), std::move(drives));
  add_coordinate<Kind, AxisAngle>(entry, builder, at, markers, 0);
  add_coordinate<Kind, AxisDisplacement>(entry, builder, at, markers, 1);
}

// One kind of joint in the deck, four in the solver.
void build(const model::Entry& entry, model::Builder& builder) {
  const auto [a, b] = connected(entry, builder);
  axis_law::check(entry, builder, "rotation", "about.");
  axis_law::check(entry, builder, "translation", "along.");
  check_initial(entry, builder);
  if (!check_rotations(entry, builder, a, b)) return;
  const Markers markers = make_markers(builder, a, b, entry.vector3("at"), entry.vector3("axis"));
  const bool rotation = entry.has("rotation");
  const bool translation = entry.has("translation");
  if (rotation && translation)
    add<true, true>(entry, builder, {a, b}, markers);
  else if (rotation)
    add<true, false>(entry, builder, {a, b}, markers);
  else if (translation)
    add<false, true>(entry, builder, {a, b}, markers);
  else
    add<false, false>(entry, builder, {a, b}, markers);
}

}  // namespace

const model::KindInfo cylindrical_info{
    "cylindrical",
    model::Family::joint,
    "an axis in common; angle and displacement free, driven, or with spring, damper, friction, motor, law, stops",
    fields,
    outputs,
    build,
    model::samples<Cylindrical<false, false>, Cylindrical<true, false>, Cylindrical<false, true>,
                   Cylindrical<true, true>>};

}  // namespace polhode::elements
