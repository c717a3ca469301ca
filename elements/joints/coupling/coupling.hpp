// SPDX-License-Identifier: BSD-3-Clause
// Coupling: the weighted sum of the coordinates of two to four joints stays what it was, as gears and racks do.
//
//   Phi = -sum_i w_i c_i,   c_i an angle counted on from the last accepted state, or a displacement
// of joint i (zero in the deck's configuration). The multiplier lambda gives w_i lambda as torque or force on the
// second node of joint i along its coordinate. The element has the nodes of all its joints, a pair each.
// B has a block of twelve columns a joint, -w_i times the gradient of c_i.
// The joints themselves are elements of their own; this one adds a single constraint equation to theirs.
#pragma once
#include "elements/joints/rows/axis_law.hpp"

namespace polhode::elements {

// One of the coordinates: where its joint sits, and whether it is the angle or the displacement.
struct CoupledCoordinate : Markers {
  // Such that weight times coordinate has one unit for all terms: of a rack's pinion its radius, where the rack has -1.
  double weight;
  // The angle about the third axis (rad), else the displacement along it (m).
  bool is_angle;

  // `counted`: the angle of the last accepted state; of a displacement it is not used.
  double value(const PairNodes& n, double counted) const {
    return is_angle ? AxisAngle::value(*this, n, counted) : AxisDisplacement::value(*this, n);
  }
  // ds = gradient [dx_a dTheta_a dx_b dTheta_b], 12 numbers.
  PairGradient gradient(const PairNodes& n) const {
    return is_angle ? AxisAngle::gradient(*this, n) : AxisDisplacement::gradient(*this, n);
  }
  // factor times the derivative of the gradient's transpose by q, 12 x 12.
  PairBlock tangent(const PairNodes& n, double factor) const {
    PairBlock H = PairBlock::Zero();
    if (is_angle) {
      AxisAngle::add_tangent_to(*this, n, factor, H);
    } else {
      AxisDisplacement::add_tangent_to(*this, n, factor, H);
    }
    return H;
  }
  // Change and rows over a step of a structure-preserving method.
  StepCoordinate over(const PairStep& s) const {
    return is_angle ? AxisAngle::over(*this, s) : AxisDisplacement::over(*this, s);
  }
  // factor times the derivative of the step's row by the end of the step, 12 x 12.
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

// The element of so many joints, with 2 `joints` nodes; what it remembers are the coordinates of all its joints, of
// which only the angles are used.
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

  // The two nodes of joint i.
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
  // The step as joint i alone sees it.
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
  // h: coordinates of the last accepted state -> of this one; angles go on without jumps.
  static void update_history(const Data& d, const Nodes& n, const model::Context&, double* h) {
    for (int i = 0; i < joints; ++i) h[i] = d[i].value(pair(n, i), h[i]);
  }
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo coupling_info;

}  // namespace polhode::elements
