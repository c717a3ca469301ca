// SPDX-License-Identifier: BSD-3-Clause
// Distance: a point of a and a point of b stay L apart: a massless rod between two spherical joints.
//
//   Phi = (|d|^2 - L^2) / (2 L),  d = p_a - p_b
// Quadratic in (x, R). Where it holds the gradient is that of |d|, so the multiplier is the force in the rod: b is
// pulled towards a by lambda (tension positive). With dtheta = R dTheta, r = R s:
//   B = (d^T, (r_a x d)^T R_a, -d^T, -(r_b x d)^T R_b) / L
// Chosen over |d| - L because it is quadratic: a discrete gradient over a step is the gradient at the mean, and nothing
// is divided by |d|.
#pragma once
#include "elements/joints/rows/rows.hpp"
#include "polhode/model/discrete.hpp"

namespace polhode::elements {

struct Distance {
  static constexpr std::string_view name = "distance";
  static constexpr int nodes = 2;
  static constexpr int rows = 1;
  static constexpr int history = 0;
  static constexpr model::Capabilities capabilities = model::can::outputs | model::can::mean_rows;
  static constexpr std::array<std::string_view, 1> row_names{"distance"};
  static constexpr std::array row_is_length{true};
  struct Data : Markers {
    // L, m, above zero
    double length;
  };
  using Rows = Mat<1>;
  using Gradient = PairGradient;

  // The capabilities rows, mean_rows and outputs of the contract, with d of the configuration at hand. All allocate
  // nothing; `add_` functions accumulate, the others overwrite.
  static void constraint(const Data& d, const PairNodes& n, const model::Context&, Rows& phi);
  static void gradient(const Data& d, const PairNodes& n, const model::Context&, Gradient& B);
  static void add_geometric_tangent_to(const Data& d, const PairNodes& n, const model::Context&, const Rows& lambda,
                                       PairBlock& K);
  using Step = model::ElementStep<2>;
  // Over a step: d is that of the mean of both ends, rows are spatial.
  static void mean_gradient(const Data& d, const Step& s, Gradient& G);
  static void add_mean_tangent_to(const Data& d, const Step& s, const Rows& lambda, PairBlock& K);
  // Force (N) on b at its point and moment (N m) about it, zero to round-off; inertial.
  static void write_outputs(const Data& d, const PairNodes& n, const model::Context& c, const Rows& lambda,
                            const double* h, double* out);
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo distance_info;

}  // namespace polhode::elements
