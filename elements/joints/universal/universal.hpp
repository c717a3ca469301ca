// SPDX-License-Identifier: BSD-3-Clause
// Universal (Cardan) joint: a point in common, and the cross: an axis u of a stays normal to an axis v of b. Three
// coincidence rows and u_a . v_b = 0. The markers' columns are (u, v, u x v), equal on both at the start.
//
// b is turned against a by phi_1 about u, then by phi_2 about v as it is then: R_a^T R_b = exp(phi_1 u) exp(phi_2 v),
//   phi_1 = atan2(w_a . v_b, v_a . v_b),  phi_2 = atan2(u_a . w_b, u_a . u_b),  w = u x v.
// No angles are singular: the gradient of u_a . v_b vanishes only where u_a and v_b are parallel, where the row fails.
#pragma once
#include "elements/joints/rows/joint.hpp"

namespace polhode::elements {

// Lambda: the force on b (N), and the moment conjugate to u_a . v_b.
struct Universal : PairJoint<Universal, 4, 2> {
  static constexpr std::string_view name = "universal";
  static constexpr std::array<std::string_view, 4> row_names{"position x", "position y", "position z", "axes"};
  static constexpr std::array row_is_length{true, true, true, false};
  // All tangents act between rotations.
  static constexpr bool turns_alone = true;
  using Data = Markers;

  template <class List>
  static void list(const Data& d, List& rows) {
    rows.coincidence(d);
    rows.dot(d.E_a.col(0), d.E_b.col(1));
  }
  // h: phi_1, phi_2 of the last accepted state -> of this one, rad, counted without jumps.
  static void update_history(const Data& d, const PairNodes& n, const model::Context&, double* h);
  // phi_1, phi_2 (rad), and their rates (rad/s).
  static void write_coordinates(const Data& d, const PairNodes& n, const model::Context&, const Rows&, const double* h,
                                double* out) {
    out[0] = h[0];
    out[1] = h[1];
    // The cross turns about the axis on a, b against the cross about its own
    const Vec3 turning = n[1].R * n[1].v.tail<3>() - n[0].R * n[0].v.tail<3>();
    out[2] = (n[0].R * d.E_a.col(0)).dot(turning);
    out[3] = (n[1].R * d.E_b.col(1)).dot(turning);
  }
  static Data sample(std::mt19937& random) { return sample_markers(random); }
};

extern const model::KindInfo universal_info;

}  // namespace polhode::elements
