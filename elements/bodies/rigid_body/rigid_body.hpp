// SPDX-License-Identifier: BSD-3-Clause
// A rigid body attached to a node, its center of mass at an offset c in the node's frame.
//
//   force   m (xddot + R a_c - gamma) = ...,  a_c = Omegadot x c + Omega x (Omega x c)
//   moment  J Omegadot + Omega x J Omega + m c x R^T (xddot - gamma) = ...   about the node, in the node's frame
// with J = J_c + m (c.c I - c c^T), gamma the acceleration of gravity. For c = 0: BCA12 eqs. (83), (84).
// Energies: m (|xdot|^2/2 + xdot . R (Omega x c)) + Omega . J Omega/2, and -m gamma . (x + R c), zero at the origin.
// Tangents, with w = Omega x c, a = xddot - gamma (t translation, r rotation; rows: force, moment):
//   M   tt m I;  tr -m R c~;  rt m c~ R^T;  rr J
//   C   tr -m R (w~ + Omega~ c~);  rr Omega~ J - (J Omega)~
//   K   tr -m R a_c~;  rr m c~ (R^T a)~
#pragma once
#include <random>

#include "polhode/model/catalog.hpp"
#include "polhode/model/contract.hpp"

namespace polhode::elements {

struct RigidBody {
  static constexpr std::string_view name = "rigid_body";
  static constexpr int nodes = 1;
  static constexpr int rows = 0;
  static constexpr int history = 0;
  static constexpr model::Capabilities capabilities = model::can::inertia | model::can::energies;
  struct Data {
    // kg
    double mass;
    // Offset of the center of mass, m, node's frame
    math::Vec3 c;
    // About the node (not the center of mass), kg m^2, node's frame
    math::Mat3 J;
  };
  using Nodes = model::Nodes<1>;

  // r += [force; moment], N in the inertial frame and N m in the node's.
  static void add_inertia_to(const Data& d, const Nodes& n, const model::Context& c, math::Vec6& r);
  // Adds the blocks above; of c = 0 only those that differ from zero.
  static void add_inertia_tangents_to(const Data& d, const Nodes& n, const model::Context& c,
                                      model::Tangents<RigidBody>& t);
  // Kinetic and gravity energy, J.
  static model::Energies energies(const Data& d, const Nodes& n, const model::Context& c);
  // A random box, turned; half of them with an offset.
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo rigid_body_info;

// True if principal moments of this inertia can belong to a body: none negative, none above the sum of the others
// (relative tolerance 1e-6).
bool is_inertia(const math::Mat3& J);

}  // namespace polhode::elements
