// SPDX-License-Identifier: BSD-3-Clause
// Planar joint: b moves in a plane of a, and turns about its normal. (p_a - p_b) . n_a = 0, t1_a . n_b = t2_a . n_b =
// 0.
// The free coordinates are two displacements in the plane and the angle about the normal; the angle is remembered.
#pragma once
#include "elements/joints/rows/joint.hpp"

namespace polhode::elements {

// Lambda: force on b along the normal (N), and two moments conjugate to the dot products.
struct Planar : PairJoint<Planar, 3, 1> {
  static constexpr std::string_view name = "planar";
  static constexpr std::array<std::string_view, 3> row_names{"offset", "axis 1", "axis 2"};
  static constexpr std::array row_is_length{true, false, false};
  using Data = Markers;

  // The offset along the normal, and both axes in the plane at right angles to b's normal.
  template <class List>
  static void list(const Data& d, List& rows) {
    rows.offset(d, d.E_a.col(2));
    for (int i = 0; i < 2; ++i) rows.dot(d.E_a.col(i), d.E_b.col(2));
  }
  static void update_history(const Data& d, const PairNodes& n, const model::Context&, double* h) {
    h[0] = unwrap(rows::angle(d, n), h[0]);
  }
  // Displacements of b along t1_a and t2_a (m), and the angle about n_a (rad), counted without jumps; then their rates.
  static void write_coordinates(const Data& d, const PairNodes& n, const model::Context&, const Rows&, const double* h,
                                double* out) {
    for (int i = 0; i < 2; ++i) out[i] = -rows::offset(d, n, d.E_a.col(i));
    out[2] = h[0];
    for (int i = 0; i < 2; ++i) out[3 + i] = -rate_of(rows::offset_gradient(d, n, d.E_a.col(i)), n);
    out[5] = rate_of(rows::angle_gradient(d, n), n);
  }
  static Data sample(std::mt19937& random) { return sample_markers(random); }
};

extern const model::KindInfo planar_info;

}  // namespace polhode::elements
