// SPDX-License-Identifier: BSD-3-Clause
// Motion: named relative coordinates of b against a are given functions of time; all others are free.
//
//   translation i   Phi = x_i(t) - (p_b - p_a) . e_i                             e_i an axis of the joint on a
//   one rotation    Phi = theta(t) - phi_i                                       phi_i: angle of j_b about i_a
//   two rotations   i_a . f_b = 0,  Phi = theta(t) - angle of f_b about i_a       f: the axis that is not named
//   three           j_a . i_b = k_a . i_b = 0,  Phi = theta(t) - phi_i            R_a^T R_b = exp(theta i)
// i is the driven axis, (i, j, k) in cyclic order; multipliers are forces and torques on b.
// The template has one case for each pair of numbers of named translations and rotations, so that the sizes of rows are
// constants; which axes are meant is data.
#pragma once
#include "elements/joints/rows/axis_law.hpp"
#include "elements/joints/rows/joint.hpp"

namespace polhode::elements {

// What it remembers is the driven angle, where there is one.
template <int translations, int rotations>
struct Motion : PairJoint<Motion<translations, rotations>, translations + rotations, rotations == 0 ? 0 : 1> {
  static constexpr int m = translations + rotations;
  // Rows that hold the named rotations that are zero: none for one rotation, one for two, two for three
  static constexpr int n_dots = std::max(rotations - 1, 0);
  // "motion 2 + 1": two translations and one rotation
  static constexpr std::array<char, 13> name_text{
      'm', 'o', 't', 'i', 'o', 'n', ' ', char('0' + translations), ' ', '+', ' ', char('0' + rotations), 0};
  static constexpr std::string_view name{name_text.data(), 12};
  static constexpr model::Capabilities capabilities = pair_joint | model::can::drives | model::can::breakpoints;
  // In the order of `list`: translations, dot products of axes, rotation
  static constexpr std::array<std::string_view, m> row_names = [] {
    constexpr std::array<std::string_view, 3> shifts{"translation 1", "translation 2", "translation 3"};
    constexpr std::array<std::string_view, 2> axes{"axis 1", "axis 2"};
    std::array<std::string_view, m> names;
    for (std::size_t i = 0; i < translations; ++i) names[i] = shifts[i];
    for (std::size_t i = 0; i < n_dots; ++i) names[translations + i] = axes[i];
    if (rotations > 0) names[m - 1] = "rotation";
    return names;
  }();
  static constexpr std::array<bool, m> row_is_length = [] {
    std::array<bool, m> length{};
    for (std::size_t i = 0; i < translations; ++i) length[i] = true;
    return length;
  }();
  // Columns of E_a and E_b: the axes x, y, z of the joint.
  struct Data : Markers {
    // Axes of the driven translations in a's frame, and their drives, m
    std::array<Vec3, translations> directions;
    std::array<model::TimeFunction, translations> shifts;
    // Axes that stay at right angles, in a's and in b's frame
    std::array<Vec3, n_dots> dots_a;
    std::array<Vec3, n_dots> dots_b;
    // Markers whose third axis is the driven one, for the angle row
    Markers turned;
    // Drive of the angle, rad
    model::TimeFunction rotation;
  };

  template <class List>
  static void list(const Data& d, List& rows) {
    for (std::size_t i = 0; i < translations; ++i) rows.displacement(d, d.directions[i], d.shifts[i]);
    for (std::size_t i = 0; i < n_dots; ++i) rows.dot(d.dots_a[i], d.dots_b[i]);
    if constexpr (rotations > 0) rows.angle(d.turned, d.rotation);
  }
  // Two dot rows hold as well where the driven axis of b, the third of `turned`, is turned end over end.
  static bool mirrored(const Data& d, const PairNodes& n) {
    return rotations == 3 && elements::rows::dot(n, d.turned.E_a.col(2), d.turned.E_b.col(2)) < 0;
  }
  // A template, since a function that is only constrained would count as named where nothing turns.
  template <int turns = rotations>
  requires(turns > 0) static void update_history(const Data& d, const PairNodes& n, const model::Context& c,
                                                 double* h) {
    h[0] = count_driven(rows::angle(d.turned, n), d.rotation, c, h[0]);
  }
  // Displacements of b along all three axes on a (m), and the driven angle (rad), zero where none is driven; then
  // their rates.
  static void write_coordinates(const Data& d, const PairNodes& n, const model::Context&, const Mat<m>&,
                                const double* h, double* out) {
    for (int i = 0; i < 3; ++i) out[i] = -rows::offset(d, n, d.E_a.col(i));
    out[3] = rotations > 0 ? h[0] : 0;
    for (int i = 0; i < 3; ++i) out[4 + i] = -rate_of(rows::offset_gradient(d, n, d.E_a.col(i)), n);
    out[7] = rotations > 0 ? rate_of(rows::angle_gradient(d.turned, n), n) : 0;
  }
  static void breakpoints(const Data& d, double t0, double t1, std::vector<double>& out) {
    for (const model::TimeFunction& shift : d.shifts) add_times_to(shift, t0, t1, out);
    add_times_to(d.rotation, t0, t1, out);
  }
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo motion_info;

}  // namespace polhode::elements
