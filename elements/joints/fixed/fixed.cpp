// SPDX-License-Identifier: BSD-3-Clause
// The fixed joint: rows, outputs and building.
#include "elements/joints/fixed/fixed.hpp"

namespace polhode::elements {

void Fixed::constraint(const Data& d, const PairNodes& n, const model::Context&, Rows& phi) {
  phi.head<3>() = rows::coincidence(d, n);
  for (int i = 0; i < 3; ++i) phi[3 + i] = rows::dot(n, d.E_a.col(i), d.E_b.col((i + 1) % 3));
}

void Fixed::gradient(const Data& d, const PairNodes& n, const model::Context&, Gradient& B) {
  rows::coincidence_gradient(d, n, 0, B);
  for (int i = 0; i < 3; ++i) B.row(3 + i) = rows::dot_gradient(n, d.E_a.col(i), d.E_b.col((i + 1) % 3));
}

void Fixed::add_geometric_tangent_to(const Data& d, const PairNodes& n, const model::Context&, const Rows& lambda,
                                     PairBlock& K) {
  rows::add_coincidence_tangent_to(d, n, lambda.head<3>(), K);
  for (int i = 0; i < 3; ++i) rows::add_dot_tangent_to(n, d.E_a.col(i), d.E_b.col((i + 1) % 3), lambda[3 + i], K);
}

void Fixed::write_outputs(const Data& d, const PairNodes& n, const model::Context& c, const Rows& lambda, const double*,
                          double* out) {
  Gradient B = Gradient::Zero();
  gradient(d, n, c, B);
  write_reaction(B, lambda, d, n, out);
}

namespace {

constexpr model::Field optional_at{.name = "at",
                                   .type = model::FieldType::vector3,
                                   .unit = "m",
                                   .doc =
                                       "the point at which reactions are given, inertial, initial configuration; "
                                       "default: node b (node a if b is ground)"};
constexpr std::array fields{connects_field, optional_at};
constexpr std::array outputs{force_output, moment_output};

void build(const model::Entry& entry, model::Builder& builder) {
  const int a = builder.node(entry.names("connects")[0]), b = builder.node(entry.names("connects")[1]);
  if (!check_rotations(entry, builder, a, b)) return;
  const Vec3 at = entry.vector3("at", builder.at(b == 0 ? a : b).position);
  const Markers markers = make_markers(builder, a, b, at, Vec3::Zero());
  builder.add<Fixed>(entry, {a, b}, markers);
  builder.add_topology(model::JointTopology{builder.index_of(entry), {a, b}, {markers.s_a, markers.s_b}});
}

}  // namespace

const model::KindInfo fixed_info{"fixed", model::Family::joint, "b does not move against a", fields, outputs,
                                 build,   model::samples<Fixed>};

}  // namespace polhode::elements
