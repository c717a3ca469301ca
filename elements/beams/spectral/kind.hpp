// SPDX-License-Identifier: BSD-3-Clause
// The element as a kind of the contract, one for each number of nodes, and how it is made: sections along an axis.
#pragma once
#include <functional>
#include <memory>
#include <random>

#include "elements/beams/spectral/element.hpp"
#include "polhode/model/builder.hpp"

namespace polhode::elements::spectral {

using math::Mat6;
using math::Vec6;

// What is known of the beam at part s of its element, s in [-1, 1].
// Section data are linear between the stations of the deck.
struct Station {
  // Of the section to inertial, in the initial configuration
  Mat3 frame;
  // section's axes
  // Section's axes: stiffness in N, N m, N m^2; mass per length in kg/m, kg, kg m, in the order of the velocities
  Mat6 stiffness;
  Mat6 mass;
  // Time constant of each strain, s, and a damping matrix beside them: N s, N m s, N m^2 s
  Vec6 damping;
  Mat6 damping_matrix;
  // Proportional to mass, 1/s
  double mass_damping;
};
// What an element is made of.
struct Recipe {
  // Of the nodes, m, inertial; they stand at lobatto_nodes of [-1, 1]
  std::vector<Vec3> positions;
  // Of the nodes: node's frame to inertial
  std::vector<Mat3> orientations;
  // Of the internal forces, over [-1, 1]: as many points as the order at least
  Quadrature rule;
  // Inside (-1, 1), ascending, where section data have kinks; the integrals of inertia are taken piece by piece
  std::vector<double> breaks;
  std::function<Station(double)> station;
};
// The whole damping matrix of the strain rates, in section's axes: that of the time constants, and the one beside them.
Mat6 damping(const Station& station);
// The damping matrix sqrt(tau) C sqrt(tau) of a section, symmetric and positive semidefinite as C is: C diag(tau) where C
// is diagonal or all tau are equal. time_constants: of each strain, s, not negative.
Mat6 damping(const Mat6& stiffness, const Vec6& time_constants);
// Evaluates all constants of an element: stiffness at its Gauss points, integrals of inertia between the breaks.
Element make_element(const Recipe& recipe);
// But for round-off.
bool alike(const Element& a, const Element& b);
// The integrals of the nodes' shape functions over the length, m; they add up to the length of the element. A dead load
// per length f acts on node i as shares[i] f.
std::vector<double> shares(const Recipe& recipe);

// Adds an element of as many nodes as `at` has to the batch of its order.
// `at`: indices of the nodes in the model, 2 to 9 of them.
void add_element(model::Builder& builder, const model::Entry& entry, std::span<const int> at, Element element);
// A batch of one random element of each order (KindInfo::samples).
void add_samples_to(std::vector<std::unique_ptr<model::BatchBase>>& samples, std::mt19937& random);
// Random curved, twisted and tapered element, half of them each with damping by strain
// rates, with damping by mass and with turned nodes.
Element sample(int nodes, std::mt19937& random);

// Maps the contract, whose arrays have fixed sizes, to the kernels of element.hpp, which are compiled
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
  static constexpr model::Capabilities capabilities = model::can::lanes | model::can::power | model::can::bound;
  // Twelve a point.
  static constexpr int outputs = 12 * most_points;
  template <class S>
  using DataOf = ElementOf<S>;
  using Data = Element;
  using Nodes = model::NodesOf<N, Lanes>;
  using Context = model::ContextOf<Lanes>;

  static bool alike(const Data& a, const Data& b) { return spectral::alike(a, b); }
  static Elements pack(const std::array<const Data*, Lanes::count>& data) { return spectral::pack(data); }
  static void add_to(const Elements& d, const Nodes& n, const Context& c, model::Parts parts,
                     model::VectorOf<N, Lanes>& r) {
    if (parts.inertia) add_inertia_to(d, n, c.gravity, r.data());
    if (parts.forces) add_forces_to(d, n, r.data());
    if (parts.forces && d.mass_damped) add_mass_damping_to(d, n, r.data());
  }
  static void add_tangents_to(const Elements& d, const Nodes& n, const Context& c, model::TangentSink<N, Lanes>& t) {
    const auto rotations = [](const auto& matrices, bool general) { return general ? matrices.data() : nullptr; };
    const Sink sink{t.sum.data(),
                    6 * N,
                    t.m,
                    t.c,
                    t.k,
                    rotations(t.rot_m, t.general_m),
                    rotations(t.rot_c, t.general_c),
                    rotations(t.rot_k, t.general_k)};
    add_inertia_tangents_to(d, n, c.gravity, sink);
    add_force_tangents_to(d, n, sink);
    if (d.mass_damped) add_mass_damping_tangents_to(d, n, sink);
  }
  static bool has_power(const Elements& d) { return d.damped || d.mass_damped; }
  static Lanes power(const Elements& d, const Nodes& n) { return spectral::power(d, n); }
  static model::Observed<outputs, Lanes> observe(const Elements& d, const Nodes& n, const Context& c) {
    model::Observed<outputs, Lanes> all;
    const Sums sums = spectral::observe(d, n, c.gravity, all.outputs.data());
    all.numbers = 12 * d.points.size();
    all.energies = sums.energies;
    all.linear = sums.linear;
    all.angular = sums.angular;
    return all;
  }
  static bool passes_bound(const Elements& d, int lane, const model::Nodes<N>& before, const model::Nodes<N>& now) {
    return spectral::passes_bound(d, lane, before, now);
  }
  static Data sample(std::mt19937& random) { return spectral::sample(N, random); }
};

// Of one order; each is compiled in a file of its own.
template <int N>
void add_element_of(model::Builder& builder, const model::Entry& entry, std::span<const int> at, Element element);
template <int N>
std::unique_ptr<model::BatchBase> sample_of(std::mt19937& random);

}  // namespace polhode::elements::spectral
