// SPDX-License-Identifier: BSD-3-Clause
// A coordinate of a joint that events hold at its value: Phi = c_held - c, c an angle or a displacement of b against a.
//
// The multiplier is the torque or the force on b along the coordinate. The element remembers c, and behind it c_held,
// which the event sets.
#pragma once
#include "elements/joints/rows/axis_law.hpp"

namespace polhode::elements {

// `Coordinate`: AxisAngle or AxisDisplacement.
template <class Coordinate>
struct HeldCoordinate {
  static constexpr bool is_angle = std::is_same_v<Coordinate, AxisAngle>;
  static constexpr std::string_view name = is_angle ? "held angle" : "held displacement";
  static constexpr int nodes = 2;
  static constexpr int rows = 1;
  static constexpr int history = 2;
  static constexpr int outputs = 6;
  static constexpr model::Capabilities capabilities = model::can::outputs;
  static constexpr std::array<std::string_view, 1> row_names{is_angle ? "held angle" : "held displacement"};
  static constexpr std::array row_is_length{!is_angle};
  using Data = Markers;

  static void constraint(const Data& d, const PairNodes& n, const model::Context& c, Mat<1>& phi) {
    phi[0] = c.history[1] - Coordinate::value(d, n, c.history[0]);
  }
  static void gradient(const Data& d, const PairNodes& n, const model::Context&, Mat<1, 12>& B) {
    B = -Coordinate::gradient(d, n);
  }
  static void add_geometric_tangent_to(const Data& d, const PairNodes& n, const model::Context&, const Mat<1>& lambda,
                                       Mat<12, 12>& K) {
    Coordinate::add_tangent_to(d, n, -lambda[0], K);
  }
  // What is held is the event's to set.
  static void update_history(const Data& d, const PairNodes& n, const model::Context&, double* h) {
    h[0] = Coordinate::value(d, n, h[0]);
  }
  // What it adds to the reaction of the joint.
  static void write_outputs(const Data& d, const PairNodes& n, const model::Context& c, const Mat<1>& lambda,
                            const double*, double* out) {
    Mat<1, 12> B;
    gradient(d, n, c, B);
    write_reaction(B, lambda, d, n, out);
  }
  static Data sample(std::mt19937& random) { return sample_markers(random); }
};

}  // namespace polhode::elements
