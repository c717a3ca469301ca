// SPDX-License-Identifier: BSD-3-Clause
// The planar joint: inputs, outputs and building.
#include "elements/joints/planar/planar.hpp"

#include "elements/joints/rows/axis_sensor.hpp"
#include "elements/joints/rows/driven_coordinate.hpp"
#include "elements/joints/rows/initial_coordinate.hpp"

namespace polhode::elements {
namespace {

constexpr std::array fields{connects_field, at_field, normal_field, initial_planar_field};
// t1 and t2 are those of axes_along() in rows.cpp.
constexpr std::array outputs{
    force_output, moment_output,
    model::Output{
        "coordinates", "m, m, rad", "",
        "displacements of b in the plane, along t1 and t2, and its angle about the normal, without jumps; t1 is the "
        "inertial axis that is most nearly normal to `axis`, made normal to it; t2 = axis x t1; both fixed on a",
        3},
    model::Output{"rates", "m/s, m/s, rad/s", "", "rates of these coordinates", 3}};

void build(const model::Entry& entry, model::Builder& builder) {
  const auto [a, b] = connected(entry, builder);
  if (!check_rotations(entry, builder, a, b)) return;
  const Markers markers = make_markers(builder, a, b, entry.vector3("at"), entry.vector3("axis"));
  add_joint<Planar>(entry, builder, {a, b}, markers);
  add_displacements<Planar>(entry, builder, {a, b}, markers, 2);
  add_coordinate<Planar, AxisAngle>(entry, builder, {a, b}, markers, 2);
  add_driven_coordinates(entry, builder, {a, b}, markers);
}

}  // namespace

const model::KindInfo planar_info{
    "planar", model::Family::joint,  "b moves in a plane of a and turns about its normal", fields, outputs,
    build,    model::samples<Planar>};

}  // namespace polhode::elements
