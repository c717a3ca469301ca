// SPDX-License-Identifier: BSD-3-Clause
// The element as a kind of the contract, one for each number of nodes, and how it is made: sections along an axis.
#pragma once
#include <functional>
#include <memory>
#include <random>

#include "elements/beams/spectral/element.hpp"
#include "polhode/model/builder.hpp"

namespace polhode::elements::spectral {

// What is known of the beam at part s of its element, s in [-1, 1].
// Section data are linear between the stations of the deck.
struct Station {
  // Of the section to inertial, in the initial configuration
  Mat3 frame;
  // section's axes
  // Section's axes: stiffness in N, N m, N m^2; mass per length in kg/m, kg, kg m, in the order of the velocities
  Mat6 stiffness;
  Mat6 mass;
  // Time constant of each strain, s
  Vec6 damping;
};
// What an element is made of.
struct Recipe {
  // Of the nodes, m, inertial; they stand at lobatto_nodes of [-1, 1]
  std::vector<Vec3> positions;
  // Of the nodes: node's frame to inertial
  std::vector<Mat3> orientations;
  // Gauss points of the internal forces: the order for reduced integration, one more for full
  int force_points = 1;
  // Inside (-1, 1), ascending, where section data have kinks; the integrals of inertia are taken piece by piece
  std::vector<double> breaks;
  std::function<Station(double)> station;
};
// The damping matrix sqrt(tau) C sqrt(tau) of a section, symmetric and positive semidefinite as C is: C diag(tau) where C
// is diagonal or all tau are equal. time_constants: of each strain, s, not negative.
Mat6 damping(const Mat6& stiffness, const Vec6& time_constants);
// Evaluates all constants of an element: stiffness at its Gauss points, integrals of inertia between the breaks.
Element make_element(const Recipe& recipe);
// The integrals of the nodes' shape functions over the length, m; they add up to the length of the element. A dead load
// per length f acts on node i as shares[i] f.
std::vector<double> shares(const Recipe& recipe);

// Adds an element of as many nodes as `at` has to the batch of its order.
// `at`: indices of the nodes in the model, 2 to 9 of them.
void add_element(model::Builder& builder, const model::Entry& entry, std::span<const int> at, Element element);
// A batch of one random element of each order (KindInfo::samples).
void add_samples_to(std::vector<std::unique_ptr<model::BatchBase>>& samples, std::mt19937& random);
// Random curved, twisted and tapered element, half of them with damping and half with turned nodes.
Element sample(int nodes, std::mt19937& random);

// Maps the contract, whose matrices have fixed sizes, to the kernels of element.hpp, which are compiled
// once for all orders.
template <int N>
struct Beam {
  // By the number of nodes; none has fewer than two.
  static constexpr std::array<std::string_view, most_nodes + 1> names{"",
                                                                      "",
                                                                      "beam of order 1",
                                                                      "beam of order 2",
                                                                      "beam of order 3",
                                                                      "beam of order 4",
                                                                      "beam of order 5",
                                                                      "beam of order 6",
                                                                      "beam of order 7",
                                                                      "beam of order 8"};
  static constexpr std::string_view name = names[N];
  static constexpr int nodes = N;
  static constexpr int rows = 0;
  static constexpr int history = 0;
  static constexpr model::Capabilities capabilities = model::can::inertia | model::can::forces | model::can::energies |
                                                      model::can::power | model::can::outputs | model::can::bound;
  using Data = Element;
  using Nodes = model::Nodes<N>;
  using Vector = math::Mat<6 * N>;
  using Block = math::Mat<6 * N, 6 * N>;

  static void add_inertia_to(const Data& d, const Nodes& n, const model::Context& c, Vector& r) {
    spectral::add_inertia_to(d, n, c.gravity, map(r));
  }
  static void add_inertia_tangents_to(const Data& d, const Nodes& n, const model::Context& c,
                                      model::Tangents<Beam>& t) {
    spectral::add_inertia_tangents_to(d, n, c.gravity, map(t.M), map(t.C), map(t.K));
  }
  static void add_forces_to(const Data& d, const Nodes& n, const model::Context&, Vector& r) {
    spectral::add_forces_to(d, n, map(r));
  }
  static void add_force_tangents_to(const Data& d, const Nodes& n, const model::Context&, model::Tangents<Beam>& t) {
    spectral::add_force_tangents_to(d, n, map(t.C), map(t.K));
  }
  static model::Energies energies(const Data& d, const Nodes& n, const model::Context& c) {
    return spectral::energies(d, n, c.gravity);
  }
  static double power(const Data& d, const Nodes& n, const model::Context&) { return spectral::power(d, n); }
  static void write_outputs(const Data& d, const Nodes& n, const model::Context&, const math::Mat<1>&, const double*,
                            double* out) {
    spectral::write_outputs(d, n, out);
  }
  static bool passes_bound(const Data& d, const Nodes& before, const Nodes& now, const double*) {
    return spectral::passes_bound(d, before, now);
  }
  static Data sample(std::mt19937& random) { return spectral::sample(N, random); }

 private:
  static VectorMap map(Vector& r) { return {r.data(), r.size()}; }
  static MatrixMap map(Block& m) { return {m.data(), m.rows(), m.cols()}; }
};

// Of one order; each is compiled in a file of its own.
template <int N>
void add_element_of(model::Builder& builder, const model::Entry& entry, std::span<const int> at, Element element);
template <int N>
std::unique_ptr<model::BatchBase> sample_of(std::mt19937& random);

}  // namespace polhode::elements::spectral
