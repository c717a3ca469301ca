// SPDX-License-Identifier: BSD-3-Clause
// Mappings by their tables: unknown, doubled and missing keys, names of entries.
#include "reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace polhode::io {
namespace {

constexpr std::string_view degrees = "_deg";
constexpr double radians_per_degree = std::numbers::pi / 180;

// The key of the table that `name` gives, and the factor to its unit: any angle may be given in degrees.
struct Match {
  const Key* key = nullptr;
  double scale = 1;
};

// A key of unit rad is also known with `_deg`.
Match match(const Table& table, std::string_view name) {
  for (const Key& key : table.keys) {
    if (key.field.name == name) return {&key, 1};
    if (key.field.unit == "rad" && name.ends_with(degrees) &&
        name.substr(0, name.size() - degrees.size()) == key.field.name)
      return {&key, radians_per_degree};
  }
  return {};
}

// Names become parts of paths and of HDF5 groups: no slashes, no blanks.
bool is_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

// The names of an entry of an instance, joined by dots: "leg.foot".
bool is_name_in_instance(std::string_view name) {
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
    if (!is_name(name.substr(0, dot))) return false;
    name.remove_prefix(dot + 1);
  }
  return is_name(name);
}

// True of the mappings that parts have, too.
bool is_in_parts(std::string_view path) {
  return std::any_of(part_table.keys.begin(), part_table.keys.end(), [&](const Key& key) {
    return key.field.name == path && path != "parameters" && path != "instances";
  });
}

// As messages show what the deck wrote.
std::string in_quotes(std::string_view name) { return "'" + std::string(name) + "'"; }

}  // namespace

const Item* Mapping::find(std::string_view key) const {
  if (const Item* plain = item->find(key)) return plain;
  return item->find(std::string(key) + std::string(degrees));
}

double Mapping::number(std::string_view key, double otherwise) const {
  const double* found = value<double>(key);
  return found ? *found : otherwise;
}

std::string Mapping::text(std::string_view key, std::string_view otherwise) const {
  const std::string* found = value<std::string>(key);
  return found ? *found : std::string(otherwise);
}

math::Vec3 Mapping::vector3(std::string_view key, const math::Vec3& otherwise) const {
  const math::VectorX* found = value<math::VectorX>(key);
  return found ? math::Vec3(*found) : otherwise;
}

Reader::Reader(Findings& found, std::string folder_of_deck)
    : findings(found),
      folder(std::move(folder_of_deck)),
      plain(found, parameters),
      matrices{plain, found},
      references{plain, found, names} {}

// What helps most comes first: the place where the key belongs if the table knows,
// a name that is nearly the same, the part of the deck that has such a key,
// and at last all keys that are known here.
void Reader::unknown_key(const Item& item, const std::string& path, const Table& table) {
  for (const Foreign& foreign : table.foreign)
    if (foreign.key == item.key) return findings.add_unknown_key(item, path, foreign.message);
  std::vector<std::string> known;
  for (const Key& key : table.keys) {
    known.emplace_back(key.field.name);
    if (key.field.unit == "rad") known.push_back(std::string(key.field.name) + std::string(degrees));
  }
  std::string hint = findings.suggestion(item.key, known);
  if (hint.empty()) {
    // No name here is near: it may be right elsewhere.
    const std::string home = home_of(item.key, table);
    if (!home.empty()) return findings.add_unknown_key(item, path, fmt::format("`{}` belongs to {}", item.key, home));
    hint = fmt::format("; known here: {}", fmt::join(known, ", "));
  }
  findings.add_unknown_key(item, path, "unknown key " + in_quotes(item.key) + hint);
}

// Plain values are converted at once; keys with mappings of their own are left to the caller,
// who knows when. The same key twice is an error, also once in rad and once in degrees.
// A missing value does not hide another problem: all keys are looked at.
std::optional<Mapping> Reader::mapping(const Item& item, const std::string& path, const Table& table) {
  if (item.kind != Item::Kind::mapping && item.kind != Item::Kind::nothing) {
    std::vector<std::string_view> keys;
    for (const Key& key : table.keys) keys.push_back(key.field.name);
    findings.add(item, path, "expected a mapping (keys: " + list_text(keys) + "), found " + describe(item));
    return std::nullopt;
  }
  Mapping result{&item, path, {}, findings.size()};
  std::map<const Key*, const Item*> seen;
  for (const Item& inner : item.items) {
    const std::string inner_path = join_path(path, inner.key);
    const Match found = match(table, inner.key);
    if (!found.key) {
      unknown_key(inner, inner_path, table);
      continue;
    }
    // By the key that is meant, so that `angle` and `angle_deg` clash.
    const auto [earlier, first] = seen.emplace(found.key, &inner);
    if (!first) {
      const Item& other = *earlier->second;
      findings.add(inner, inner_path,
                   other.key == inner.key
                       ? in_quotes(inner.key) + " stands here twice, first in " + findings.place_text(other.place) +
                             "; remove one"
                       : "both " + in_quotes(other.key) + " and " + in_quotes(inner.key) + " are given; remove one");
      continue;
    }
    if (found.key->form != Form::value) continue;
    if (auto v = value(inner, inner_path, found.key->field, table.name, found.scale))
      result.values.emplace(std::string(found.key->field.name), std::move(*v));
  }
  for (const Key& key : table.keys)
    // Reported at the mapping, as a missing key has no place of its own.
    if (key.field.required && !seen.contains(&key))
      findings.add(item, path, in_quotes(key.field.name) + " is missing: " + std::string(key.field.doc));
  return result;
}

// Names are checked for characters, for the reserved one, and for repetition.
void Reader::entries(const Item& item, const std::string& path, const ReadEntry& read) {
  if (item.kind == Item::Kind::nothing) return;
  if (item.kind != Item::Kind::mapping)
    return findings.add(item, path, "expected a mapping from names to entries, found " + describe(item));
  const bool in_parts = is_in_parts(path);
  std::unordered_map<std::string_view, const Item*> seen;
  for (const Item& entry : item.items) {
    const std::string entry_path = join_path(path, entry.key);
    if (!is_name(entry.key) && !(in_parts && is_name_in_instance(entry.key))) {
      findings.add(entry, entry_path, in_quotes(entry.key) + " is no name: letters, digits, '_' and '-' make a name");
    } else if (entry.key == "ground") {
      findings.add(entry, entry_path, "'ground' is reserved for the inertial frame; choose another name");
    } else if (const auto [earlier, first] = seen.emplace(entry.key, &entry); !first) {
      findings.add(entry, entry_path,
                   in_quotes(entry.key) + " stands here twice, first in " +
                       findings.place_text(earlier->second->place) + "; rename or remove one");
    } else {
      read(entry, entry_path);
    }
  }
}

// Paths of a list have its indices, as messages and studies name them.
void Reader::one_or_list(const Item& item, const std::string& path, const ReadEntry& read) {
  if (item.kind != Item::Kind::sequence) return read(item, path);
  if (item.items.empty()) findings.add(item, path, "the list is empty");
  for (std::size_t i = 0; i < item.items.size(); ++i) read(item.items[i], join_path(path, std::to_string(i)));
}

}  // namespace polhode::io
