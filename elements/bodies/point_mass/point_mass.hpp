// SPDX-License-Identifier: BSD-3-Clause
// A mass without rotational inertia at a node: m (xddot - gamma) = ..., gamma the acceleration of gravity.
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

  static void add_inertia_to(const Data& d, const Nodes& n, const model::Context& c, math::Vec6& r);
  static void add_inertia_tangents_to(const Data& d, const Nodes& n, const model::Context& c,
                                      model::Tangents<PointMass>& t);
  static model::Energies energies(const Data& d, const Nodes& n, const model::Context& c);
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo point_mass_info;

}  // namespace polhode::elements
