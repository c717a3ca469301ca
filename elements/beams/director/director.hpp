// SPDX-License-Identifier: BSD-3-Clause
// Geometrically exact beam element whose section frames are interpolated as matrices (Romero & Armero, Int. J. Numer.
// Meth. Engng. 54 (2002) 1683-1716; Betsch & Steinmann, ibid. 1775-1788): strains are quadratic in positions and
// directors of the nodes, so that a step of `energy_momentum` keeps energy and momenta to round-off.
//
// Constants are those of the element on spectral nodes (spectral/element.hpp). A node carries the element's frame as
// d = R E, its columns the directors d_1 d_2 d_3; with Lagrange's polynomials x' = sum L_a' x_a, d = sum L_a d_a and
// d' = sum L_a' d_a, which is no rotation between the nodes:
//   Gamma = d^T x' - axis,   kappa = axial part of d^T d':   2 m . kappa = <m~, d^T d'> for any m
// Both are zero in the deck's configuration, and a common rotation of all nodes leaves them as they are. With [N; M] =
// C [Gamma; kappa] + D [Gamma; kappa]' the energy changes by
//   dx' . d N + <dd, x' N^T - d' M~/2> + <dd', d M~/2>,
// with f_a and the 3x3 matrix G_a by x_a and d_a; the moment of node a is the sum over its directors of d_i x G_a,i.
// Masses stand at the nodes: row sums of the consistent mass matrix.
//
// Over a step (polhode/model/discrete.hpp) d stands for the mean of both ends, which no function minds. Stresses are
// C times the mean of the strains of both ends, or the strain of the mean (s.gradient), and D times their difference by
// h; d_i x G_a,i has the directors of s.lever.
#pragma once
#include <span>

#include "elements/beams/spectral/element.hpp"
#include "polhode/model/discrete.hpp"

namespace polhode::elements::director {

using math::Mat3;
using math::Mat6;
using math::Vec3;
using math::Vec6;

// Mass of a node of an element, in the node's frame.
struct NodeMass {
  // kg
  double mass;
  // Center of mass, m
  Vec3 c;
  // About the node, kg m^2
  Mat3 J;
};

struct Element {
  spectral::Element constants;
  // One a node: E, element's frame to node's frame; what it weighs
  std::vector<Mat3> frames;
  std::vector<NodeMass> masses;
};
// Row sums of the masses that nodes share. A mass may come out negative where that of the beam changes steeply.
Element make_element(spectral::Element constants);

using NodeSpan = std::span<const model::Node>;

// The kernels, for any number of nodes; r: six numbers a node, K: square, by columns. All accumulate; none allocates.
// Forces (N, inertial) and moments (N m, node's frame), and their derivatives by velocities and the configuration.
void add_forces_to(const Element& d, NodeSpan n, double* r);
void add_force_tangents_to(const Element& d, NodeSpan n, double* C, double* K);
// J, and W of the damping on the model.
double strain_energy(const Element& d, NodeSpan n);
double damping_power(const Element& d, NodeSpan n);
// Strains (-, 1/m) and forces (N, N m, damping included) in the section's frame, of each point in turn: 12 numbers.
void write_outputs(const Element& d, NodeSpan n, double* out);

// A step as model::ElementStep, for any number of nodes.
struct Step {
  NodeSpan begin;
  NodeSpan mean;
  NodeSpan end;
  double h;
  bool gradient;
  model::Lever lever;
};
// Wrenches, inertial, and their derivative by the end of the step.
void add_discrete_forces_to(const Element& d, const Step& s, double* r);
void add_discrete_force_tangents_to(const Element& d, const Step& s, double* K);
// The strain energy of the mean of both ends, J; the work of the damping on the model over the step, J.
double discrete_energy(const Element& d, const Step& s);
double discrete_work(const Element& d, const Step& s);

}  // namespace polhode::elements::director
