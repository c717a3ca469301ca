// SPDX-License-Identifier: BSD-3-Clause
// Placing entries by their tables: points are moved and turned, directions and orientations turned.
#include "part_entries.hpp"

#include <algorithm>

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

// "(f)" of one of three functions of time.
std::string in_brackets(const Item& item) {
  return '(' + (item.text.starts_with('=') ? item.text.substr(1) : item.text) + ')';
}

// Three functions of time, each of which becomes a sum of all three. Wrong ones are left to the reader.
void turn_functions(Item& item, const std::string& path, const Placement& placement, Findings& findings,
                    Reader& quiet) {
  const auto is_scalar = [](const Item& one) { return one.kind == Item::Kind::scalar; };
  const auto is_number = [&](const Item& one) { return quiet.plain.is_number(one) && !one.text.starts_with('='); };
  if (item.items.size() != 3) return;
  if (std::all_of(item.items.begin(), item.items.end(), is_number))
    return place_vector(item, Frame::direction, placement, quiet);
  const math::Mat3 turn = placement.turn.toRotationMatrix();
  const std::vector<Item> given = item.items;
  for (int i = 0; i < 3; ++i) {
    if (!is_scalar(given[static_cast<std::size_t>(i)]))
      return findings.add(
          item, path,
          "the frame here is turned, and components by samples are not: make them signals of `type: table` "
          "over \"=t\", and name these here");
    std::string text;
    for (int k = 0; k < 3; ++k) {
      if (turn(i, k) == 0) continue;
      text += (text.empty() ? "=(" : " + (") + number_text(turn(i, k)) + ")*" + in_brackets(given[std::size_t(k)]);
    }
    item.items[static_cast<std::size_t>(i)].text = std::move(text);
    item.items[static_cast<std::size_t>(i)].quoted = true;
  }
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
    return findings.add(
        entry, path,
        "'" + std::string(field.name) +
            "' is missing: its default is of the inertial frame, and the frame here is turned; give it");
  } else {
    return;
  }
  made.key = field.name;
  entry.items.push_back(std::move(made));
}

}  // namespace

// Where nothing turns, numbers stay to the last bit.
Placement Placement::operator*(const Placement& inner) const {
  Placement both;
  both.turn = is_turned() ? (inner.is_turned() ? (turn * inner.turn).normalized() : turn) : inner.turn;
  both.at = at + (is_turned() ? Vec3(turn.toRotationMatrix() * inner.at) : inner.at);
  return both;
}

// A beam without a type is one of the default kind.
const Table* table_of_entry(std::string_view family, const Item& entry) {
  if (family == "nodes") return &node_table;
  if (family == "sections") return &section_table;
  if (family == "responses") return nullptr;
  const FamilyKinds& kinds = family_of(family);
  if (entry.kind == Item::Kind::scalar) return nullptr;
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

// Where nothing is moved, numbers keep their spelling.
void place_entry(Item& entry, const std::string& path, const Table& table, const Placement& placement,
                 Findings& findings, Reader& quiet) {
  if (!placement.is_moved() && !placement.is_turned()) return;
  for (const Key& key : table.keys) {
    const Field& field = key.field;
    if ((field.frame == Frame::own && field.type != FieldType::group) || is_own(entry, field)) continue;
    bool given = false;
    for (Item& item : entry.items) {
      if (item.key != field.name) continue;
      given = true;
      const std::string item_path = join_path(path, item.key);
      if (field.type == FieldType::group && item.kind == Item::Kind::sequence)
        for (std::size_t i = 0; i < item.items.size(); ++i)
          place_entry(item.items[i], join_path(item_path, std::to_string(i)), *key.table, placement, findings, quiet);
      else if (field.type == FieldType::group)
        place_entry(item, item_path, *key.table, placement, findings, quiet);
      if (field.type == FieldType::functions) {
        if (field.frame == Frame::direction && placement.is_turned())
          turn_functions(item, item_path, placement, findings, quiet);
        continue;
      }
      if (field.frame == Frame::point || (field.frame == Frame::direction && placement.is_turned()))
        place_vectors(item, field.frame, placement, quiet);
      if (field.frame == Frame::orientation && placement.is_turned()) place_orientation(item, placement, quiet);
      if (field.frame == Frame::axes && placement.is_turned() && has_axes(item))
        findings.add(
            item, item_path,
            "x, y and z are inertial axes, and the frame here is turned; fix all three or none, or use a joint");
    }
    if (!given) add_missing(entry, path, field, placement, findings, quiet);
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
