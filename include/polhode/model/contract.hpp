// SPDX-License-Identifier: BSD-3-Clause
// The element contract: what a kind offers to the solver. Whoever writes a kind writes one element with functions of
// fixed size; loops, scattering and numbering belong to the batch (batch.hpp).
//
// A kind K is a struct of constants, a Data struct, and static functions. Which functions it has says what it is:
//
//   static constexpr std::string_view name;          the deck's type
//   static constexpr int nodes, rows, history;       nodes it connects, constraint rows, remembered numbers
//   struct Data;                                     constants of one element
//
// clang-format off
//   WithInertia   add_inertia_to(d, n, c, r)                  r += M vdot + gyroscopic terms - weight
//                 add_inertia_tangents_to(d, n, c, t)         t.M += M, t.C += D_v r, t.K += D_q r
//   WithForces    add_forces_to(d, n, c, r)                   r += internal forces - loads
//                 add_force_tangents_to(d, n, c, t)           t.C, t.K
//   WithRows      constraint(d, n, c, phi)                    Phi(q, t)
//                 gradient(d, n, c, B)                        DPhi = B w, BCA12 eq. (9)
//                 add_geometric_tangent_to(d, n, c, lambda, K)  D_q (B^T lambda)
//                 row_names, row_is_length                    std::array of std::string_view and of bool (m, or without unit)
//   driven rows   time_derivatives(d, c, phi_t, phi_tt)       explicit ones, where Phi depends on t (B must not)
//   mirrored(d, n)                                            true where the rows hold, but in a position that no motion of
//                                                             the joint leads to (an axis turned end over end)
//   all optional  energies(d, n, c)                           kinetic, strain, gravity
//                 power(d, n, c)                              of loads and dampers on the model, W
//                 momentum(d, c)                              angular, of what turns in the node's frame, N m s
//                 update_history(d, n, c, h)                  h: numbers to remember, of the last accepted state -> of this one
//                 write_outputs(d, n, c, lambda, h, out)      in the order of KindInfo::outputs
//                 breakpoints(d, t0, t1, out)                 times of kinks and jumps are added
//                 sample(d, random)                           random valid data, for the conformance suite
// clang-format on
//
// A kind whose elements come in thousands may run its inertia and forces on several of them at a time: lanes.hpp.
//
// What later methods need besides follows from these: Z = D_q (B v) has the rows v^T D_q(B^T e_r), and the
// acceleration-level right-hand side is Gamma = Z v + Phi_tt (B vdot + Gamma = 0). Local order of unknowns: [x_1
// theta_1 x_2 theta_2 ...], translations inertial, rotations in the node's frame.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "polhode/model/state.hpp"

namespace polhode::model {

using math::Mat;

// One node as an element sees it.
struct Node {
  const Vec3& x;
  const math::so3::Quaternion& quat;
  const Mat3& R;
  const Vec6& v;
  const Vec6& vdot;
  auto u() const { return v.head<3>(); }
  auto Omega() const { return v.tail<3>(); }
  auto udot() const { return vdot.head<3>(); }
  auto Omegadot() const { return vdot.tail<3>(); }
};
template <int N>
using Nodes = std::array<Node, N>;

struct Context {
  double t = 0;                     // s
  Vec3 gravity = Vec3::Zero();      // m/s^2, inertial frame
  double load_factor = 1;           // of loads, motors and drives in time; statics scale them, gravity included
  const double* history = nullptr;  // what the element remembers of the last accepted state (K::history numbers)
};

template <class K>
using Vector = Mat<6 * K::nodes>;
template <class K>
using Block = Mat<6 * K::nodes, 6 * K::nodes>;
template <class K>
using Rows = Mat<std::max(K::rows, 1)>;
template <class K>
using Gradient = Mat<std::max(K::rows, 1), 6 * K::nodes>;

template <class Kind>
struct Tangents {
  // D_vdot r, D_v r, D_q r
  Block<Kind> M;
  Block<Kind> C;
  Block<Kind> K;
};

struct Energies {
  double kinetic = 0;  // J
  double strain = 0;   // J
  double gravity = 0;  // J
  double total() const { return kinetic + strain + gravity; }
  Energies& operator+=(const Energies& e) {
    kinetic += e.kinetic;
    strain += e.strain;
    gravity += e.gravity;
    return *this;
  }
};

// What isolated motion keeps; momenta inertial, the angular one about the origin.
struct Totals {
  Energies energies;
  Vec3 linear = Vec3::Zero();   // N s
  Vec3 angular = Vec3::Zero();  // N m s
  Totals& operator+=(const Totals& t) {
    energies += t.energies;
    linear += t.linear;
    angular += t.angular;
    return *this;
  }
};

template <class K>
concept WithInertia = requires(const typename K::Data& d, const Nodes<K::nodes>& n, const Context& c, Vector<K>& r,
                               Tangents<K>& t) {
  K::add_inertia_to(d, n, c, r);
  K::add_inertia_tangents_to(d, n, c, t);
};
template <class K>
concept WithForces = requires(const typename K::Data& d, const Nodes<K::nodes>& n, const Context& c, Vector<K>& r,
                              Tangents<K>& t) {
  K::add_forces_to(d, n, c, r);
  K::add_force_tangents_to(d, n, c, t);
};
template <class K>
concept WithRows = (K::rows > 0) && requires(const typename K::Data& d, const Nodes<K::nodes>& n, const Context& c,
                                             Rows<K>& phi, Gradient<K>& B, const Rows<K>& lambda, Block<K>& G) {
  K::constraint(d, n, c, phi);
  K::gradient(d, n, c, B);
  K::add_geometric_tangent_to(d, n, c, lambda, G);
  K::row_names;
  K::row_is_length;
};
template <class K>
concept Driven = WithRows<K> && requires(const typename K::Data& d, const Context& c, Rows<K>& a) {
  K::time_derivatives(d, c, a, a);
};
template <class K>
concept WithMirror = requires(const typename K::Data& d, const Nodes<K::nodes>& n) {
  K::mirrored(d, n);
};
template <class K>
concept WithEnergies = requires(const typename K::Data& d, const Nodes<K::nodes>& n, const Context& c) {
  K::energies(d, n, c);
};
template <class K>  // angular momentum of its own, in the frame of its first node, that is not of that node's motion
concept WithMomentum = requires(const typename K::Data& d, const Context& c) {
  K::momentum(d, c);
};
template <class K>
concept WithPower = requires(const typename K::Data& d, const Nodes<K::nodes>& n, const Context& c) {
  K::power(d, n, c);
};
template <class K>
concept WithHistory = (K::history > 0) &&
                      requires(const typename K::Data& d, const Nodes<K::nodes>& n, const Context& c, double* h) {
  K::update_history(d, n, c, h);
};
template <class K>
concept WithOutputs = requires(const typename K::Data& d, const Nodes<K::nodes>& n, const Context& c,
                               const Rows<K>& lambda, const double* h, double* out) {
  K::write_outputs(d, n, c, lambda, h, out);
};
template <class K>
concept WithBreakpoints = requires(const typename K::Data& d, std::vector<double>& out) {
  K::breakpoints(d, 0.0, 1.0, out);
};

}  // namespace polhode::model
