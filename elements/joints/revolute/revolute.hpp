// SPDX-License-Identifier: BSD-3-Clause
// Revolute joint: a point and an axis in common. Three coincidence rows, t1_a . n_b = 0 and t2_a . n_b = 0; driven, a
// sixth row Phi = theta(t) - phi with phi the angle of b against a, without any limit on it: only the difference is
// taken, in (-pi, pi]. Its multiplier is the torque of the drive on b about the axis.
#pragma once
#include "elements/joints/rows/rows.hpp"

namespace polhode::elements {

struct Revolute {
  static constexpr std::string_view name = "revolute";
  static constexpr int nodes = 2, rows = 5, history = 1;
  static constexpr std::array<std::string_view, 5> row_names{"position x", "position y", "position z", "axis 1",
                                                             "axis 2"};
  static constexpr std::array row_is_length{true, true, true, false, false};
  using Data = Markers;
  using Gradient = model::Gradient<Revolute>;
  using Rows = model::Rows<Revolute>;

  static void constraint(const Data& d, const PairNodes& n, const model::Context&, Rows& phi);
  static void gradient(const Data& d, const PairNodes& n, const model::Context&, Gradient& B);
  static void add_geometric_tangent_to(const Data& d, const PairNodes& n, const model::Context&, const Rows& lambda,
                                       PairBlock& K);
  static void update_history(const Data& d, const PairNodes& n, const model::Context&, double* history);
  static void write_outputs(const Data& d, const PairNodes& n, const model::Context& c, const Rows& lambda,
                            const double* history, double* out);
  static Data sample(std::mt19937& random) { return sample_markers(random); }
};

struct DrivenRevolute {
  static constexpr std::string_view name = "revolute, driven";
  static constexpr int nodes = 2, rows = 6, history = 1;
  static constexpr std::array<std::string_view, 6> row_names{"position x", "position y", "position z",
                                                             "axis 1",     "axis 2",     "rotation"};
  static constexpr std::array row_is_length{true, true, true, false, false, false};
  struct Data : Markers {
    model::TimeFunction rotation;  // rad
  };
  using Gradient = model::Gradient<DrivenRevolute>;
  using Rows = model::Rows<DrivenRevolute>;

  static void constraint(const Data& d, const PairNodes& n, const model::Context& c, Rows& phi);
  static void gradient(const Data& d, const PairNodes& n, const model::Context&, Gradient& B);
  static void add_geometric_tangent_to(const Data& d, const PairNodes& n, const model::Context&, const Rows& lambda,
                                       PairBlock& K);
  static void time_derivatives(const Data& d, const model::Context& c, Rows& phi_t, Rows& phi_tt);
  static void update_history(const Data& d, const PairNodes& n, const model::Context& c, double* history);
  static void write_outputs(const Data& d, const PairNodes& n, const model::Context& c, const Rows& lambda,
                            const double* history, double* out);
  static void breakpoints(const Data& d, double t0, double t1, std::vector<double>& out);
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo revolute_info;

}  // namespace polhode::elements
