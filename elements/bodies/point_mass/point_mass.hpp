// SPDX-License-Identifier: BSD-3-Clause
// A mass without rotational inertia at a node: m (xddot - gamma) = ..., gamma the acceleration of gravity.
// Kinetic energy m |xdot|^2/2, gravity energy -m gamma . x, zero at the origin. It serves nodes with and without
// rotation.
#pragma once
#include <random>

#include "polhode/model/catalog.hpp"
#include "polhode/model/contract.hpp"

namespace polhode::elements {

struct PointMass {
  static constexpr std::string_view name = "point_mass";
  static constexpr int nodes = 1;
  static constexpr int rows = 0;
  static constexpr int history = 0;
  static constexpr model::Capabilities capabilities = model::can::inertia | model::can::energies;
  struct Data {
    double mass;  // kg
  };
  using Nodes = model::Nodes<1>;

  // r += force, N, inertial; no moment.
  static void add_inertia_to(const Data& d, const Nodes& n, const model::Context& c, math::Vec6& r);
  // t.M += m I, translation by translation; C and K are zero.
  static void add_inertia_tangents_to(const Data& d, const Nodes& n, const model::Context& c,
                                      model::Tangents<PointMass>& t);
  // Kinetic and gravity energy, J.
  static model::Energies energies(const Data& d, const Nodes& n, const model::Context& c);
  // A mass between 0.5 and 2 kg.
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo point_mass_info;

}  // namespace polhode::elements
