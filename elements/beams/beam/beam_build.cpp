// SPDX-License-Identifier: BSD-3-Clause
// The two-node beam: from a deck entry to nodes and elements.
#include <cmath>

#include "elements/beams/beam/beam.hpp"
#include "elements/beams/spectral/kind.hpp"
#include "polhode/model/builder.hpp"

namespace polhode::elements {

using math::Mat3;
using math::Vec3;
using math::so3::Quaternion;
using model::Field;
using model::FieldType;

namespace {

constexpr std::array fields{
    Field{.name = "section", .type = FieldType::section, .unit = "", .doc = "the cross-section", .required = true},
    Field{
        .name = "from", .type = FieldType::node, .unit = "", .doc = "the node where the beam starts", .required = true},
    Field{.name = "to", .type = FieldType::node, .unit = "", .doc = "the node where it ends", .required = true},
    Field{.name = "elements",
          .type = FieldType::integer,
          .unit = "",
          .doc = "number of elements",
          .min = 1,
          .max = 1e7,
          .default_text = "1"},
    Field{.name = "order",
          .type = FieldType::integer,
          .unit = "",
          .doc = "polynomial order of an element; 1 = two nodes",
          .min = 1,
          .max = 1,
          .default_text = "1"},
    Field{.name = "orientation",
          .type = FieldType::direction,
          .unit = "",
          .doc = "the section's y axis is the part of this vector normal to the beam (inertial); default: z, or y for "
                 "a beam along z"},
};
constexpr std::array outputs{
    model::Output{"strains", "1, 1, 1, 1/m, 1/m, 1/m", "section",
                  "generalized strains at the integration points (order N, Qy, Qz, Mx, My, Mz)", 6, true},
    model::Output{"forces", "N, N, N, N m, N m, N m", "section", "section forces and moments at the integration points",
                  6, true},
};

// The frame of the sections of a straight beam along `axis` (unit length), y towards `orientation`.
bool section_frame(const Vec3& axis, const Vec3& orientation, Mat3& frame) {
  const Vec3 y = orientation - orientation.dot(axis) * axis;
  if (y.norm() < 1e-8 * orientation.norm()) return false;
  frame << axis, y.normalized(), axis.cross(y.normalized());
  return true;
}

struct EndMotion {
  Vec3 velocity, angular_velocity;  // inertial
};
EndMotion motion_of(const model::NodeData& node) { return {node.velocity, node.orientation * node.angular_velocity}; }

void build(const model::Entry& entry, model::Builder& builder) {
  const int from = builder.node(entry.text("from")), to = builder.node(entry.text("to"));
  const int elements = static_cast<int>(entry.number("elements", 1));
  const model::NodeData a = builder.at(from), b = builder.at(to);
  const Vec3 span = b.position - a.position;
  const double length = span.norm();
  const double size = 1 + a.position.norm() + b.position.norm();
  if (from == to || length < 1e-12 * size) {
    builder.problem(entry, "to", "stands at the same place as `from` (" + a.name + "): a beam needs a length");
    return;
  }
  for (const auto& [node, key] : {std::pair{&a, "from"}, std::pair{&b, "to"}})
    if (node->translation_only)
      builder.problem(
          entry, key,
          "is a point without rotation, and a beam's end needs one; take `dofs: translation` from the node");
  const Vec3 axis = span / length;
  Mat3 frame;
  const Vec3 fallback = std::abs(axis.z()) > 1 - 1e-6 ? Vec3::UnitY() : Vec3::UnitZ();
  if (!section_frame(axis, entry.vector3("orientation", fallback), frame)) {
    builder.problem(entry, "orientation", "is parallel to the beam; give a vector towards the section's y axis");
    return;
  }
  const Quaternion orientation = Quaternion(frame).normalized();
  const model::SectionEntry& section = builder.section(entry.text("section"));
  const double mass = section.mass(0, 0);
  // Rows of the momentum against Omega hold m c~^T: order of velocities (u, Omega).
  const Mat3 coupling = section.mass.bottomLeftCorner<3, 3>();
  const Vec3 c = mass > 0 ? Vec3(Vec3(coupling(2, 1), coupling(0, 2), coupling(1, 0)) / mass) : Vec3(Vec3::Zero());

  const model::InitialMotion* motion = builder.motion_of_beam(entry.name);
  const EndMotion start = motion_of(a), end = motion_of(b);
  model::BeamTopology topology{builder.index_of(entry), {from}};
  for (int i = 1; i < elements; ++i) {
    const double part = static_cast<double>(i) / elements;
    model::NodeData node;
    node.name = entry.name + "." + std::to_string(i);
    node.referenced = true;
    node.label = entry.path() + " node " + std::to_string(i);
    node.position = a.position + part * span;
    node.orientation = orientation;
    Vec3 turn = (1 - part) * start.angular_velocity + part * end.angular_velocity;
    node.velocity = (1 - part) * start.velocity + part * end.velocity;
    if (motion) {
      const model::PointMotion m = model::motion_at(*motion, node.position);
      node.velocity = m.velocity, turn = m.angular_velocity;
    }
    node.angular_velocity = orientation.conjugate() * turn;
    topology.nodes.push_back(builder.add_node(std::move(node)));
  }
  topology.nodes.push_back(to);

  Beam::Data data{length / elements,
                  {},
                  false,
                  !c.isZero(0),
                  section.stiffness.topLeftCorner<3, 3>(),
                  section.stiffness.topRightCorner<3, 3>(),
                  section.stiffness.bottomRightCorner<3, 3>(),
                  mass,
                  c,
                  section.mass.bottomRightCorner<3, 3>()};
  for (int e = 0; e < elements; ++e) {
    const std::array<int, 2> at{topology.nodes[e], topology.nodes[e + 1]};
    data.turned = false;
    for (int i = 0; i < 2; ++i) {
      Quaternion E = builder.at(at[i]).orientation.conjugate() * orientation;
      if (E.vec().norm() < 1e-15) E.setIdentity();
      data.E[i] << E.w(), E.vec();
      data.turned = data.turned || !E.vec().isZero(0);
    }
    builder.add<Beam>(entry, at, data);
  }
  builder.add_topology(std::move(topology));
}

}  // namespace

namespace {

std::vector<std::unique_ptr<model::BatchBase>> samples(std::mt19937& random) {
  auto all = model::samples<Beam>(random);
  spectral::add_samples_to(all, random);
  return all;
}

}  // namespace

const model::KindInfo beam_info{
    "beam", model::Family::beam, "geometrically exact beam of elements of any order", fields, outputs, build, samples};

}  // namespace polhode::elements
