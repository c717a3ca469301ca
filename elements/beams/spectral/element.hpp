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
// Strains there are Gamma = Q^T x' - axis and kappa; [N; M] = C [Gamma; kappa] + D [Gamma; kappa]' in the element's
// frame.
struct Point {
  // Weight of the quadrature times length, m
  double weight;
  // shape functions and their derivatives by arc length, 1/m
  std::array<double, most_nodes> L{};
  std::array<double, most_nodes> dL{};
  // F0^T x0': the tangent of the given axis, so that strains vanish there
  Vec3 axis;
  // Section's frame to element's frame, for outputs
  Mat3 section;
  // stiffness and damping, element's frame
  // Stiffness (N, N m, N m^2) and damping (the same times s), order N Qy Qz Mx My Mz, element's frame
  Mat6 C;
  Mat6 D;
};

// Inertia that nodes i and j share: integrals of L_i L_j times data per length.
struct Pair {
  // kg
  double mass;
  // Mass times offset of the center of mass: kg m, element's frame
  Vec3 moment;
  // About the axis of the beam: kg m^2, element's frame
  Mat3 inertia;
};

// Constants of one element, the Data of spectral::Beam<N>. It allocates when it is made and never in the kernels below.
struct Element {
  int nodes = 0;
  // A point has a damping that is not zero; without one D and strain rates are not evaluated.
  bool damped = false;
  // Element's frame to node's frame, one a node
  std::array<Mat3, most_nodes> E;
  std::vector<Point> points;
  // nodes x nodes, row by row; symmetric
  std::vector<Pair> pairs;
  const Pair& pair(int i, int j) const { return pairs[static_cast<std::size_t>(i * nodes + j)]; }
};

using NodeSpan = std::span<const model::Node>;
using VectorMap = Eigen::Map<math::VectorX>;
using MatrixMap = Eigen::Map<math::MatrixX>;

// The kernels, for any number of nodes. n: the nodes of the element; r: 6 numbers a node, force (N, inertial) and
// moment (N m, node's frame); M, C, K: square, as long as r. gravity in m/s^2, inertial. All of them accumulate. M vdot
// + gyroscopic terms - weight, and its derivatives by vdot, v and q.
void add_inertia_to(const Element& d, NodeSpan n, const Vec3& gravity, VectorMap r);
void add_inertia_tangents_to(const Element& d, NodeSpan n, const Vec3& gravity, MatrixMap M, MatrixMap C, MatrixMap K);
// The sum over points of weight B_i^T (C strain + D strain rate), B_i as in kinematics.hpp, and its derivatives.
void add_forces_to(const Element& d, NodeSpan n, VectorMap r);
void add_force_tangents_to(const Element& d, NodeSpan n, MatrixMap C, MatrixMap K);
// Kinetic, strain and gravity energy, J; gravity is zero at the origin.
model::Energies energies(const Element& d, NodeSpan n, const Vec3& gravity);
// Power of the damping on the model, W: never positive.
double power(const Element& d, NodeSpan n);
// A node turns past half a turn against the mean rotation at an integration point, where phi_i jumps.
bool passes_bound(const Element& d, NodeSpan before, NodeSpan now);
// Strains (-, 1/m) and forces (N, N m, damping included) in the section's frame, of each point in turn: 12 numbers a
// point.
void write_outputs(const Element& d, NodeSpan n, double* out);

}  // namespace polhode::elements::spectral
