// SPDX-License-Identifier: BSD-3-Clause
// The rotor and its tangents.
#include "elements/forces/rotor/rotor.hpp"

#include <algorithm>
#include <cmath>

#include "polhode/model/builder.hpp"

namespace polhode::elements {

using math::Vec3;
using model::Field;
using model::FieldType;

namespace {

// In statics speeds grow with the root of the load factor, so that centrifugal forces grow with the factor
// itself. Omega x h does so, too, if h grows as a speed does.
double share(const model::Context& c) { return std::sqrt(std::max(c.load_factor, 0.0)); }

}  // namespace

Vec3 Rotor::momentum(const Data& d, const model::Context& c) { return share(c) * d.h; }

// The rate of the momentum h that is constant in the node's frame, hence Omega x h. It is normal to Omega:
// no work.
void Rotor::add_forces_to(const Data& d, const Nodes& n, const model::Context& c, math::Vec6& r) {
  r.tail<3>() += n[0].Omega().cross(momentum(d, c));
}

void Rotor::add_force_tangents_to(const Data& d, const Nodes&, const model::Context& c, model::Tangents<Rotor>& t) {
  t.C.bottomRightCorner<3, 3>() -= share(c) * math::tilde(d.h);
}

Rotor::Data Rotor::sample(std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  return {Vec3(number(random), number(random), number(random))};
}

namespace {

constexpr std::array fields{
    Field{.name = "node", .type = FieldType::node, .unit = "", .doc = "the node of the body", .required = true},
    Field{.name = "momentum",
          .type = FieldType::vector3,
          .unit = "N m s",
          .doc = "angular momentum of the wheel relative to the node: inertia times relative speed, along its axis, in "
                 "the node's frame",
          .required = true},
};

void build(const model::Entry& entry, model::Builder& builder) {
  const int node = builder.node(entry.text("node"));
  if (builder.at(node).translation_only)
    builder.problem(entry, "node",
                    "is a point without rotation, which takes no moment; take `dofs: translation` from the node");
  builder.add<Rotor>(entry, {node}, {entry.vector3("momentum", Vec3::Zero())});
}

}  // namespace

const model::KindInfo rotor_info{
    "rotor", model::Family::force, "a wheel in a body that turns at constant speed relative to its node", fields, {},
    build,   model::samples<Rotor>};

}  // namespace polhode::elements
