// SPDX-License-Identifier: BSD-3-Clause
// The cable for structure-preserving methods: half of the mass of an element at each end, forces over a whole step
// (polhode/model/discrete.hpp). Without Model::directors no deck gets it.
//
// Over a step, V the energy of an element, bar the mean of begin and end:
//   gradient   N = max((V+ - V)/(l+ - l) + D (l+ - l)/(h L), 0) along dbar/lbar, lbar = (l + l+)/2: its work is
//              N (l+ - l)
//   midpoint   N = max(V'(|dbar|) + D (d+ - d) . n/(h L), 0) along n = dbar/|dbar|
#pragma once
#include "elements/beams/cable/cable.hpp"
#include "polhode/model/discrete.hpp"

namespace polhode::elements {

struct CableStep {
  static constexpr std::string_view name = "cable with masses at its nodes";
  static constexpr int nodes = 2;
  static constexpr int rows = 0;
  static constexpr int history = 0;
  static constexpr model::Capabilities capabilities = model::can::inertia | model::can::forces | model::can::energies |
                                                      model::can::power | model::can::outputs |
                                                      model::can::discrete_forces | model::can::midpoint;
  using Data = Cable::Data;
  using Nodes = model::Nodes<2>;
  using Step = model::ElementStep<2>;

  // As polhode/model/contract.hpp has them.
  static void add_inertia_to(const Data& d, const Nodes& n, const model::Context& c, math::Mat<12>& r);
  static void add_inertia_tangents_to(const Data& d, const Nodes& n, const model::Context& c, model::TangentsOf<2>& t);
  static void add_forces_to(const Data& d, const Nodes& n, const model::Context& c, math::Mat<12>& r);
  static void add_force_tangents_to(const Data& d, const Nodes& n, const model::Context& c, model::TangentsOf<2>& t);
  static model::Energies energies(const Data& d, const Nodes& n, const model::Context& c);
  static double power(const Data& d, const Nodes& n, const model::Context& c);
  static void write_outputs(const Data& d, const Nodes& n, const model::Context& c, const model::Rows<CableStep>&,
                            const double* h, double* out);
  // As polhode/model/discrete.hpp has them.
  static void add_discrete_forces_to(const Data& d, const Step& s, math::Mat<12>& r);
  static void add_discrete_force_tangents_to(const Data& d, const Step& s, math::Mat<12, 12>& K);
  static double discrete_energy(const Data& d, const Step& s);
  static double discrete_work(const Data& d, const Step& s);
  // Without damping proportional to mass.
  static Data sample(std::mt19937& random);
};

}  // namespace polhode::elements
