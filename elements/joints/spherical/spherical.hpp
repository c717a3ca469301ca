// SPDX-License-Identifier: BSD-3-Clause
// Spherical joint: a point of a and a point of b coincide. Phi = p_a - p_b, so lambda is the force on b (BCA12, eq.
// (85)).
// Inertial components, N. Rotations are free in all directions, so that none of them is an output and none is
// remembered.
#pragma once
#include "elements/joints/rows/joint.hpp"

namespace polhode::elements {

// All that a joint from a list of rows has to say: its name, its rows, their names, and which of them are lengths.
struct Spherical : PairJoint<Spherical, 3> {
  static constexpr std::string_view name = "spherical";
  static constexpr std::array<std::string_view, 3> row_names{"position x", "position y", "position z"};
  static constexpr std::array row_is_length{true, true, true};
  // All tangents act between rotations.
  static constexpr bool turns_alone = true;
  using Data = Markers;

  template <class List>
  static void list(const Data& d, List& rows) {
    rows.coincidence(d);
  }
  static Data sample(std::mt19937& random) { return sample_markers(random); }
};

extern const model::KindInfo spherical_info;

}  // namespace polhode::elements
