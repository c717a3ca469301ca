// SPDX-License-Identifier: BSD-3-Clause
// Coordinates of joints as initial values: the key `initial` of kinds with an angle, a displacement or both.
//
// Values and rates belong to coordinates that are free (polhode/model/initial_coordinate.hpp); the analyses move the
// model there (analyses/initial/posture.hpp).
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
    "displacement of b against a along the axis at the start, zero in the deck's configuration; what hangs on the joint "
    "moves along";

constexpr model::Field number(std::string_view name, std::string_view unit, std::string_view doc) {
  return {.name = name, .type = model::FieldType::number, .unit = unit, .doc = doc};
}
constexpr model::Field group(std::span<const model::Field> members) {
  return {.name = "initial",
          .type = model::FieldType::group,
          .unit = "",
          .doc = "coordinates at the start, of a joint that is not driven; what is not given follows with the least change",
          .members = members};
}

// Of joints with one coordinate `rate` is its rate; of joints with two each has its own.
inline constexpr std::array angle_members{number("angle", "rad", of_angle),
                                          number("rate", "rad/s", "rate of the angle at the start")};
inline constexpr std::array displacement_members{number("displacement", "m", of_displacement),
                                                 number("rate", "m/s", "rate of the displacement at the start")};
inline constexpr std::array both_members{
    number("angle", "rad", of_angle), number("angle_rate", "rad/s", "rate of the angle at the start"),
    number("displacement", "m", of_displacement),
    number("displacement_rate", "m/s", "rate of the displacement at the start")};

}  // namespace initial_coordinate

// The field `initial` of joints with an angle, with a displacement, with both.
inline constexpr model::Field initial_angle_field = initial_coordinate::group(initial_coordinate::angle_members);
inline constexpr model::Field initial_displacement_field =
    initial_coordinate::group(initial_coordinate::displacement_members);
inline constexpr model::Field initial_both_field = initial_coordinate::group(initial_coordinate::both_members);

}  // namespace polhode::elements
