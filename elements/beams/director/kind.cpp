// SPDX-License-Identifier: BSD-3-Clause
// Orders of the director beam by number; what the contract asks for, by the kernels for any number of nodes.
#include "elements/beams/director/kind.hpp"

#include "elements/beams/spectral/kind.hpp"
#include "elements/bodies/rigid_body/rigid_body.hpp"

namespace polhode::elements::director {
namespace {

template <int N>
struct DirectorBeam {
  static constexpr std::array<std::string_view, spectral::most_nodes + 1> names{"",
                                                                                "",
                                                                                "director beam of order 1",
                                                                                "director beam of order 2",
                                                                                "director beam of order 3",
                                                                                "director beam of order 4",
                                                                                "director beam of order 5",
                                                                                "director beam of order 6",
                                                                                "director beam of order 7",
                                                                                "director beam of order 8"};
  static constexpr std::string_view name = names[N];
  static constexpr int nodes = N;
  static constexpr int rows = 0;
  static constexpr int history = 0;
  static constexpr model::Capabilities capabilities = model::can::inertia | model::can::forces | model::can::energies |
                                                      model::can::power | model::can::outputs |
                                                      model::can::discrete_forces | model::can::midpoint;
  using Data = Element;
  using Nodes = model::Nodes<N>;
  using StepOf = model::ElementStep<N>;

  static void add_inertia_to(const Data& d, const Nodes& n, const model::Context& c, math::Mat<6 * N>& r) {
    for (int a = 0; a < N; ++a) {
      Vec6 force = Vec6::Zero();
      RigidBody::add_inertia_to(body(d, a), {n[a]}, c, force);
      r.template segment<6>(6 * a) += force;
    }
  }
  static void add_inertia_tangents_to(const Data& d, const Nodes& n, const model::Context& c, model::TangentsOf<N>& t) {
    for (int a = 0; a < N; ++a) {
      model::TangentsOf<1> own{Mat6::Zero(), Mat6::Zero(), Mat6::Zero()};
      RigidBody::add_inertia_tangents_to(body(d, a), {n[a]}, c, own);
      t.M.template block<6, 6>(6 * a, 6 * a) += own.M;
      t.C.template block<6, 6>(6 * a, 6 * a) += own.C;
      t.K.template block<6, 6>(6 * a, 6 * a) += own.K;
    }
  }
  static void add_forces_to(const Data& d, const Nodes& n, const model::Context&, math::Mat<6 * N>& r) {
    director::add_forces_to(d, n, r.data());
  }
  static void add_force_tangents_to(const Data& d, const Nodes& n, const model::Context&, model::TangentsOf<N>& t) {
    director::add_force_tangents_to(d, n, t.C.data(), t.K.data());
  }
  static model::Energies energies(const Data& d, const Nodes& n, const model::Context& c) {
    model::Energies sum{0, strain_energy(d, n), 0};
    for (int a = 0; a < N; ++a) sum += RigidBody::energies(body(d, a), {n[a]}, c);
    return sum;
  }
  static double power(const Data& d, const Nodes& n, const model::Context&) { return damping_power(d, n); }
  static void write_outputs(const Data& d, const Nodes& n, const model::Context&, const model::Rows<DirectorBeam>&,
                            const double*, double* out) {
    director::write_outputs(d, n, out);
  }
  static void add_discrete_forces_to(const Data& d, const StepOf& s, math::Mat<6 * N>& r) {
    director::add_discrete_forces_to(d, step(s), r.data());
  }
  static void add_discrete_force_tangents_to(const Data& d, const StepOf& s, math::Mat<6 * N, 6 * N>& K) {
    director::add_discrete_force_tangents_to(d, step(s), K.data());
  }
  static double discrete_energy(const Data& d, const StepOf& s) { return director::discrete_energy(d, step(s)); }
  static double discrete_work(const Data& d, const StepOf& s) { return director::discrete_work(d, step(s)); }
  static Data sample(std::mt19937& random) { return make_element(spectral::sample(N, random)); }

 private:
  static RigidBody::Data body(const Data& d, int a) {
    const NodeMass& m = d.masses[static_cast<std::size_t>(a)];
    return {m.mass, m.c, m.J};
  }
  static Step step(const StepOf& s) { return {s.begin, s.mean, s.end, s.h, s.gradient, s.lever}; }
};

template <int N>
void add_of(model::Builder& builder, const model::Entry& entry, std::span<const int> at, Element&& element) {
  std::array<int, N> nodes;
  std::copy_n(at.begin(), N, nodes.begin());
  builder.add<DirectorBeam<N>>(entry, nodes, std::move(element));
}

template <int... N>
void add_to_order(std::integer_sequence<int, N...>, model::Builder& builder, const model::Entry& entry,
                  std::span<const int> at, Element&& element) {
  const int nodes = static_cast<int>(at.size());
  ((nodes == N + 2 ? add_of<N + 2>(builder, entry, at, std::move(element)) : void()), ...);
}
template <int... N>
void add_samples_of(std::integer_sequence<int, N...>, std::vector<std::unique_ptr<model::BatchBase>>& samples,
                    std::mt19937& random) {
  (samples.push_back(std::move(model::samples<DirectorBeam<N + 2>>(random).front())), ...);
}
using Counts = std::make_integer_sequence<int, spectral::most_nodes - 1>;  // 2 nodes and more

}  // namespace

void add_element(model::Builder& builder, const model::Entry& entry, std::span<const int> at, Element element) {
  add_to_order(Counts{}, builder, entry, at, std::move(element));
}

void add_samples_to(std::vector<std::unique_ptr<model::BatchBase>>& samples, std::mt19937& random) {
  add_samples_of(Counts{}, samples, random);
}

}  // namespace polhode::elements::director
