// SPDX-License-Identifier: BSD-3-Clause
// Strains, rates of strains and section forces at one integration point.
#pragma once
#include "elements/beams/spectral/element.hpp"
#include "elements/beams/spectral/products.hpp"

namespace polhode::elements::spectral {

using Point = PointOf<Lanes>;

// The frames Q_i = R_i E_i of an element's nodes.
// They are formed once for all integration points of an element; signs are such that all are in the half-space of the
// first.
struct Frames {
  std::array<Quaternion, most_nodes> Q;
  Frames(const Elements& d, NodeSpan n);
};

// Delta [Gamma; kappa] = sum_i B_i [dx_i; dTheta_i] with the nodes' own variations (inertial; node's frame):
//   B_i = [ L_i' Q^T   g~ W_i ]     W_i = A^-1 L_i T_i^-1 E_i^T                     dTheta = sum W_i dTheta_i
//         [ 0           Y_i   ]     Y_i = A^-1 (P_i T_i^-1 - S A^-1 L_i T_i^-1) E_i^T,
//   P_i = L_i' I - L_i H_i, H_i the gradient of T_i^-T kappa by phi_i, S = sum_i P_i T_i^-T; g = Q^T x'.
// Valid as long as the point lives. What residual, tangent and outputs share.
struct Kinematics {
  const Point& p;
  // Number of nodes
  std::size_t n;
  // The weighted mean of the frames Q_i with phi_i = log(Q^T Q_i) and A^-1
  Mean mean;
  // The same as a matrix: element's frame at this point to inertial
  Matrix Q;
  // g = Q^T x', the tangent of the deformed axis; kappa in 1/m; Gamma = g - axis
  Vector g;
  Vector Gamma;
  Vector kappa;

  // `second`: the second derivative of eta is wanted (mean.hpp).
  Kinematics(const Point& point, NodeSpan nodes, const Frames& frames, bool second);
  const Turn& turn(std::size_t i) const { return mean.turn[i]; }
  // P_i^T a, P_i a.
  Vector transposed_P_times(std::size_t i, const Vector& a) const;
  Vector P_times(std::size_t i, const Vector& a) const;
};

// Rates of the strains, and what they come from.
struct StrainRates {
  // Angular velocities of the nodes in the element's frame, and of the mean: rad/s
  std::array<Vector, most_nodes> node;
  Vector Omega;
  // Of phi_i, rad/s
  std::array<Vector, most_nodes> phi;
  // Q^T u', 1/s
  Vector stretch;
  Vector Gamma;
  Vector kappa;
  StrainRates() = default;
  StrainRates(const Elements& d, const Kinematics& k, NodeSpan nodes) { set(d, k, nodes); }
  void set(const Elements& d, const Kinematics& k, NodeSpan nodes);
};

// [N; M].
struct Stress {
  Vector N;
  Vector M;
  // Of the stiffness.
  explicit Stress(const Kinematics& k);
  // Of the damping alone.
  Stress(const Point& p, const StrainRates& rates);
  void add(const Stress& s);
  void scale(const Lanes& by);
};

}  // namespace polhode::elements::spectral
