// SPDX-License-Identifier: BSD-3-Clause
// The tables of the kinds in the catalog.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>

#include "tables.hpp"

namespace polhode::io {
namespace {

// Owns what the spans of its table point to: made once, never moved.
struct KindTable {
  std::string name;
  std::vector<Key> keys;
  Table table;
  std::vector<std::unique_ptr<KindTable>> groups;
};

// The keys of the fields; a group has a table of its own, named after its place: revolute-friction.
void add_keys_to(KindTable& made, std::span<const model::Field> fields, const std::string& place) {
  for (const model::Field& field : fields) {
    if (field.type != model::FieldType::group) {
      made.keys.push_back({field});
      continue;
    }
    auto& group = *made.groups.emplace_back(std::make_unique<KindTable>());
    group.name = place + "-" + std::string(field.name);
    add_keys_to(group, field.members, group.name);
    group.table = {group.name, field.doc, group.keys};
    made.keys.push_back({field, field.or_list ? Form::mapping_or_list : Form::mapping, &group.table});
  }
}

// Points and directions of beams, joints and forces may be in the frame of a node; those that bodies have are in their
// own.
bool takes_frame(const model::KindInfo& kind) {
  const auto is_placed = [](const model::Field& field) {
    return field.frame == model::Frame::point || field.frame == model::Frame::direction ||
           field.frame == model::Frame::axes;
  };
  const bool takes =
      kind.family == model::Family::beam || kind.family == model::Family::joint || kind.family == model::Family::force;
  return takes && std::any_of(kind.fields.begin(), kind.fields.end(), is_placed);
}

FamilyKinds kinds_of(model::Family family) {
  FamilyKinds all{family, {}, nullptr};
  for (const model::KindInfo* kind : model::catalog()) {
    if (kind->family != family) continue;
    all.kinds.push_back(kind);
    if (kind->by_default) all.by_default = kind;
  }
  return all;
}

}  // namespace

// Only asked for the keys of families.
const FamilyKinds& family_of(std::string_view key) {
  static const std::array<FamilyKinds, 6> families = {kinds_of(model::Family::body),   kinds_of(model::Family::beam),
                                                      kinds_of(model::Family::joint),  kinds_of(model::Family::force),
                                                      kinds_of(model::Family::signal), kinds_of(model::Family::event)};
  return *std::find_if(families.begin(), families.end(),
                       [key](const FamilyKinds& f) { return model::deck_key(f.family) == key; });
}

// Made at the first use, for all kinds. `type` is the first key and has this kind's name as its one choice.
const Table& table_of(const model::KindInfo& kind) {
  static const auto tables = [] {
    std::map<const model::KindInfo*, std::unique_ptr<KindTable>> all;
    for (const model::KindInfo* info : model::catalog()) {
      auto made = std::make_unique<KindTable>();
      const std::string_view family = model::deck_key(info->family);
      made->keys.push_back({{.name = "type",
                             .type = model::FieldType::choice,
                             .unit = "",
                             .doc = info->doc,
                             .required = !info->by_default,
                             .default_text = info->by_default ? info->name : std::string_view(),
                             .choices = std::span(&info->name, 1)}});
      add_keys_to(*made, info->fields, std::string(info->name));
      if (takes_frame(*info))
        made->keys.push_back({{.name = "frame",
                               .type = model::FieldType::text,
                               .unit = "",
                               .doc = "a node, `nodes.hub`, in whose frame points and directions of this entry are; "
                                      "default: the frame of the deck, or of the part"}});
      made->table = {family, info->doc, made->keys};
      all.emplace(info, std::move(made));
    }
    return all;
  }();
  return tables.at(&kind)->table;
}

// A bound of 1/3 is written as such; no decimal number is.
std::string interval(const model::Field& field) {
  if (!std::isfinite(field.min) && !std::isfinite(field.max)) return "";
  const bool open_left = field.min_exclusive || !std::isfinite(field.min);
  const bool open_right = field.max_exclusive || !std::isfinite(field.max);
  const auto text = [](double bound) { return bound == 1.0 / 3.0 ? std::string("1/3") : number_text(bound); };
  return (open_left ? "(" : "[") + text(field.min) + ", " + text(field.max) + (open_right ? ")" : "]");
}

std::string list_text(std::span<const std::string_view> names) {
  std::string list;
  for (const std::string_view name : names) (list += list.empty() ? "" : ", ") += name;
  return list;
}

}  // namespace polhode::io
