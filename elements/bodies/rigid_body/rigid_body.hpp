// SPDX-License-Identifier: BSD-3-Clause
// A rigid body attached to a node, its centre of mass at an offset c in the node's frame.
//
//   force   m (xddot + R a_c - gamma) = ...,  a_c = Omegadot x c + Omega x (Omega x c)
//   moment  J Omegadot + Omega x J Omega + m c x R^T (xddot - gamma) = ...   about the node, in the node's frame
// with J = J_c + m (c.c I - c c^T), gamma the acceleration of gravity. For c = 0: BCA12 eqs. (83), (84).
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
    double mass;   // kg
    math::Vec3 c;  // m, node's frame
    math::Mat3 J;  // kg m^2, about the node, node's frame
  };
  using Nodes = model::Nodes<1>;

  static void add_inertia_to(const Data& d, const Nodes& n, const model::Context& c, math::Vec6& r);
  static void add_inertia_tangents_to(const Data& d, const Nodes& n, const model::Context& c,
                                      model::Tangents<RigidBody>& t);
  static model::Energies energies(const Data& d, const Nodes& n, const model::Context& c);
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo rigid_body_info;

// True if principal moments of this inertia can belong to a body: none negative, none above the sum of the others
// (relative tolerance 1e-6).
bool is_inertia(const math::Mat3& J);

}  // namespace polhode::elements
