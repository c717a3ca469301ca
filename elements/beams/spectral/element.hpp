// SPDX-License-Identifier: BSD-3-Clause
// Geometrically exact beam element on any number of nodes: constants of one element, and its kernels.
//
// The element's frame is a constant frame F0; the nodes carry it as Q_i = R_i E_i, all equal in the initial
// configuration. Positions are interpolated by Lagrange's polynomials over the nodes, rotations by the weighted mean
// Q(s) of the Q_i (mean.hpp); the section's frame at s is Q(s) F0^T F(s) with the frame F(s) of the given axis, so a
// curved or twisted beam is free of strain as it is made, exactly. In the element's frame:
//   Gamma = Q^T x' - F0^T x0',   kappa = axial(Q^T Q'),   [N; M] = C [Gamma; kappa] + D [Gamma; kappa]'
//   kinetic energy 1/2 sum_ij (m_ij u_i . u_j + 2 u_i . Q_j (Omega_j x s_ij) + Omega_i . J_ij Omega_j)
// with m_ij, s_ij, J_ij the integrals of L_i L_j times mass, mass times offset, and inertia per length.
#pragma once
#include <span>
#include <vector>

#include "elements/beams/spectral/mean.hpp"
#include "polhode/model/contract.hpp"

namespace polhode::elements::spectral {

using math::Mat6;
using math::Vec6;

// An integration point of the internal forces.
struct Point {
  double weight;                             // m
  // shape functions and their derivatives by arc length, 1/m
  std::array<double, most_nodes> L{};
  std::array<double, most_nodes> dL{};
  Vec3 axis;                                 // F0^T x0'
  Mat3 section;                              // section's frame to element's frame
  // stiffness and damping, element's frame
  Mat6 C;
  Mat6 D;
};

struct Pair {    // integrals of L_i L_j
  double mass;   // kg
  Vec3 moment;   // kg m, mass times offset of the centre of mass, element's frame
  Mat3 inertia;  // kg m^2, about the axis
};

struct Element {
  int nodes = 0;
  bool damped = false;
  std::array<Mat3, most_nodes> E;  // element's frame to node's frame
  std::vector<Point> points;
  std::vector<Pair> pairs;  // nodes x nodes, row by row
  const Pair& pair(int i, int j) const { return pairs[static_cast<std::size_t>(i * nodes + j)]; }
};

using NodeSpan = std::span<const model::Node>;
using VectorMap = Eigen::Map<math::VectorX>;
using MatrixMap = Eigen::Map<math::MatrixX>;

void add_inertia_to(const Element& d, NodeSpan n, const Vec3& gravity, VectorMap r);
void add_inertia_tangents_to(const Element& d, NodeSpan n, const Vec3& gravity, MatrixMap M, MatrixMap C, MatrixMap K);
void add_forces_to(const Element& d, NodeSpan n, VectorMap r);
void add_force_tangents_to(const Element& d, NodeSpan n, MatrixMap C, MatrixMap K);
model::Energies energies(const Element& d, NodeSpan n, const Vec3& gravity);
double power(const Element& d, NodeSpan n);                     // of the damping: never positive
void write_outputs(const Element& d, NodeSpan n, double* out);  // strains, forces of each point in turn

}  // namespace polhode::elements::spectral
