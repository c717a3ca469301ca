// SPDX-License-Identifier: BSD-3-Clause
// Point on a line: a point of b stays on a line of a, (p_a - p_b) . t1_a = (p_a - p_b) . t2_a = 0; b turns freely.
// The line runs through the point of a along n_a. Lambda: the force on b along t1_a and t2_a, N.
#pragma once
#include "elements/joints/rows/axis_law.hpp"
#include "elements/joints/rows/axis_sensor.hpp"
#include "elements/joints/rows/driven_coordinate.hpp"
#include "elements/joints/rows/initial_coordinate.hpp"
#include "elements/joints/rows/joint.hpp"

namespace polhode::elements {

// Builds a joint that keeps a point of b on a line or plane of a: axes on a, where rotation is needed, a point on b.
// Problems go to the builder, and nothing is added then. b may be a point without rotation that stands at `at`; a has
// to have rotation, because the line turns with it.
template <class Kind>
void build_point_on(const model::Entry& entry, model::Builder& builder) {
  const auto [a, b] = connected(entry, builder);
  const Markers markers = make_markers(builder, a, b, entry.vector3("at"), entry.vector3("axis"));
  if (!check_rotations(entry, builder, a, 0) || !builder.check_lever(entry, b, markers.s_b, "the joint")) return;
  add_joint<Kind>(entry, builder, {a, b}, markers);
  Kind::add_coordinates(entry, builder, {a, b}, markers);
  add_driven_coordinates(entry, builder, {a, b}, markers);
}

// Two constraint equations; the free coordinates are a displacement and three rotations.
struct PointOnLine : PairJoint<PointOnLine, 2> {
  static constexpr std::string_view name = "point_on_line";
  static constexpr std::array<std::string_view, 2> row_names{"offset 1", "offset 2"};
  static constexpr std::array row_is_length{true, true};
  using Data = Markers;

  template <class List>
  static void list(const Data& d, List& rows) {
    for (int i = 0; i < 2; ++i) rows.offset(d, d.E_a.col(i));
  }
  // Displacement of b along the line (m), and its rate (m/s).
  static void write_coordinates(const Data& d, const PairNodes& n, const model::Context&, const Rows&, const double*,
                                double* out) {
    out[0] = AxisDisplacement::value(d, n);
    out[1] = axis_rate<AxisDisplacement>(d, n);
  }
  static void add_coordinates(const model::Entry& entry, model::Builder& builder, const std::array<int, 2>& at,
                              const Markers& markers) {
    add_coordinate<PointOnLine, AxisDisplacement>(entry, builder, at, markers, 0);
  }
  static Data sample(std::mt19937& random) { return sample_markers(random); }
};

extern const model::KindInfo point_on_line_info;

}  // namespace polhode::elements
