// SPDX-License-Identifier: BSD-3-Clause
// The rigid body: inertia, weight and their tangents.
#include "elements/bodies/rigid_body/rigid_body.hpp"

#include <Eigen/Eigenvalues>

#include "elements/bodies/rigid_body/shape.hpp"
#include "polhode/model/builder.hpp"

namespace polhode::elements {

using math::Mat3;
using math::tilde;
using math::Vec3;
using model::Field;
using model::FieldType;

// Newton's and Euler's equations about the node (rigid_body.hpp). Weight is part of them:
// a = xddot - gamma is what a scale that moves along would feel, in the force and in the moment alike.
void RigidBody::add_inertia_to(const Data& d, const Nodes& n, const model::Context& c, math::Vec6& r) {
  const Vec3 Omega = n[0].Omega();
  const Vec3 Omegadot = n[0].Omegadot();
  const Vec3 a_c = Omegadot.cross(d.c) + Omega.cross(Omega.cross(d.c));
  const Vec3 a = n[0].udot() - c.gravity;
  r.head<3>() += d.mass * (a + n[0].R * a_c);
  r.tail<3>() += d.J * Omegadot + Omega.cross(d.J * Omega) + d.mass * d.c.cross(n[0].R.transpose() * a);
}

// With a_c = Omegadot x c + Omega x (Omega x c) and dR = R dTheta~:
//   by Omegadot   d(R a_c) = -R c~ dOmegadot
//   by Omega      d(R a_c) = -R ((Omega x c)~ + Omega~ c~) dOmega
//                 d(Omega x J Omega) = (Omega~ J - (J Omega)~) dOmega
//   by rotation   d(R a_c) = -R a_c~ dTheta,   c x d(R^T a) = c~ (R^T a)~ dTheta
// Without an offset the mass matrix is block diagonal and nothing depends on the position.
void RigidBody::add_inertia_tangents_to(const Data& d, const Nodes& n, const model::Context& c,
                                        model::Tangents<RigidBody>& t) {
  const Vec3 Omega = n[0].Omega();
  const Vec3 Omegadot = n[0].Omegadot();
  t.M.topLeftCorner<3, 3>().diagonal().array() += d.mass;
  t.M.bottomRightCorner<3, 3>() += d.J;
  t.C.bottomRightCorner<3, 3>() += math::cross_left(Omega, d.J) - tilde(d.J * Omega);
  if (d.c.isZero(0)) return;
  const Mat3& R = n[0].R;
  const Mat3 mRc = d.mass * math::cross_right(R, d.c);
  t.M.topRightCorner<3, 3>() -= mRc;
  t.M.bottomLeftCorner<3, 3>() -= mRc.transpose();
  const Vec3 rate = Omega.cross(d.c);
  t.C.topRightCorner<3, 3>() -= d.mass * R * (tilde(rate) + tilde(Omega) * tilde(d.c));
  t.K.topRightCorner<3, 3>() -= d.mass * R * tilde(Omegadot.cross(d.c) + Omega.cross(rate));
  t.K.bottomRightCorner<3, 3>() += d.mass * tilde(d.c) * tilde(R.transpose() * (n[0].udot() - c.gravity));
}

// Konig's theorem about the node: m |u|^2/2 + m u . R (Omega x c) + Omega . J Omega/2,
// where J is about the node and already contains m |Omega x c|^2.
model::Energies RigidBody::energies(const Data& d, const Nodes& n, const model::Context& c) {
  const Vec3 u = n[0].u();
  const Vec3 Omega = n[0].Omega();
  const double kinetic =
      d.mass * (0.5 * u.squaredNorm() + u.dot(n[0].R * Omega.cross(d.c))) + 0.5 * Omega.dot(d.J * Omega);
  return {kinetic, 0, -d.mass * c.gravity.dot(n[0].x + n[0].R * d.c)};
}

// A box turned against its node, with and without an offset, so that all products of inertia occur;
// the matrix is one that a body can have.
RigidBody::Data RigidBody::sample(std::mt19937& random) {
  std::uniform_real_distribution<double> number(0.5, 2);
  // a box's edges
  const double a = number(random);
  const double b = number(random);
  const double e = number(random);
  const double mass = number(random);
  Vec3 c(number(random) - 1, number(random) - 1, number(random) - 1);
  if (number(random) < 1) c.setZero();
  const Mat3 turn = math::so3::exp(Vec3(number(random), -number(random), number(random)));
  const Mat3 principal = Vec3(b * b + e * e, a * a + e * e, a * a + b * b).asDiagonal();
  const Mat3 J_c = mass / 12 * turn * principal * turn.transpose();
  return {mass, c, J_c + mass * (c.squaredNorm() * Mat3::Identity() - c * c.transpose())};
}

// With J_k = integral of (r^2 - x_k^2) the sum of two principal moments less the third is twice an integral
// of a square. Thin plates reach equality, hence a tolerance for the digits of a deck.
bool is_inertia(const Mat3& J) {
  const Vec3 p = Eigen::SelfAdjointEigenSolver<Mat3>(J, Eigen::EigenvaluesOnly).eigenvalues();  // ascending
  return p[0] >= -1e-12 * p[2] && p[2] <= (p[0] + p[1]) * (1 + 1e-6);
}

namespace {

constexpr std::array fields{
    Field{
        .name = "node", .type = FieldType::node, .unit = "", .doc = "the node that carries the body", .required = true},
    Field{.name = "mass",
          .type = FieldType::number,
          .unit = "kg",
          .doc = "mass; for a shape, instead of its density",
          .min = 0,
          .min_exclusive = true},
    Field{.name = "inertia",
          .type = FieldType::inertia,
          .unit = "kg m^2",
          .doc = "about the center of mass, in the node's frame: three principal moments or a symmetric 3x3 matrix"},
    Field{.name = "shape",
          .type = FieldType::choice,
          .unit = "",
          .doc = "instead of `inertia`: dimensions and density give mass and inertia; its axes are those of the node",
          .choices = body_shapes},
    Field{.name = "size",
          .type = FieldType::vector3,
          .unit = "m",
          .doc = "box: edge lengths along x, y and z",
          .min = 0,
          .min_exclusive = true},
    Field{.name = "radius",
          .type = FieldType::number,
          .unit = "m",
          .doc = "sphere, cylinder, tube: radius",
          .min = 0,
          .min_exclusive = true},
    Field{.name = "inner_radius",
          .type = FieldType::number,
          .unit = "m",
          .doc = "tube: inner radius",
          .min = 0,
          .min_exclusive = true},
    Field{.name = "length",
          .type = FieldType::number,
          .unit = "m",
          .doc = "cylinder, tube: length",
          .min = 0,
          .min_exclusive = true},
    Field{.name = "along",
          .type = FieldType::choice,
          .unit = "",
          .doc = "cylinder, tube: the node's axis along which it lies",
          .default_text = "x",
          .choices = body_axes},
    Field{.name = "density",
          .type = FieldType::number,
          .unit = "kg/m^3",
          .doc = "of a shape",
          .min = 0,
          .min_exclusive = true},
    Field{.name = "center_of_mass",
          .type = FieldType::vector3,
          .unit = "m",
          .doc = "offset from the node, in the node's frame",
          .default_text = "[0, 0, 0]"},
};

// What all forms of the input lead to.
struct MassInertia {
  double mass;
  Mat3 J;  // about the center of mass
};

// As given, or of the shape; nothing where that is incomplete, which is reported.
// Keys of a shape without `shape`, and those of a body beside it, are reported one by one:
// which of them is the slip is not known.
std::optional<MassInertia> read_mass(const model::Entry& entry, model::Builder& builder) {
  if (entry.has("shape")) {
    if (entry.has("inertia")) builder.problem(entry, "inertia", "stands beside a shape; remove one of them");
    if (entry.has("mass") == entry.has("density"))
      builder.problem(entry, entry.has("mass") ? "density" : "",
                      entry.has("mass") ? "stands beside a mass; remove one of them"
                                        : "'density' is missing: a shape needs it, or a mass");
    const std::optional<BodyShape> shape = read_body_shape(entry, builder);
    if (!shape || entry.has("inertia") || entry.has("mass") == entry.has("density")) return std::nullopt;
    const double mass = entry.has("mass") ? entry.number("mass") : entry.number("density") * shape->volume;
    return MassInertia{mass, (mass * shape->specific_inertia).asDiagonal()};
  }
  bool whole = true;
  for (const std::string_view key : {"size", "radius", "inner_radius", "length", "along", "density"})
    if (entry.has(key)) {
      builder.problem(entry, key, "belongs to a shape; give `shape`");
      whole = false;
    }
  for (const std::string_view key : {"mass", "inertia"})
    if (!entry.has(key)) {
      builder.problem(entry, "", "'" + std::string(key) + "' is missing; give it, or a `shape`");
      whole = false;
    }
  if (!whole) return std::nullopt;
  const Mat3 J = entry.matrix3("inertia");
  if (!is_inertia(J))
    builder.problem(
        entry, "inertia",
        "no body can have this inertia: each principal moment must be at least 0 and at most the sum of the other "
        "two; check units, and that the moments are about the center of mass");
  return MassInertia{entry.number("mass"), J};
}

// The parallel axis theorem takes the inertia of the deck, about the center of mass, to the node:
// J + m (c.c I - c c^T). The topology keeps the one about the center.
void build(const model::Entry& entry, model::Builder& builder) {
  const int node = builder.node(entry.text("node"));
  if (builder.at(node).translation_only)
    builder.problem(entry, "node",
                    "is a point without rotation; use type: point_mass, or take `dofs: translation` from the node");
  const std::optional<MassInertia> given = read_mass(entry, builder);
  if (!given) return;
  const auto& [mass, J] = *given;
  const Vec3 c = entry.vector3("center_of_mass", Vec3::Zero());
  const Mat3 J_node = J + mass * (c.squaredNorm() * Mat3::Identity() - c * c.transpose());
  builder.add<RigidBody>(entry, {node}, {mass, c, J_node});
  builder.add_topology(model::BodyTopology{builder.index_of(entry), node, mass, c, J});
}

}  // namespace

const model::KindInfo rigid_body_info{
    "rigid_body", model::Family::body,      "a rigid body, by mass and inertia or by its shape", fields, {},
    build,        model::samples<RigidBody>};

}  // namespace polhode::elements
