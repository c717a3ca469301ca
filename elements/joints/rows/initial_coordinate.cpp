// SPDX-License-Identifier: BSD-3-Clause
// Initial values of coordinates, checked against the drives of the joint; the axes that they belong to.
#include "elements/joints/rows/initial_coordinate.hpp"

#include "elements/joints/rows/rows.hpp"
#include "polhode/model/initial_coordinate.hpp"

namespace polhode::elements {

// The key that the deck gives is named: of both the value.
void check_initial(const model::Entry& entry, model::Builder& builder) {
  for (const model::InitialCoordinate& one : model::initial_coordinates(entry)) {
    if (!entry.has(one.drive_key)) continue;
    builder.problem(entry, one.value ? one.value_key : one.rate_key,
                    "is of a coordinate that `" + std::string(one.drive_key) +
                        "` drives, which gives its value and its rate at the start; remove one of them");
  }
}

math::Mat3 joint_axes(const model::Entry& entry) {
  if (entry.has("axes")) return axes_of_cross(entry.matrix("axes"));
  return entry.has("axis") ? axes_along(entry.vector3("axis")) : Mat3(Mat3::Identity());
}

}  // namespace polhode::elements
