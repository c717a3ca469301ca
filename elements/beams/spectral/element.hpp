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

#include "elements/beams/section_law.hpp"
#include "elements/beams/spectral/mean.hpp"
#include "polhode/model/lanes.hpp"

namespace polhode::elements::spectral {

// An integration point of the internal forces.
// Strains there are Gamma = Q^T x' - axis and kappa; the law is in the element's frame.
template <class S>
struct PointOf : SectionLaw<S> {
  // Weight of the quadrature times length, m
  S weight;
  // shape functions and their derivatives by arc length, 1/m
  std::array<S, most_nodes> L;
  std::array<S, most_nodes> dL;
  // F0^T x0': the tangent of the given axis, so that strains vanish there
  math::Vec3Of<S> axis;
  // Section's frame to element's frame, for outputs
  math::Mat3Of<S> section;
  bool operator==(const PointOf&) const = default;
};

// Inertia that nodes i and j share: integrals of L_i L_j times data per length.
template <class S>
struct PairOf {
  // kg
  S mass;
  // Mass times offset of the center of mass: kg m, element's frame
  math::Vec3Of<S> moment;
  // About the axis of the beam: kg m^2, element's frame
  math::Mat3Of<S> inertia;
  bool operator==(const PairOf&) const = default;
};

// Constants of one element, or of several side by side. It allocates when it is made and never in the kernels below.
template <class S>
struct ElementOf {
  int nodes = 0;
  // Flags of all lanes. A point has a damping that is not zero; a section has one proportional to mass; a node is
  // turned against the element's frame; the center of mass is offset somewhere. Without them the kernels save what is
  // zero then.
  bool damped = false;
  bool mass_damped = false;
  bool turned = false;
  bool offset = false;
  // Element's frame to node's frame, one a node, (w, x, y, z)
  std::array<math::so3::QuaternionOf<S>, most_nodes> E;
  std::vector<PointOf<S>> points;
  // Cosine of a sixth of the angle by which any two nodes may turn against each other whatever the others do (bound.cpp)
  S near;
  // nodes x nodes, row by row; symmetric
  std::vector<PairOf<S>> pairs;
  // The same of data per length times mass_damping, 1/s; empty without it
  std::vector<PairOf<S>> mass_damping;
  RoundOff round_off{};
  const PairOf<S>& pair(std::size_t i, std::size_t j) const { return pairs[i * static_cast<std::size_t>(nodes) + j]; }
  bool operator==(const ElementOf&) const = default;
};
using Element = ElementOf<double>;
using Elements = ElementOf<Lanes>;

using NodeSpan = std::span<const model::NodeOf<Lanes>>;

// Where the kernels add tangents: square, by columns, six numbers a node, with right factors as in model::TangentSink.
struct Sink {
  Lanes* sum;
  int size;  // from one column to the next
  Lanes m;
  Lanes c;
  Lanes k;
  // by node, or null: the scalar serves rotations, too
  const Matrix* rot_m;
  const Matrix* rot_c;
  const Matrix* rot_k;
  Lanes* at(std::size_t row, std::size_t column) const { return sum + static_cast<std::size_t>(size) * column + row; }
};

// Puts the constants of elements of the same number of nodes side by side. Elements that have fewer points than others
// get points without weight.
Elements pack(const std::array<const Element*, Lanes::count>& data);

// The kernels, for any number of nodes. n: the nodes of the elements; r: 6 numbers a node, force (N, inertial) and
// moment (N m, node's frame). gravity in m/s^2, inertial. All of them accumulate. M vdot
// + gyroscopic terms - weight, and its derivatives by vdot, v and q.
void add_inertia_to(const Elements& d, NodeSpan n, const Vector& gravity, Lanes* r);
void add_inertia_tangents_to(const Elements& d, NodeSpan n, const Vector& gravity, const Sink& t);
// Damping proportional to mass: M v with the pairs of ElementOf::mass_damping, and its derivatives. Where it is set.
void add_mass_damping_to(const Elements& d, NodeSpan n, Lanes* r);
void add_mass_damping_tangents_to(const Elements& d, NodeSpan n, const Sink& t);
// Its power on the model, W: the negative of twice the kinetic energy that these pairs would have.
Lanes mass_damping_power(const Elements& d, NodeSpan n);
// The sum over points of weight B_i^T (C strain + D strain rate), B_i as in kinematics.hpp, and its derivatives.
void add_forces_to(const Elements& d, NodeSpan n, Lanes* r);
void add_force_tangents_to(const Elements& d, NodeSpan n, const Sink& t);
// Kinetic, strain and gravity energy, J; gravity is zero at the origin. Momenta inertial, about the origin.
struct Sums {
  model::EnergiesOf<Lanes> energies;
  Vector linear;
  Vector angular;
};
// Their sums, and to `out` strains (-, 1/m) and forces (N, N m, damping included) in the section's frame, of each point
// in turn: 12 numbers a point.
Sums observe(const Elements& d, NodeSpan n, const Vector& gravity, Lanes* out);
// Power of all damping on the model, W; that of the strain rates is never positive.
Lanes power(const Elements& d, NodeSpan n);

// The element in this lane is turned so far that the mean rotation at an integration point is not unique or does not
// exist, or a node turns past half a turn against it from one state to the next, where phi_i jumps. The first alone, of
// one state: `before` and `now` the same.
bool passes_bound(const Elements& d, int lane, std::span<const model::Node> before, std::span<const model::Node> now);

}  // namespace polhode::elements::spectral
