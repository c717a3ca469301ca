// SPDX-License-Identifier: BSD-3-Clause
// Fixed joint: b does not move against a. Three coincidence rows, and t1_a . t2_b = t2_a . n_b = n_a . t1_b = 0.
// The three dot products hold for the identity and, of all other rotations, for half turns about an axis (which
// `mirrored` of PairJoint finds) and thirds of a turn about a diagonal alone: no motion leads there. Lambda: the force
// on b (N), then the moments conjugate to the dot products (N m).
#pragma once
#include "elements/joints/rows/joint.hpp"

namespace polhode::elements {

// Six constraint equations, no internal variables, no drives.
struct Fixed : PairJoint<Fixed, 6> {
  static constexpr std::string_view name = "fixed";
  static constexpr std::array<std::string_view, 6> row_names{"position x", "position y", "position z",
                                                             "rotation 1", "rotation 2", "rotation 3"};
  static constexpr std::array row_is_length{true, true, true, false, false, false};
  // All tangents act between rotations.
  static constexpr bool turns_alone = true;
  using Data = Markers;

  template <class List>
  static void list(const Data& d, List& rows) {
    rows.coincidence(d);
    for (int i = 0; i < 3; ++i) rows.dot(d.E_a.col(i), d.E_b.col((i + 1) % 3));
  }
  static Data sample(std::mt19937& random) { return sample_markers(random); }
};

extern const model::KindInfo fixed_info;

}  // namespace polhode::elements
