// SPDX-License-Identifier: BSD-3-Clause
// Fixed joint: b does not move against a. Three coincidence rows, and t1_a . t2_b = t2_a . n_b = n_a . t1_b = 0.
#pragma once
#include "elements/joints/rows/rows.hpp"

namespace polhode::elements {

struct Fixed {
  static constexpr std::string_view name = "fixed";
  static constexpr int nodes = 2, rows = 6, history = 0;
  static constexpr std::array<std::string_view, 6> row_names{"position x", "position y", "position z",
                                                             "rotation 1", "rotation 2", "rotation 3"};
  static constexpr std::array row_is_length{true, true, true, false, false, false};
  using Data = Markers;
  using Gradient = model::Gradient<Fixed>;
  using Rows = model::Rows<Fixed>;

  static void constraint(const Data& d, const PairNodes& n, const model::Context&, Rows& phi);
  static void gradient(const Data& d, const PairNodes& n, const model::Context&, Gradient& B);
  static void add_geometric_tangent_to(const Data& d, const PairNodes& n, const model::Context&, const Rows& lambda,
                                       PairBlock& K);
  static void write_outputs(const Data& d, const PairNodes& n, const model::Context& c, const Rows& lambda,
                            const double* history, double* out);
  static Data sample(std::mt19937& random) { return sample_markers(random); }
};

extern const model::KindInfo fixed_info;

}  // namespace polhode::elements
