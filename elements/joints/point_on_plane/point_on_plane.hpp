// SPDX-License-Identifier: BSD-3-Clause
// Point on a plane: a point of b stays in a plane of a, (p_a - p_b) . n_a = 0; b turns freely.
// The plane goes through the point of a, with the normal n_a. Lambda: the force on b along the normal, N.
#pragma once
#include "elements/joints/rows/axis_sensor.hpp"
#include "elements/joints/rows/joint.hpp"

namespace polhode::elements {

// One constraint equation; the free coordinates are two displacements and three rotations.
struct PointOnPlane : PairJoint<PointOnPlane, 1> {
  static constexpr std::string_view name = "point_on_plane";
  static constexpr std::array<std::string_view, 1> row_names{"offset"};
  static constexpr std::array row_is_length{true};
  using Data = Markers;

  template <class List>
  static void list(const Data& d, List& rows) {
    rows.offset(d, d.E_a.col(2));
  }
  // Displacements of b along t1_a and t2_a (m), and their rates (m/s).
  static void write_coordinates(const Data& d, const PairNodes& n, const model::Context&, const Rows&, const double*,
                                double* out) {
    for (int i = 0; i < 2; ++i) out[i] = -rows::offset(d, n, d.E_a.col(i));
    for (int i = 0; i < 2; ++i) out[2 + i] = -rate_of(rows::offset_gradient(d, n, d.E_a.col(i)), n);
  }
  static void add_coordinates(const model::Entry& entry, model::Builder& builder, const std::array<int, 2>& at,
                              const Markers& markers) {
    add_displacements<PointOnPlane>(entry, builder, at, markers, 2);
  }
  static Data sample(std::mt19937& random) { return sample_markers(random); }
};

extern const model::KindInfo point_on_plane_info;

}  // namespace polhode::elements
