// SPDX-License-Identifier: BSD-3-Clause
// Cylindrical joint: an axis in common. (p_a - p_b) . t1_a = (p_a - p_b) . t2_a = 0, t1_a . n_b = t2_a . n_b = 0; a
// drive of the angle adds Phi = theta(t) - phi, one of the displacement Phi = s(t) - (p_b - p_a) . n_a. Spring, damper,
// friction, motor, a law and stops act along a coordinate that is not driven (axis_law.hpp).
// What it remembers is the angle; a driven angle is counted from the drive's value, else from the last accepted state.
#pragma once
#include "elements/joints/rows/axis_law.hpp"
#include "elements/joints/rows/joint.hpp"

namespace polhode::elements {

// The four rows of an axis in common, which screws have, too: two offsets across the axis, two dot products of
// directions.
struct Axle {
  template <class List>
  static void list(const Markers& d, List& rows) {
    for (int i = 0; i < 2; ++i) rows.offset(d, d.E_a.col(i));
    for (int i = 0; i < 2; ++i) rows.dot(d.E_a.col(i), d.E_b.col(2));
  }
};

// `rotation` and `translation` say which coordinates are driven. The fifth row is that of the angle, the last one that
// of the displacement.
template <bool rotation, bool translation>
struct Cylindrical : PairJoint<Cylindrical<rotation, translation>, 4 + rotation + translation, 1>,
                     AxisForces<Cylindrical<rotation, translation>> {
  // Number of constraint equations
  static constexpr int m = 4 + rotation + translation;
  static constexpr std::string_view name =
      rotation      ? translation ? "cylindrical, both driven" : "cylindrical, rotation driven"
      : translation ? "cylindrical, translation driven"
                    : "cylindrical";
  static constexpr model::Capabilities capabilities =
      pair_joint | axis_forces | model::can::breakpoints |
      (rotation || translation ? model::can::drives : model::Capabilities{});
  // Driven rows follow the four of the axle, rotation first.
  static constexpr std::array<std::string_view, m> row_names = [] {
    std::array<std::string_view, m> names{"offset 1", "offset 2", "axis 1", "axis 2"};
    if constexpr (rotation) names[4] = "rotation";
    if constexpr (translation) names[m - 1] = "translation";
    return names;
  }();
  static constexpr std::array<bool, m> row_is_length = [] {
    std::array<bool, m> length{true, true};
    length[m - 1] = translation;
    return length;
  }();
  // The drive of a free coordinate and the law of a driven one are not used.
  struct Data : Markers {
    model::TimeFunction rotation_drive;     // rad
    model::TimeFunction translation_drive;  // m
    // What acts about the axis, and along it
    AxisLaw about;
    AxisLaw along;
  };

  template <class List>
  static void list(const Data& d, List& rows) {
    Axle::list(d, rows);
    if constexpr (rotation) rows.angle(d, d.rotation_drive);
    if constexpr (translation) rows.displacement(d, d.E_a.col(2), d.translation_drive);
  }
  // Visits the coordinates that are free; AxisForces makes forces, tangents and energies of them.
  template <class Visit>
  static void laws(const Data& d, const Visit& visit) {
    if constexpr (!rotation) visit(AxisAngle{}, d.about);
    if constexpr (!translation) visit(AxisDisplacement{}, d.along);
  }
  static void update_history(const Data& d, const PairNodes& n, const model::Context& c, double* h) {
    const double angle = rows::angle(d, n);
    h[0] = rotation ? count_driven(angle, d.rotation_drive, c, h[0]) : unwrap(angle, h[0]);
  }
  // Angle (rad), displacement (m), torque about the axis (N m), force along it (N): those of the drive or of the law,
  // on b. Then both rates (rad/s, m/s).
  static void write_coordinates(const Data& d, const PairNodes& n, const model::Context& c, const Mat<m>& lambda,
                                const double* h, double* out) {
    out[0] = h[0];
    out[1] = AxisDisplacement::value(d, n);
    out[2] = rotation ? lambda[4] : axis_force<AxisAngle>(d.about, d, n, c, h[0]);
    out[3] = translation ? lambda[m - 1] : axis_force<AxisDisplacement>(d.along, d, n, c, 0);
    out[4] = axis_rate<AxisAngle>(d, n);
    out[5] = axis_rate<AxisDisplacement>(d, n);
  }
  // A function that is not used is a constant, which has none.
  static void breakpoints(const Data& d, double t0, double t1, std::vector<double>& out) {
    for (const model::TimeFunction* f : {&d.rotation_drive, &d.translation_drive}) add_times_to(*f, t0, t1, out);
    AxisForces<Cylindrical>::breakpoints(d, t0, t1, out);
  }
  static Data sample(std::mt19937& random) {
    return {sample_markers(random), model::Expression::parse("0.3 + 0.8*t + sin(3*t)", {}, true),
            model::Expression::parse("0.2 + sin(2*t)", {}, true), axis_law::sample(random), axis_law::sample(random)};
  }
};

extern const model::KindInfo cylindrical_info;

}  // namespace polhode::elements
