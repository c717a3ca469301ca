// SPDX-License-Identifier: BSD-3-Clause
// The element contract: what a kind offers to the solver. Whoever writes a kind writes one element with functions of
// fixed size; loops, scattering and numbering belong to the batch (batch.hpp).
//
// A kind K is a struct of constants, a Data struct, and static functions:
//
//   static constexpr std::string_view name;          the deck's type
//   static constexpr int nodes, rows, history;       nodes it connects, constraint equations, internal variables
//   static constexpr Capabilities capabilities;      what it can do, such as can::forces | can::energies
//   struct Data;                                     constants of one element
//
// Each capability stands for the functions beside it. What is declared must be there, and what is there must be
// declared: a misspelt or half-written function does not compile (checked_kind.hpp). A method that needs what a kind
// does not declare refuses the kind by name.
//
// Arguments: d the data; n the nodes (positions m, velocities m/s and, in the node's frame, rad/s); c time, gravity and
// internal variables; r wrenches, forces inertial, moments in the node's frame (N, N m). None of them allocates.
//
// clang-format off
//   inertia       add_inertia_to(d, n, c, r)                  r += M vdot + gyroscopic terms - weight
//                 add_inertia_tangents_to(d, n, c, t)         t.M += M, t.C += D_v r, t.K += D_q r
//   forces        add_forces_to(d, n, c, r)                   r += internal forces - loads
//                 add_force_tangents_to(d, n, c, t)           t.C, t.K
//   rows > 0      constraint(d, n, c, phi)                    Phi(q, t)
//                 gradient(d, n, c, B)                        DPhi = B w, BCA12 eq. (9)
//                 add_geometric_tangent_to(d, n, c, lambda, K)  D_q (B^T lambda)
//                 row_names, row_is_length                    std::array of std::string_view and of bool (m, or without unit)
//   drives        time_derivatives(d, c, phi_t, phi_tt)       explicit ones, where Phi depends on t (B must not)
//                 each_drive(d, visit)                        visit(function, row) for each function of time that is added
//                                                             to a row
//   velocity_gradient
//                 velocity_gradient(d, n, c, Z)               Z = D_q (B v), zero before the call; where it is cheaper
//                                                             than by the geometric tangent of each row
//   mirror        mirrored(d, n)                              true where the rows hold, but in a position that no motion of
//                                                             the joint leads to (an axis turned end over end)
//   bound         passes_bound(d, before, now, h)             true where the nodes turn against each other past the bound of
//                                                             what the element measures, from one accepted state, whose
//                                                             internal variables are h, to the next: forces jump there
//   energies      energies(d, n, c)                           kinetic, strain, gravity
//   power         power(d, n, c)                              of loads and dampers on the model, W
//   momentum      momentum(d, c)                              angular, of what turns in the node's frame, N m s
//   history > 0   update_history(d, n, c, h)                  h: numbers to remember, of the last accepted state -> of this one
//   outputs       write_outputs(d, n, c, lambda, h, out)      in the order of KindInfo::outputs
//   breakpoints   breakpoints(d, t0, t1, out)                 times of kinks and jumps are added
//   signals       each_actuator(d, n, c, act)                 act(function, D r / D function) for each function of time
//                                                             that may take signals; r is linear in it
//   always        sample(random)                              random valid data, for the conformance suite
// clang-format on
//
// A kind whose tangents are zero but between rotations says so, static constexpr bool turns_alone = true, and pays for
// nothing else.
//
// A kind that neither looks at rotations nor acts on them says static constexpr bool moves_alone = true; of its numbers
// those of translations alone are read. Only kinds in lanes gain by it.
//
// A kind whose elements come in thousands may run its inertia and forces on several of them at a time: lanes.hpp.
//
// What later methods need besides follows from these: unless given, Z = D_q (B v) has the rows v^T D_q(B^T e_r); the
// acceleration-level right-hand side is Gamma = Z v + Phi_tt (B vdot + Gamma = 0). Local order of unknowns: [x_1
// theta_1 x_2 theta_2 ...], translations inertial, rotations in the node's frame.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "polhode/model/capabilities.hpp"
#include "polhode/model/expression.hpp"
#include "polhode/model/state.hpp"

