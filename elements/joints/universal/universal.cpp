// SPDX-License-Identifier: BSD-3-Clause
// The universal joint: its two angles, inputs and building.
#include "elements/joints/universal/universal.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "elements/joints/rows/axis_sensor.hpp"
#include "elements/joints/rows/driven_coordinate.hpp"
#include "elements/joints/rows/initial_coordinate.hpp"

namespace polhode::elements {

// R_a^T R_b = R_1(phi_1) R_2(phi_2) in the axes (u, v, w) of the cross has the entries (w, v) = sin phi_1,
// (v, v) = cos phi_1, (u, w) = sin phi_2 and (u, u) = cos phi_2; (u, v) = 0 is the constraint equation.
void Universal::update_history(const Data& d, const PairNodes& n, const model::Context&, double* h) {
  const auto product = [&](int i, int j) { return rows::dot(n, d.E_a.col(i), d.E_b.col(j)); };
  h[0] = unwrap(std::atan2(product(2, 1), product(1, 1)), h[0]);
  h[1] = unwrap(std::atan2(product(0, 2), product(0, 0)), h[1]);
}

namespace {

constexpr double right_angle_tolerance = 1e-6;  // rad; what is below it is taken for round-off of the deck

constexpr std::array fields{
    connects_field, at_field,
    model::Field{.name = "axes",
                 .type = model::FieldType::axes,
                 .unit = "",
                 .doc = "the axes of the cross on a and on b, at right angles, inertial, in the initial configuration",
                 .required = true,
                 .frame = model::Frame::direction},
    initial_cross_field};
constexpr std::array outputs{
    force_output, moment_output,
    model::Output{"coordinates", "rad", "", "angles of b against a about the axis on a, then about that on b", 2},
    model::Output{"rates", "rad/s", "", "rates of both angles", 2}};

// The frame (u, v, u x v) of the cross, or a problem: at any other angle the start would break the joint, and with
// parallel axes the row u . v has no gradient.
bool check_axes(const model::Entry& entry, model::Builder& builder, Mat3& frame) {
  const math::MatrixX& axes = entry.matrix("axes");
  const Vec3 u = Vec3(axes.col(0)).normalized();
  const Vec3 v = Vec3(axes.col(1)).normalized();
  const double cosine = u.dot(v);
  const double sine = u.cross(v).norm();
  if (sine < right_angle_tolerance) {
    builder.problem(entry, "axes",
                    "the axes of the cross are parallel, the singular position of this joint; give the one on a and "
                    "the one on b at right angles");
    return false;
  }
  if (std::abs(cosine) > right_angle_tolerance) {
    builder.problem(entry, "axes",
                    fmt::format("the axes of the cross enclose {:.6g} degrees; they must be at right angles",
                                std::atan2(sine, cosine) * 180 / std::numbers::pi));
    return false;
  }
  frame = axes_of_cross(axes);
  return true;
}

void build(const model::Entry& entry, model::Builder& builder) {
  const auto [a, b] = connected(entry, builder);
  Mat3 frame;
  if (!check_rotations(entry, builder, a, b) || !check_axes(entry, builder, frame)) return;
  const Vec3 at = entry.vector3("at");
  const Markers markers = make_markers(builder, a, b, at, at, frame);
  add_joint<Universal>(entry, builder, {a, b}, markers);
  add_coordinate<Universal, AxisAngle>(entry, builder, {a, b}, with_axes(markers, 1, 2, 0), 0, 0);
  add_coordinate<Universal, AxisAngle>(entry, builder, {b, a}, second_of_cross(markers), 1, 1);
  add_driven_coordinates(entry, builder, {a, b}, markers);
}

}  // namespace

const model::KindInfo universal_info{
    "universal", model::Family::joint,     "a point in common, and an axis of a normal to one of b", fields, outputs,
    build,       model::samples<Universal>};

}  // namespace polhode::elements
