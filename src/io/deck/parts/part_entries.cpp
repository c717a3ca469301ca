// SPDX-License-Identifier: BSD-3-Clause
// Placing entries by their tables: points are moved and turned, directions and orientations turned.
#include "part_entries.hpp"

#include "../model_reader.hpp"
#include "polhode/math/types.hpp"

namespace polhode::io {
namespace {

using math::Vec3;
using model::Field;
using model::FieldType;
using model::Frame;

// Three numbers, moved or turned in place. Wrong ones are left to the reader.
void place_vector(Item& item, Frame frame, const Placement& placement, Reader& quiet) {
  static const Field any{"", FieldType::vector3, "", ""};
  const auto given = quiet.plain.numbers(item, "", any, 3);
  if (!given) return;
  Vec3 vector(given->data());
  if (placement.is_turned()) vector = placement.turn.toRotationMatrix() * vector;
  if (frame == Frame::point) vector += placement.at;
  item.items = numbers_item(vector, item.place).items;
}

// One vector, or a list of them.
void place_vectors(Item& item, Frame frame, const Placement& placement, Reader& quiet) {
  const bool list = !item.items.empty() && item.items.front().kind == Item::Kind::sequence;
  if (!list) return place_vector(item, frame, placement, quiet);
  for (Item& one : item.items) place_vector(one, frame, placement, quiet);
}

// As a quaternion, which every form of an orientation has.
void place_orientation(Item& item, const Placement& placement, Reader& quiet) {
  const std::size_t before = quiet.findings.size();
  const auto given = read_orientation(item, "", quiet);
  if (!given || quiet.findings.size() > before) return;
  const Eigen::Quaterniond q = (placement.turn * *given).normalized();
  Item quaternion = numbers_item(Eigen::Vector4d(q.w(), q.x(), q.y(), q.z()), item.place);
  quaternion.key = "quaternion";
  item.items = {std::move(quaternion)};
}

// "follower: true" beside it: the components are the node's.
bool is_own(const Item& entry, const Field& field) {
  const Item* flag = field.own_with.empty() ? nullptr : entry.find(field.own_with);
  return flag && flag->text != "false";
}

// All three or none of x, y and z can be fixed in any frame.
bool has_axes(const Item& item) {
  std::size_t axes = 0;
  for (const Item& one : item.items)
    if (one.text == "x" || one.text == "y" || one.text == "z") ++axes;
  return axes == 1 || axes == 2;
}

// An orientation that is missing is the identity in the part; so is the default of axes. Other directions that have no
// default in the table have one of the inertial frame.
void add_missing(Item& entry, const std::string& path, const Field& field, const Placement& placement,
                 Findings& findings, Reader& quiet) {
  if (field.required || !placement.is_turned()) return;
  if (field.frame != Frame::orientation && field.frame != Frame::direction) return;
  Item made;
  if (field.frame == Frame::orientation) {
    made = parse_document("{quaternion: [1, 0, 0, 0]}");
    made.place = entry.place;
    place_orientation(made, placement, quiet);
  } else if (!field.default_text.empty()) {
    made = parse_document(std::string(field.default_text));
    made.place = entry.place;
    place_vectors(made, field.frame, placement, quiet);
  } else if (field.type == FieldType::direction) {
    return findings.add(entry, path,
                        "'" + std::string(field.name) +
                            "' is missing: its default is of the inertial frame, and the part is turned; give it");
  } else {
    return;
  }
  made.key = field.name;
  entry.items.push_back(std::move(made));
}

// "rod.2", whose number the reader checks once the beam is read.
bool is_inner_node(const std::string& name, const FlatNames& names) {
  const std::size_t dot = name.rfind('.');
  return dot != std::string::npos && names.beams.contains(name.substr(0, dot));
}

// A joint, or one of its coordinates.
bool is_joint(const std::string& name, const FlatNames& names) {
  return names.joints.contains(name) || names.joints.contains(name.substr(0, name.rfind('.'))) ||
         names.is_in_instance(name);
}

// The name in the instance where there is one; else the deck's.
template <class Known>
void rename(std::string& name, const std::string& prefix, const Known& is_known) {
  std::string own = prefix + name;
  if (is_known(own)) name = std::move(own);
}

}  // namespace

// Where nothing turns, numbers stay to the last bit.
Placement Placement::operator*(const Placement& inner) const {
  Placement both;
  both.turn = is_turned() ? (inner.is_turned() ? (turn * inner.turn).normalized() : turn) : inner.turn;
  both.at = at + (is_turned() ? Vec3(turn.toRotationMatrix() * inner.at) : inner.at);
  return both;
}

std::unordered_set<std::string>* FlatNames::of(std::string_view family) {
  if (family == "nodes") return &nodes;
  if (family == "sections") return &sections;
  if (family == "beams") return &beams;
  if (family == "joints") return &joints;
  if (family == "parts") return &parts;
  return family == "instances" ? &instances : nullptr;
}

void FlatNames::add(std::string_view family, const std::string& name) {
  if (auto* names = of(family)) names->insert(name);
}

void FlatNames::remove(std::string_view family, const std::string& name) {
  if (auto* names = of(family)) names->erase(name);
}

// Names of instances have no dots in a file with parts.
bool FlatNames::is_in_instance(const std::string& name) const {
  if (instances.empty()) return false;
  return instances.contains(name.substr(0, name.find('.')));
}

// A beam without a type is one of the default kind.
const Table* table_of_entry(std::string_view family, const Item& entry) {
  if (family == "nodes") return &node_table;
  if (family == "sections") return &section_table;
  const FamilyKinds& kinds = family_of(family);
  const Item* type = entry.find("type");
  const model::KindInfo* kind = type ? model::find_kind(kinds.family, type->text) : kinds.by_default;
  return kind ? &table_of(*kind) : nullptr;
}

Item numbers_item(const math::VectorX& values, Place place) {
  Item list;
  list.kind = Item::Kind::sequence;
  list.place = place;
  for (const double value : values) {
    Item number;
    number.kind = Item::Kind::scalar;
    number.listed = true;
    number.place = place;
    number.text = number_text(value);
    list.items.push_back(std::move(number));
  }
  return list;
}

// Vectors in groups, such as initial rotation vectors of joints; none of them has a default.
void place_members(Item& group, std::span<const Field> members, const Placement& placement, Reader& quiet) {
  for (const Field& field : members)
    for (Item& item : group.items)
      if (item.key == field.name && field.frame == Frame::direction && placement.is_turned())
        place_vectors(item, field.frame, placement, quiet);
}

// Where nothing is moved, numbers keep their spelling.
void place_entry(Item& entry, const std::string& path, const Table& table, const Placement& placement,
                 Findings& findings, Reader& quiet) {
  if (!placement.is_moved() && !placement.is_turned()) return;
  for (const Key& key : table.keys) {
    const Field& field = key.field;
    for (Item& item : entry.items)
      if (item.key == field.name) place_members(item, field.members, placement, quiet);
    if (field.frame == Frame::own || is_own(entry, field)) continue;
    bool given = false;
    for (Item& item : entry.items) {
      if (item.key != field.name) continue;
      given = true;
      if (field.frame == Frame::point || (field.frame == Frame::direction && placement.is_turned()))
        place_vectors(item, field.frame, placement, quiet);
      if (field.frame == Frame::orientation && placement.is_turned()) place_orientation(item, placement, quiet);
      if (field.frame == Frame::axes && placement.is_turned() && has_axes(item))
        findings.add(item, join_path(path, item.key),
                     "x, y and z are inertial axes, and the part is turned; fix all three or none, or use a joint");
    }
    if (!given) add_missing(entry, path, field, placement, findings, quiet);
  }
}

// By the types of the fields, so that a new kind needs nothing here.
void rename_references(Item& entry, const Table& table, const std::string& prefix, const FlatNames& names) {
  const auto is_node = [&](const std::string& name) {
    return names.nodes.contains(name) || is_inner_node(name, names) || names.is_in_instance(name);
  };
  const auto is_section = [&](const std::string& name) {
    return names.sections.contains(name) || names.is_in_instance(name);
  };
  const auto is_beam = [&](const std::string& name) {
    return names.beams.contains(name) || names.is_in_instance(name);
  };
  for (Item& item : entry.items) {
    for (const Key& key : table.keys) {
      if (key.field.name != item.key) continue;
      if (key.field.type == FieldType::node) rename(item.text, prefix, is_node);
      if (key.field.type == FieldType::section) rename(item.text, prefix, is_section);
      if (key.field.type == FieldType::beam) rename(item.text, prefix, is_beam);
      for (Item& one : item.items) {
        if (key.field.type == FieldType::node_pair && one.text != "ground") rename(one.text, prefix, is_node);
        if (key.field.type == FieldType::sections) rename(one.text, prefix, is_section);
        if (key.field.type == FieldType::weights)
          rename(one.key, prefix, [&](const std::string& name) { return is_joint(name, names); });
      }
    }
  }
}

// Of the flat deck, where all is inertial. A node that is wrong is reported by its reader.
Placement pose_of(const Item& node, Reader& quiet) {
  Placement pose;
  const auto given = quiet.mapping(node, "", node_table);
  if (!given) return pose;
  pose.at = given->vector3("position", Vec3::Zero());
  if (const Item* orientation = node.find("orientation"))
    pose.turn = read_orientation(*orientation, "", quiet).value_or(Eigen::Quaterniond::Identity());
  return pose;
}

}  // namespace polhode::io
