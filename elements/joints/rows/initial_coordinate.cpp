// SPDX-License-Identifier: BSD-3-Clause
// Initial values of coordinates, checked against the drives of the joint.
#include "elements/joints/rows/initial_coordinate.hpp"

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

}  // namespace polhode::elements
