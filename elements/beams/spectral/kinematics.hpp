// SPDX-License-Identifier: BSD-3-Clause
// Strains and their variations at one integration point.
#pragma once
#include "elements/beams/spectral/element.hpp"

namespace polhode::elements::spectral {

// The frames Q_i = R_i E_i of an element's nodes.
// They are formed once for all integration points of an element.
struct Frames {
  std::array<math::so3::Quaternion, most_nodes> Q;
  Frames(const Element& d, NodeSpan n);
};

// Delta [Gamma; kappa] = sum_i B_i [dx_i; dTheta_i] with the nodes' own variations (inertial; node's frame):
//   B_i = [ L_i' Q^T   g~ W_i ]     W_i = A^-1 L_i T_i^-1 E_i^T                     dTheta = sum W_i dTheta_i
//         [ 0           Y_i   ]     Y_i = A^-1 (P_i T_i^-1 - S A^-1 L_i T_i^-1) E_i^T,
//   P_i = L_i' I - L_i H_i, H_i the gradient of T_i^-T kappa by phi_i, S = sum_i P_i T_i^-T; g = Q^T x'.
// Valid as long as the point lives. The constructor does all work that residual, tangent and outputs share.
struct Kinematics {
  const Point& p;
  // Number of nodes
  int n;
  // The weighted mean of the frames Q_i: element's frame at this point to inertial
  Mat3 Q;
  // A = sum_i L_i T_i^-T and its inverse Ai
  Mat3 A;
  Mat3 Ai;
  // S = sum_i P_i T_i^-T, how kappa changes as the mean turns
  Mat3 S;
  // g = Q^T x', the tangent of the deformed axis; kappa in 1/m; strain = [g - axis; kappa]
  Vec3 g;
  Vec3 kappa;
  Vec6 strain;
  // phi_i = log(Q^T Q_i) with the coefficients of T_i^-1
  std::array<Turn, most_nodes> turn;
  // TiE = T_i^-1 E_i^T
  std::array<Mat3, most_nodes> Ti;
  std::array<Mat3, most_nodes> TiE;
  std::array<Mat3, most_nodes> P;
  std::array<Mat3, most_nodes> W;
  std::array<Mat3, most_nodes> Y;

  Kinematics(const Element& d, const Point& point, NodeSpan nodes, const Frames& frames);
  // B_i of the equations above.
  Mat6 B(int i) const;
  // sum_i B_i v_i: B_i serves rates as it serves variations, because velocities are left-trivialized.
  Vec6 strain_rate(NodeSpan nodes) const;
  // sigma = C strain (+ D strain_rate).
  Vec6 stress(const Element& d, NodeSpan nodes) const;
};

// [dx_i; dTheta_i] -> delta(strain rate) with the velocities held, one block a node.
// Overwrites the first n blocks of G, none of the others.
void set_rate_gradient(const Kinematics& k, const Element& d, NodeSpan nodes, std::array<Mat6, most_nodes>& G);

}  // namespace polhode::elements::spectral
