// SPDX-License-Identifier: BSD-3-Clause
// The point mass: inertia and weight.
#include "elements/bodies/point_mass/point_mass.hpp"

#include "polhode/model/builder.hpp"

namespace polhode::elements {

using model::Field;
using model::FieldType;

// r += m (xddot - gamma). The moment rows stay as they are: the node turns without inertia,
// or has no rotation at all.
void PointMass::add_inertia_to(const Data& d, const Nodes& n, const model::Context& c, math::Vec6& r) {
  r.head<3>() += d.mass * (n[0].udot() - c.gravity);
}

void PointMass::add_inertia_tangents_to(const Data& d, const Nodes&, const model::Context&,
                                        model::Tangents<PointMass>& t) {
  t.M.topLeftCorner<3, 3>().diagonal().array() += d.mass;
}

// T = m |u|^2/2 and V = -m gamma . x, which is zero at the origin.
model::Energies PointMass::energies(const Data& d, const Nodes& n, const model::Context& c) {
  return {0.5 * d.mass * n[0].u().squaredNorm(), 0, -d.mass * c.gravity.dot(n[0].x)};
}

PointMass::Data PointMass::sample(std::mt19937& random) {
  return {std::uniform_real_distribution<double>(0.5, 2)(random)};
}

namespace {

constexpr std::array fields{
    Field{
        .name = "node", .type = FieldType::node, .unit = "", .doc = "the node that carries the mass", .required = true},
    Field{.name = "mass",
          .type = FieldType::number,
          .unit = "kg",
          .doc = "mass",
          .required = true,
          .min = 0,
          .min_exclusive = true},
};

// The topology lists it as a body without extent, for masses and centers of mass of the model.
void build(const model::Entry& entry, model::Builder& builder) {
  const int node = builder.node(entry.text("node"));
  builder.add<PointMass>(entry, {node}, {entry.number("mass")});
  builder.add_topology(
      model::BodyTopology{builder.index_of(entry), node, entry.number("mass"), math::Vec3::Zero(), math::Mat3::Zero()});
}

}  // namespace

const model::KindInfo point_mass_info{
    "point_mass", model::Family::body,      "a mass at a node, without rotational inertia", fields, {},
    build,        model::samples<PointMass>};

}  // namespace polhode::elements
