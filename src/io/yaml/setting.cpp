// SPDX-License-Identifier: BSD-3-Clause
// Changes of a deck by --set PATH=VALUE.

#include <algorithm>
#include <charconv>

#include "document.hpp"

namespace polhode::io {
namespace {

// The place (0, 0) says that an entry comes from the command line.
void forget_places(Item& item) {
  item.place = {};
  for (Item& inner : item.items) forget_places(inner);
}

// YAML, so that lists and mappings can be set, too; an expression is text as it stands.
Item parse_value(const std::string& setting, const std::string& text) {
  if (text.starts_with('=')) {  // an expression, which needs no quotes here
    Item item;
    item.kind = Item::Kind::scalar;
    item.quoted = true;
    item.text = text;
    return item;
  }
  try {
    Item item = parse_document(text);
    forget_places(item);
    return item;
  } catch (const SyntaxError& error) {
    throw SettingError("--set " + setting + ": the value: " + error.what());
  }
}

// The entry `key` of `parent`, made where it is missing.
Item& descend(Item& parent, const std::string& key, const std::string& path, const std::string& setting, Place place) {
  if (parent.kind == Item::Kind::nothing) parent.kind = Item::Kind::mapping;
  if (parent.kind == Item::Kind::mapping) {
    for (Item& item : parent.items)
      if (item.key == key) return item;
    Item made;
    made.key = key;
    made.place = place;
    return parent.items.emplace_back(std::move(made));
  }
  if (parent.kind == Item::Kind::sequence) {
    std::size_t index = 0;
    // Lists are not made longer: there is no telling what a new entry should hold.
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
    if (error == std::errc{} && end == key.data() + key.size() && index < parent.items.size())
      return parent.items[index];
    throw SettingError("--set " + setting + ": '" + path + "' is a list of " + std::to_string(parent.items.size()) +
                       ", counted from 0; it has no '" + key + "'");
  }
  throw SettingError("--set " + setting + ": '" + path + "' is " + describe(parent) + " and has no '" + key + "'");
}

// Where the key ends that begins at `begin`: names may have dots, and the longest name of the mapping that fits wins.
std::size_t end_of_key(const Item& parent, const std::string& path, std::size_t begin) {
  std::size_t end = std::min(path.find('.', begin), path.size());
  if (parent.kind != Item::Kind::mapping) return end;
  for (const Item& item : parent.items) {
    const std::size_t after = begin + item.key.size();
    const bool fits = path.compare(begin, item.key.size(), item.key) == 0;
    if (fits && after > end && (after == path.size() || path[after] == '.')) end = after;
  }
  return end;
}

// The entry of a path. What is missing on the way is made, at the place of its parent or without one. `setting` is for
// messages.
Item& entry_at(Item& root, const std::string& path, const std::string& setting, bool with_place) {
  Item* item = &root;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = end_of_key(*item, path, begin);
    if (end == begin) throw SettingError("--set " + setting + ": an empty name in the path '" + path + "'");
    item = &descend(*item, path.substr(begin, end - begin), path.substr(0, begin == 0 ? 0 : begin - 1), setting,
                    with_place ? item->place : Place{});
    begin = end + 1;
  }
  return *item;
}

}  // namespace

// The entry keeps its key and its place in a list, all else is that of the value.
void apply_setting(Item& root, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0)
    throw SettingError("--set " + setting + ": expected PATH=VALUE, such as analysis.step=0.001");
  const std::string path = setting.substr(0, equals);
  Item& item = entry_at(root, path, setting, false);
  Item value = parse_value(setting, setting.substr(equals + 1));
  value.key = std::move(item.key);
  value.listed = item.listed;
  item = std::move(value);
}

// Indices in lists, keys elsewhere; nothing is made.
const Item* find_entry(const Item& root, const std::string& path) {
  const Item* item = &root;
  for (std::size_t begin = 0; item && begin <= path.size();) {
    const std::size_t end = end_of_key(*item, path, begin);
    const std::string_view key = std::string_view(path).substr(begin, end - begin);
    begin = end + 1;
    if (item->kind != Item::Kind::sequence) {
      item = item->find(key);
      continue;
    }
    std::size_t index = 0;
    const auto [stop, error] = std::from_chars(key.data(), key.data() + key.size(), index);
    const bool there = error == std::errc{} && stop == key.data() + key.size() && index < item->items.size();
    item = there ? &item->items[index] : nullptr;
  }
  return item;
}

// For studies: a plain scalar, whose problems are reported where the entry stands.
void apply_value(Item& root, const std::string& path, const std::string& value) {
  Item& item = entry_at(root, path, path + "=" + value, true);
  item.kind = Item::Kind::scalar;
  item.quoted = false;
  item.text = value;
  item.items.clear();
}

}  // namespace polhode::io
