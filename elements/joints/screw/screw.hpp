// SPDX-License-Identifier: BSD-3-Clause
// Screw joint: an axis in common, along which b advances by the pitch p in each turn about it. The four rows of a
// cylindrical joint and Phi = p phi/(2 pi) - (p_b - p_a) . n_a, with the angle phi counted on from the last accepted
// state. Its multiplier lambda is the force on b along the axis; the torque on b about it is -p lambda/(2 pi).
#pragma once
#include <numbers>

#include "elements/joints/rows/axis_law.hpp"
#include "elements/joints/rows/joint.hpp"

namespace polhode::elements {

struct Screw {
  static constexpr std::string_view name = "screw";
  static constexpr int nodes = 2;
  static constexpr int rows = 5;
  static constexpr int history = 1;
  static constexpr model::Capabilities capabilities = model::can::mirror | model::can::outputs | model::can::mean_rows;
  static constexpr std::array<std::string_view, 5> row_names{"offset 1", "offset 2", "axis 1", "axis 2", "screw"};
  static constexpr std::array row_is_length{true, true, false, false, true};
  struct Data : Markers {
    double pitch;  // m a turn
    double advance() const { return pitch / (2 * std::numbers::pi); }
  };
  using Rows = Mat<5>;
  using Gradient = Mat<5, 12>;

  static void constraint(const Data& d, const PairNodes& n, const model::Context& c, Rows& phi);
  static void gradient(const Data& d, const PairNodes& n, const model::Context& c, Gradient& B);
  static void add_geometric_tangent_to(const Data& d, const PairNodes& n, const model::Context& c, const Rows& lambda,
                                       PairBlock& K);
  static void mean_gradient(const Data& d, const PairStep& s, Gradient& G);
  static void add_mean_tangent_to(const Data& d, const PairStep& s, const Rows& lambda, PairBlock& K);
  static void update_history(const Data& d, const PairNodes& n, const model::Context& c, double* h);
  static void write_outputs(const Data& d, const PairNodes& n, const model::Context& c, const Rows& lambda,
                            const double* h, double* out);
  static bool mirrored(const Data& d, const PairNodes& n) {
    return elements::rows::dot(n, d.E_a.col(2), d.E_b.col(2)) < 0;
  }
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo screw_info;

}  // namespace polhode::elements
