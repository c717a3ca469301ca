// SPDX-License-Identifier: BSD-3-Clause
// Spherical joint: a point of a and a point of b coincide. Phi = p_a - p_b, so lambda is the force on b (BCA12, eq.
// (85)).
// Inertial components, N. Rotations are free in all directions; the rotation vector of b against a is an output, up to
// half a turn, and nothing is remembered.
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
  struct Data : Markers {
    // False where a node has no rotation
    bool turns = true;
  };

  template <class List>
  static void list(const Data& d, List& rows) {
    rows.coincidence(d);
  }
  // Rotation vector psi of b against a in the axes on a, rad, |psi| <= pi; then its rate T(psi)^-1 Omega, rad/s, Omega that
  // of b against a in the axes on b.
  static void write_coordinates(const Data& d, const PairNodes& n, const model::Context&, const Rows&, const double*,
                                double* out) {
    Eigen::Map<Vec3> rotation(out);
    Eigen::Map<Vec3> rate(out + 3);
    rotation.setZero();
    rate.setZero();
    if (!d.turns) return;
    rotation = math::so3::log(Mat3((n[0].R * d.E_a).transpose() * (n[1].R * d.E_b)));
    const Vec3 turning = n[1].v.tail<3>() - n[1].R.transpose() * (n[0].R * n[0].v.tail<3>());
    rate = math::so3::tangent_inverse(rotation) * (d.E_b.transpose() * turning);
  }
  static Data sample(std::mt19937& random) { return {sample_markers(random), true}; }
};

extern const model::KindInfo spherical_info;

}  // namespace polhode::elements