namespace polhode::model {

using math::Mat;

// One node as an element sees it.
// References into a state: valid as long as it is neither moved nor resized.
struct Node {
  // Position, m, inertial
  const Vec3& x;
  // Rotation from the node's frame to the inertial one, twice: as unit quaternion and as matrix
  const math::so3::Quaternion& quat;
  const Mat3& R;
  // [u; Omega] and [udot; Omegadot], left-trivialized
  const Vec6& v;
  const Vec6& vdot;
  // The parts: translation in m/s and m/s^2, inertial; rotation in rad/s and rad/s^2, node's frame.
  auto u() const { return v.head<3>(); }
  auto Omega() const { return v.tail<3>(); }
  auto udot() const { return vdot.head<3>(); }
  auto Omegadot() const { return vdot.tail<3>(); }
};
template <int N>
using Nodes = std::array<Node, N>;

// What is the same for all nodes of an element.
struct Context {
  // s
  double t = 0;
  // Acceleration, m/s^2, inertial
  Vec3 gravity = Vec3::Zero();
  // Of loads, motors and drives in time; statics scale them, gravity included
  double load_factor = 1;
  // What the element remembers of the last accepted state (K::history numbers)
  const double* history = nullptr;
  // The deck's signals in their order, for TimeFunction::value; nothing where there are none
  std::span<const double> signals{};
  // The same with both derivatives by time, where drives follow signals; only of what these may follow
  std::span<const Jet> moving_signals{};
  // The joint of the element has come apart (State::dropped): what acts along its coordinates does not act
  bool apart = false;
};

// Matrices of an element by its kind; a kind without rows has one that nobody reads.
template <class K>
using Vector = Mat<6 * K::nodes>;
template <class K>
using Block = Mat<6 * K::nodes, 6 * K::nodes>;
template <class K>
using Rows = Mat<std::max(K::rows, 1)>;
template <class K>
using Gradient = Mat<std::max(K::rows, 1), 6 * K::nodes>;

// The tangents of an element of N nodes: D_vdot r, D_v r, D_q r.
// Columns are by [x_1 theta_1 x_2 theta_2 ...], rows are forces and moments in the same order.
template <int N>
struct TangentsOf {
  Mat<6 * N, 6 * N> M;
  Mat<6 * N, 6 * N> C;
  Mat<6 * N, 6 * N> K;
};
template <class K>
using Tangents = TangentsOf<K::nodes>;

// In J. Of an exact motion their sum changes by the work of loads, dampers and drives.
struct Energies {
  double kinetic = 0;
  double strain = 0;
  // Zero at the origin
  double gravity = 0;
  // Mechanical energy, J.
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
  // N s
  Vec3 linear = Vec3::Zero();
  // N m s
  Vec3 angular = Vec3::Zero();
  Totals& operator+=(const Totals& t) {
    energies += t.energies;
    linear += t.linear;
    angular += t.angular;
    return *this;
  }
};

// What kinds declare. A batch compares it with the functions (checked_kind.hpp).
template <class K>
concept WithInertia = K::capabilities.has(can::inertia);
template <class K>
concept WithForces = K::capabilities.has(can::forces);
template <class K>
concept WithRows = (K::rows > 0);
template <class K>
concept Driven = K::capabilities.has(can::drives);
// No tangent of the element is but between rotations; other entries of C, K and D_q (B^T lambda) are not read.
template <class K>
concept TurnsAlone = requires {
  requires K::turns_alone;
};
// Neither looks at rotations nor acts on them.
template <class K>
concept MovesAlone = requires {
  requires K::moves_alone;
};
template <class K>
concept WithVelocityGradient = K::capabilities.has(can::velocity_gradient);
template <class K>
concept WithMirror = K::capabilities.has(can::mirror);
template <class K>
concept WithBound = K::capabilities.has(can::bound);
template <class K>
concept WithEnergies = K::capabilities.has(can::energies);
// Angular momentum of its own, in the frame of its first node, that is not of that node's motion.
template <class K>
concept WithMomentum = K::capabilities.has(can::momentum);
template <class K>
concept WithPower = K::capabilities.has(can::power);
template <class K>
concept WithHistory = (K::history > 0);
template <class K>
concept WithOutputs = K::capabilities.has(can::outputs);
template <class K>
concept WithSignals = K::capabilities.has(can::signals);
template <class K>
concept WithBreakpoints = K::capabilities.has(can::breakpoints);

}  // namespace polhode::model
