// SPDX-License-Identifier: BSD-3-Clause
// A rotor in a body: a wheel that turns at constant speed relative to its node, by its angular momentum h in the node's
// frame (a gyrostat; Wittenburg, Dynamics of Multibody Systems, 2008, sec. 3.4). Mass and inertia of the wheel at rest
// belong to the body.
//
//   moment  r += Omega x h   C, rotation by rotation:  -h~
// It does no work. In the load steps of statics h grows with the root of the load factor, as speeds do.
#pragma once
#include <random>

#include "polhode/model/catalog.hpp"
#include "polhode/model/contract.hpp"

namespace polhode::elements {

struct Rotor {
  static constexpr std::string_view name = "rotor";
  static constexpr int nodes = 1;
  static constexpr int rows = 0;
  static constexpr int history = 0;
  static constexpr model::Capabilities capabilities = model::can::forces | model::can::momentum;
  struct Data {
    math::Vec3 h;  // N m s, node's frame
  };
  using Nodes = model::Nodes<1>;

  // r += moment on the body in the node's frame, N m.
  static void add_forces_to(const Data& d, const Nodes& n, const model::Context& c, math::Vec6& r);
  // t.C as above; M and K are zero.
  static void add_force_tangents_to(const Data& d, const Nodes& n, const model::Context& c, model::Tangents<Rotor>& t);
  // h, N m s, node's frame, times the root of the load factor.
  static math::Vec3 momentum(const Data& d, const model::Context& c);
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo rotor_info;

}  // namespace polhode::elements
