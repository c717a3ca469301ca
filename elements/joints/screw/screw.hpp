// SPDX-License-Identifier: BSD-3-Clause
// Screw joint: an axis in common, along which b advances by the pitch p in each turn about it. The four rows of a
// cylindrical joint and Phi = p phi/(2 pi) - (p_b - p_a) . n_a, with the angle phi counted on from the last accepted
// state. Its multiplier lambda is the force on b along the axis; the torque on b about it is -p lambda/(2 pi).
// The angle is counted because phi alone jumps by 2 pi, which would be a jump of Phi by a pitch.
#pragma once
#include <numbers>

#include "elements/joints/rows/axis_law.hpp"
#include "elements/joints/rows/joint.hpp"

namespace polhode::elements {

// It writes out what PairJoint makes of a list, because its fifth row is of a form that lists do not have.
struct Screw {
  static constexpr std::string_view name = "screw";
  static constexpr int nodes = 2;
  static constexpr int rows = 5;
  static constexpr int history = 1;
  static constexpr model::Capabilities capabilities = model::can::mirror | model::can::outputs | model::can::mean_rows;
  static constexpr std::array<std::string_view, 5> row_names{"offset 1", "offset 2", "axis 1", "axis 2", "screw"};
  static constexpr std::array row_is_length{true, true, false, false, true};
  struct Data : Markers {
    // Advance in a turn, m, not zero; below zero: a left-handed screw
    double pitch;
    // p/(2 pi), m/rad.
    double advance() const { return pitch / (2 * std::numbers::pi); }
  };
  using Rows = Mat<5>;
  using Gradient = Mat<5, 12>;

  // Rows, as the contract has them; c.history[0] is the angle of the last accepted state.
  static void constraint(const Data& d, const PairNodes& n, const model::Context& c, Rows& phi);
  static void gradient(const Data& d, const PairNodes& n, const model::Context& c, Gradient& B);
  static void add_geometric_tangent_to(const Data& d, const PairNodes& n, const model::Context& c, const Rows& lambda,
                                       PairBlock& K);
  // Rows over a step of a structure-preserving method.
  static void mean_gradient(const Data& d, const PairStep& s, Gradient& G);
  static void add_mean_tangent_to(const Data& d, const PairStep& s, const Rows& lambda, PairBlock& K);
  // h: the counted angle. Turns follow from the displacement, which knows them where the rows hold: s = p phi/(2 pi).
  static void update_history(const Data& d, const PairNodes& n, const model::Context& c, double* h);
  // Force (N) and moment (N m) on b, inertial, at its point; angle (rad) and displacement (m), and their rates.
  static void write_outputs(const Data& d, const PairNodes& n, const model::Context& c, const Rows& lambda,
                            const double* h, double* out);
  // True where the axis of b is turned end over end: the two dot rows hold there, too.
  static bool mirrored(const Data& d, const PairNodes& n) {
    return elements::rows::dot(n, d.E_a.col(2), d.E_b.col(2)) < 0;
  }
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo screw_info;

}  // namespace polhode::elements
