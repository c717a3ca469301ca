// SPDX-License-Identifier: BSD-3-Clause
// Coordinates of joints as initial values: the key `initial` of kinds that have coordinates.
//
// Values and rates belong to coordinates that are free (polhode/model/initial_coordinate.hpp); the analyses move the
// model there (analyses/initial/posture.hpp), by a copy of it whose joints are driven to their coordinates
// (driven_coordinate.hpp).
#pragma once
#include <string_view>

#include "polhode/model/builder.hpp"

namespace polhode::elements {

// Reports an initial value or rate of a coordinate that is driven: the drive gives both.
void check_initial(const model::Entry& entry, model::Builder& builder);

namespace initial_coordinate {

inline constexpr std::string_view of_angle =
    "angle of b against a about the axis at the start, zero in the deck's configuration; what hangs on the joint turns "
    "along";
inline constexpr std::string_view of_displacement =
    "displacement of b against a along the axis at the start, zero in the deck's configuration; what hangs on the "
    "joint moves along";
inline constexpr std::string_view rate_of_angle = "rate of the angle at the start";
inline constexpr std::string_view rate_of_displacement = "rate of the displacement at the start";

constexpr model::Field number(std::string_view name, std::string_view unit, std::string_view doc) {
  return {.name = name, .type = model::FieldType::number, .unit = unit, .doc = doc};
}
constexpr model::Field vector(std::string_view name, std::string_view unit, std::string_view doc) {
  return {.name = name, .type = model::FieldType::vector3, .unit = unit, .doc = doc, .frame = model::Frame::direction};
}
constexpr model::Field group(std::span<const model::Field> members) {
  return {
      .name = "initial",
      .type = model::FieldType::group,
      .unit = "",
      .doc = "coordinates at the start, of a joint that is not driven; what is not given follows with the least change",
      .members = members};
}

// Of joints with one coordinate `rate` is its rate; of joints with several each has its own.
inline constexpr std::array angle_members{number("angle", "rad", of_angle), number("rate", "rad/s", rate_of_angle)};
inline constexpr std::array displacement_members{number("displacement", "m", of_displacement),
                                                 number("rate", "m/s", rate_of_displacement)};
inline constexpr std::array both_members{number("angle", "rad", of_angle), number("angle_rate", "rad/s", rate_of_angle),
                                         number("displacement", "m", of_displacement),
                                         number("displacement_rate", "m/s", rate_of_displacement)};
inline constexpr std::array in_plane_members{
    number("displacement_1", "m", "displacement of b against a along t1 at the start, as results have it"),
    number("displacement_1_rate", "m/s", "rate of displacement_1 at the start"),
    number("displacement_2", "m", "displacement of b against a along t2 at the start"),
    number("displacement_2_rate", "m/s", "rate of displacement_2 at the start")};
inline constexpr std::array planar_members{in_plane_members[0],
                                           in_plane_members[1],
                                           in_plane_members[2],
                                           in_plane_members[3],
                                           number("angle", "rad", "angle of b against a about the normal at the start"),
                                           number("angle_rate", "rad/s", rate_of_angle)};
inline constexpr std::array cross_members{
    number("angle_1", "rad", "angle of b against a about the axis of the cross on a at the start; it is turned first"),
    number("angle_1_rate", "rad/s", "rate of angle_1 at the start"),
    number("angle_2", "rad", "angle of b against a about the axis of the cross on b at the start"),
    number("angle_2_rate", "rad/s", "rate of angle_2 at the start")};
inline constexpr std::array ball_members{
    vector(
        "rotation_vector", "rad",
        "rotation of b against a at the start, axis times angle, half a turn at most; in the axes that a has in common "
        "with the inertial frame in the deck's configuration"),
    vector("angular_velocity", "rad/s", "angular velocity of b against a at the start, in the same axes on a")};

}  // namespace initial_coordinate

// The field `initial` of joints with an angle; a displacement; both; two displacements; these and an angle; the two angles
// of a cross; a rotation vector.
inline constexpr model::Field initial_angle_field = initial_coordinate::group(initial_coordinate::angle_members);
inline constexpr model::Field initial_displacement_field =
    initial_coordinate::group(initial_coordinate::displacement_members);
inline constexpr model::Field initial_both_field = initial_coordinate::group(initial_coordinate::both_members);
inline constexpr model::Field initial_in_plane_field = initial_coordinate::group(initial_coordinate::in_plane_members);
inline constexpr model::Field initial_planar_field = initial_coordinate::group(initial_coordinate::planar_members);
inline constexpr model::Field initial_cross_field = initial_coordinate::group(initial_coordinate::cross_members);
inline constexpr model::Field initial_ball_field = initial_coordinate::group(initial_coordinate::ball_members);

}  // namespace polhode::elements
