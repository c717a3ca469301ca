// SPDX-License-Identifier: BSD-3-Clause
// Spherical joint: a point of a and a point of b coincide, Phi = x_a + R_a s_a - x_b - R_b s_b (BCA12 eq. 85 for a =
// ground).
#pragma once
#include "elements/joints/rows/rows.hpp"

namespace polhode::elements {

struct Spherical {
  static constexpr std::string_view name = "spherical";
  static constexpr int nodes = 2, rows = 3, history = 0;
  static constexpr std::array<std::string_view, 3> row_names{"position x", "position y", "position z"};
  static constexpr std::array row_is_length{true, true, true};
  using Data = Markers;
  using Gradient = model::Gradient<Spherical>;

  static void constraint(const Data& d, const PairNodes& n, const model::Context&, Vec3& phi) {
    phi = rows::coincidence(d, n);
  }
  static void gradient(const Data& d, const PairNodes& n, const model::Context&, Gradient& B) {
    rows::coincidence_gradient(d, n, 0, B);
  }
  static void add_geometric_tangent_to(const Data& d, const PairNodes& n, const model::Context&, const Vec3& lambda,
                                       PairBlock& K) {
    rows::add_coincidence_tangent_to(d, n, lambda, K);
  }
  static void write_outputs(const Data& d, const PairNodes& n, const model::Context& c, const Vec3& lambda,
                            const double* history, double* out);
  static Data sample(std::mt19937& random) { return sample_markers(random); }
};

extern const model::KindInfo spherical_info;

}  // namespace polhode::elements
