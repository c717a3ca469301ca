// SPDX-License-Identifier: BSD-3-Clause
// Nodes of the deck, their orientations, and the rigid motion that they start with.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include "model_reader.hpp"

namespace polhode::io {
namespace {

using math::Mat3;
using math::Vec3;
using math::VectorX;

// A key that the table is known to have.
const Key& key_of(const Table& table, std::string_view name) {
  return *std::find_if(table.keys.begin(), table.keys.end(), [&](const Key& k) { return k.field.name == name; });
}

// Which of the five forms of an orientation the given keys make up.
enum class Way { none, quaternion, rotation_vector, axis_angle, matrix, axes };

// By the number of keys, too: a quaternion beside an axis is no form at all.
Way way_of(const Mapping& given) {
  const auto has = [&](std::string_view key) { return given.has(key); };
  const std::size_t count = given.item->items.size();
  if (count == 1 && has("quaternion")) return Way::quaternion;
  if (count == 1 && has("rotation_vector")) return Way::rotation_vector;
  if (count == 1 && has("matrix")) return Way::matrix;
  if (count == 2 && has("axis") && has("angle")) return Way::axis_angle;
  if (count == 2 && has("x_axis") && has("y_axis")) return Way::axes;
  return Way::none;
}

// The tolerance takes matrices written with six digits; the quaternion is normalized,
// so that round-off of the deck goes no further.
std::optional<Eigen::Quaterniond> from_matrix(const Item& item, const std::string& path, const math::MatrixX& given,
                                              Reader& reader) {
  const Mat3 m = given;
  // Largest entry of M^T M - I.
  const double skew = (m.transpose() * m - Mat3::Identity()).cwiseAbs().maxCoeff();
  if (skew > 1e-6) {
    reader.findings.add(item, path, "is no rotation: its columns are off being orthonormal by " + rounded_text(skew));
    return std::nullopt;
  }
  if (m.determinant() < 0) {
    reader.findings.add(item, path, "is a reflection (determinant -1), not a rotation; change the sign of a column");
    return std::nullopt;
  }
  return Eigen::Quaterniond(m).normalized();
}

// Gram and Schmidt: x as given, y the part of the second vector normal to it.
std::optional<Eigen::Quaterniond> from_axes(const Item& item, const std::string& path, const Vec3& along,
                                            const Vec3& beside, Reader& reader) {
  const Vec3 x = along.normalized();
  const Vec3 normal = beside.normalized() - x * x.dot(beside.normalized());
  if (normal.norm() < 1e-9) {
    reader.findings.add(item, path, "x_axis and y_axis are parallel; give a y_axis that is not");
    return std::nullopt;
  }
  Mat3 m;
  m.col(0) = x;
  m.col(1) = normal.normalized();
  m.col(2) = m.col(0).cross(m.col(1));
  return Eigen::Quaterniond(m).normalized();
}

// Rotations are fixed by two or all three: with two fixed the body turns about one axis of its own,
// which is integrable; a single one would restrict the rate alone.
std::array<bool, 6> read_fixed(const Item& item, const std::string& path, bool point, Reader& reader) {
  std::array<bool, 6> fixed{};
  const model::Field& field = key_of(node_table, "fixed").field;
  if (item.kind != Item::Kind::sequence) {
    if (item.kind != Item::Kind::scalar || (item.text != "true" && item.text != "false"))
      reader.findings.add(
          item, path,
          "expected true, false or a list out of " + list_text(field.choices) + "; found " + describe(item));
    else
      fixed.fill(item.text == "true");
    return fixed;
  }
  const auto names = reader.plain.choices(item, path, field);
  if (!names) return fixed;
  for (std::size_t i = 0; i < fixed.size(); ++i)
    fixed[i] = std::find(names->begin(), names->end(), field.choices[i]) != names->end();
  // x, y and z come first in the list of directions.
  const auto rotations = std::count(fixed.begin() + 3, fixed.end(), true);
  if (point && rotations > 0)
    reader.findings.add(item, path, "a point without rotation (dofs: translation) has no rx, ry, rz to fix");
  else if (rotations == 1)
    reader.findings.add(item, path,
                        "a single fixed rotation is a nonholonomic condition; fix none, two or all three of rx, ry, "
                        "rz, or use a joint");
  return fixed;
}

}  // namespace

// Lengths off by less than a thousandth are round-off of the deck and removed; others are a slip.
std::optional<Eigen::Quaterniond> read_orientation(const Item& item, const std::string& path, Reader& reader) {
  const std::size_t before = reader.findings.size();
  const auto given = reader.mapping(item, path, orientation_table);
  if (!given || reader.findings.size() > before) return std::nullopt;
  const auto vector = [&](std::string_view key) { return given->vector3(key, Vec3::Zero()); };
  switch (way_of(*given)) {
    case Way::quaternion: {
      const auto q = reader.plain.numbers(*given->find("quaternion"), path + ".quaternion",
                                          key_of(orientation_table, "quaternion").field, 4);
      if (!q) return std::nullopt;
      const Eigen::Quaterniond rotation((*q)[0], (*q)[1], (*q)[2], (*q)[3]);
      if (std::abs(rotation.norm() - 1) > 1e-3) {
        reader.findings.add(*given->find("quaternion"), path + ".quaternion",
                            "must have length 1, has " + rounded_text(rotation.norm()) + "; divide by it");
        return std::nullopt;
      }
      return rotation.normalized();
    }
    case Way::rotation_vector: {
      const Vec3 psi = vector("rotation_vector");
      const double angle = psi.norm();
      if (angle == 0) return Eigen::Quaterniond::Identity();
      return Eigen::Quaterniond(Eigen::AngleAxisd(angle, psi / angle));
    }
    case Way::axis_angle:
      return Eigen::Quaterniond(Eigen::AngleAxisd(given->number("angle", 0), vector("axis").normalized()));
    case Way::matrix: {
      const auto m = reader.matrices.square(*given->find("matrix"), path + ".matrix",
                                            key_of(orientation_table, "matrix").field, 3);
      return m ? from_matrix(*given->find("matrix"), path + ".matrix", *m, reader) : std::nullopt;
    }
    case Way::axes:
      return from_axes(item, path, vector("x_axis"), vector("y_axis"), reader);
    case Way::none:
      break;
  }
  reader.findings.add(item, path,
                      "give one of {quaternion}, {rotation_vector}, {axis, angle or angle_deg}, {matrix}, "
                      "{x_axis, y_axis}");
  return std::nullopt;
}

// Velocities that are absent stay empty, as a rigid motion of the deck may give them.
// A point without rotation keeps the identity.
std::vector<model::NodeEntry> read_nodes(const Item& item, Reader& reader) {
  std::vector<model::NodeEntry> nodes;
  nodes.reserve(item.items.size());
  reader.entries(item, "nodes", [&](const Item& entry, const std::string& path) {
    const auto given = reader.mapping(entry, path, node_table);
    if (!given) return;
    model::NodeEntry node;
    node.name = entry.key;
    node.position = given->vector3("position", Vec3::Zero());
    if (const VectorX* v = given->value<VectorX>("velocity")) node.velocity = *v;
    if (const VectorX* v = given->value<VectorX>("angular_velocity")) node.angular_velocity = *v;
    node.translation_only = given->text("dofs", "") == "translation";
    if (const Item* orientation = entry.find("orientation"))
      node.orientation =
          read_orientation(*orientation, path + ".orientation", reader).value_or(Eigen::Quaterniond::Identity());
    if (const Item* fixed = entry.find("fixed"))
      node.fixed = read_fixed(*fixed, path + ".fixed", node.translation_only, reader);
    if (node.translation_only)
      for (const std::string key : {"orientation", "angular_velocity"})
        if (const Item* rotation = entry.find(key))
          reader.findings.add(*rotation, join_path(path, key),
                              "a point without rotation (dofs: translation) has none; remove one of the two");
    nodes.push_back(std::move(node));
  });
  return nodes;
}

// A motion without names is one of everything; two of them would overwrite each other.
// Names are held against those of the deck here, with their own places.
std::vector<model::InitialMotion> read_initial_motion(const Item& item, Reader& reader) {
  std::vector<model::InitialMotion> motions;
  bool one_for_all = false;
  reader.one_or_list(item, "initial_motion", [&](const Item& entry, const std::string& path) {
    const auto given = reader.mapping(entry, path, motion_table);
    if (!given) return;
    model::InitialMotion motion;
    motion.velocity = given->vector3("velocity", Vec3::Zero());
    motion.angular_velocity = given->vector3("angular_velocity", Vec3::Zero());
    motion.about = given->vector3("about", Vec3::Zero());
    const auto parts = [&](const std::string& key, const Names& known) {
      std::vector<std::string> result;
      const Item* list = entry.find(key);
      if (!list) return result;
      // Any list of names, an empty one included, restricts the motion.
      motion.everything = false;
      const std::string list_path = join_path(path, key);
      if (const auto* names = given->value<std::vector<std::string>>(key)) result = *names;
      for (std::size_t i = 0; i < result.size(); ++i) {
        if (known.contains(result[i])) continue;
        const std::size_t dot = result[i].rfind('.');
        const bool is_inner =
            key == "nodes" && dot != std::string::npos && reader.names.beams.contains(result[i].substr(0, dot));
        reader.findings.add(
            list->items[i], join_path(list_path, std::to_string(i)),
            is_inner ? "'" + result[i] + "' is an inner node of a beam; name the beam, in `beams`"
                     : "there is no '" + result[i] + "' in " + key + reader.findings.suggestion(result[i], known.list));
      }
      return result;
    };
    motion.nodes = parts("nodes", reader.names.nodes);
    motion.bodies = parts("bodies", reader.names.bodies);
    motion.beams = parts("beams", reader.names.beams);
    if (motion.everything && std::exchange(one_for_all, true))
      reader.findings.add(entry, path, "a second motion of everything; name the nodes, bodies or beams it is for");
    motions.push_back(std::move(motion));
  });
  return motions;
}

}  // namespace polhode::io
