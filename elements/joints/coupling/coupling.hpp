// SPDX-License-Identifier: BSD-3-Clause
// Coupling: the weighted sum of the coordinates of two to four joints stays what it was, as gears and racks do.
//
//   Phi = -sum_i w_i c_i,   c_i an angle counted on from the last accepted state, or a displacement
// of joint i (zero in the deck's configuration). The multiplier lambda gives w_i lambda as torque or force on the
// second node of joint i along its coordinate. The element has the nodes of all its joints, a pair each.
#pragma once
#include "elements/joints/rows/axis_law.hpp"

namespace polhode::elements {

// One of the coordinates: where its joint sits, and whether it is the angle or the displacement.
struct CoupledCoordinate : Markers {
  double weight;
  bool is_angle;

  double value(const PairNodes& n, double counted) const {
    return is_angle ? AxisAngle::value(*this, n, counted) : AxisDisplacement::value(*this, n);
  }
  PairGradient gradient(const PairNodes& n) const {
    return is_angle ? AxisAngle::gradient(*this, n) : AxisDisplacement::gradient(*this, n);
  }
  PairBlock tangent(const PairNodes& n, double factor) const {
    PairBlock H = PairBlock::Zero();
    if (is_angle) {
      AxisAngle::add_tangent_to(*this, n, factor, H);
    } else {
      AxisDisplacement::add_tangent_to(*this, n, factor, H);
    }
    return H;
  }
  StepCoordinate over(const PairStep& s) const {
    return is_angle ? AxisAngle::over(*this, s) : AxisDisplacement::over(*this, s);
  }
  PairBlock mean_tangent(const PairStep& s, double factor) const {
    PairBlock H = PairBlock::Zero();
    if (is_angle) {
      AxisAngle::add_mean_tangent_to(*this, s, factor, H);
    } else {
      AxisDisplacement::add_mean_tangent_to(*this, s, factor, H);
    }
    return H;
  }
};

template <int joints>
struct Coupling {
  static constexpr std::string_view name = joints == 2   ? "coupling of two"
                                           : joints == 3 ? "coupling of three"
                                                         : "coupling of four";
  static constexpr int nodes = 2 * joints;
  static constexpr int rows = 1;
  static constexpr int history = joints;
  static constexpr model::Capabilities capabilities = model::can::mean_rows;
  static constexpr std::array<std::string_view, 1> row_names{"coupling"};
  static constexpr std::array row_is_length{false};
  using Data = std::array<CoupledCoordinate, joints>;
  using Nodes = model::Nodes<nodes>;

  static PairNodes pair(const Nodes& n, int i) {
    return {n[static_cast<std::size_t>(2 * i)], n[static_cast<std::size_t>(2 * i + 1)]};
  }
  static void constraint(const Data& d, const Nodes& n, const model::Context& c, Mat<1>& phi) {
    phi[0] = 0;
    for (int i = 0; i < joints; ++i) phi[0] -= d[i].weight * d[i].value(pair(n, i), c.history[i]);
  }
  static void gradient(const Data& d, const Nodes& n, const model::Context&, Mat<1, 6 * nodes>& B) {
    for (int i = 0; i < joints; ++i) B.template segment<12>(12 * i) = -d[i].weight * d[i].gradient(pair(n, i));
  }
  static void add_geometric_tangent_to(const Data& d, const Nodes& n, const model::Context&, const Mat<1>& lambda,
                                       Mat<6 * nodes, 6 * nodes>& K) {
    for (int i = 0; i < joints; ++i)
      K.template block<12, 12>(12 * i, 12 * i) += d[i].tangent(pair(n, i), -d[i].weight * lambda[0]);
  }
  using Step = model::ElementStep<nodes>;
  static PairStep pair(const Step& s, int i) {
    return {pair(s.begin, i), pair(s.mean, i), pair(s.end, i), s.middle, s.h, s.gradient, s.lever};
  }
  static void mean_gradient(const Data& d, const Step& s, Mat<1, 6 * nodes>& G) {
    for (int i = 0; i < joints; ++i) G.template segment<12>(12 * i) = -d[i].weight * d[i].over(pair(s, i)).row;
  }
  static void add_mean_tangent_to(const Data& d, const Step& s, const Mat<1>& lambda, Mat<6 * nodes, 6 * nodes>& K) {
    for (int i = 0; i < joints; ++i)
      K.template block<12, 12>(12 * i, 12 * i) += d[i].mean_tangent(pair(s, i), -d[i].weight * lambda[0]);
  }
  static void update_history(const Data& d, const Nodes& n, const model::Context&, double* h) {
    for (int i = 0; i < joints; ++i) h[i] = d[i].value(pair(n, i), h[i]);
  }
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo coupling_info;

}  // namespace polhode::elements
