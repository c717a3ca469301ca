// SPDX-License-Identifier: BSD-3-Clause
// The spherical joint: inputs, outputs and building.
#include "elements/joints/spherical/spherical.hpp"

#include <fmt/format.h>

#include <numbers>

#include "elements/joints/rows/driven_coordinate.hpp"
#include "elements/joints/rows/initial_coordinate.hpp"

namespace polhode::elements {
namespace {

constexpr std::array fields{connects_field, at_field, initial_ball_field};
constexpr std::array outputs{
    force_output, moment_output,
    model::Output{
        "coordinates", "rad", "",
        "rotation vector of b against a, half a turn at most, in the axes that a has in common with the inertial "
        "frame in the deck's configuration; zero where a node has no rotation",
        3},
    model::Output{"rates", "rad/s", "", "derivative of the rotation vector", 3}};

// Beyond half a turn another rotation vector is that of the same rotation, and it is what results show.
void check_turn(const model::Entry& entry, model::Builder& builder, bool turns) {
  constexpr std::string_view of_value = "initial.rotation_vector";
  constexpr std::string_view of_rate = "initial.angular_velocity";
  for (const std::string_view key : {of_value, of_rate})
    if (entry.has(key) && !turns)
      builder.problem(
          entry, key,
          "is of a joint that connects a point without rotation; take `dofs: translation` from the node, or "
          "remove this");
  if (!entry.has(of_value)) return;
  const Vec3 given = entry.vector3(of_value);
  if (given.norm() <= std::numbers::pi) return;
  const Vec3 same = math::so3::log(math::so3::exp_quaternion(given)) + Vec3::Zero();  // no -0
  builder.problem(entry, of_value,
                  fmt::format("is a rotation by {:.6g} rad, beyond half a turn; the same rotation is [{:.6g}, {:.6g}, "
                              "{:.6g}]",
                              given.norm(), same.x(), same.y(), same.z()));
}

// The rows need no rotation: points without one may be joined where they stand at the joint's point.
// Markers have inertial axes, which the rotation vector refers to.
void build(const model::Entry& entry, model::Builder& builder) {
  const auto [a, b] = connected(entry, builder);
  const Markers markers = make_markers(builder, a, b, entry.vector3("at"), Vec3::Zero());
  check_point(entry, builder, a, markers.s_a);
  check_point(entry, builder, b, markers.s_b);
  const bool turns = !builder.at(a).translation_only && !builder.at(b).translation_only;
  check_turn(entry, builder, turns);
  add_joint<Spherical>(entry, builder, {a, b}, {markers, turns});
  add_driven_coordinates(entry, builder, {a, b}, markers);
}

}  // namespace

const model::KindInfo spherical_info{
    "spherical", model::Family::joint,     "a point of a and a point of b coincide", fields, outputs,
    build,       model::samples<Spherical>};

}  // namespace polhode::elements
