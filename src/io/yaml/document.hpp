// SPDX-License-Identifier: BSD-3-Clause
// A YAML text as a plain tree that remembers where each entry stands, and changes of it by --set.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "polhode/io/deck/deck.hpp"

namespace polhode::io {

// One entry. Aliases are expanded, duplicate keys are kept (the reader reports them).
struct Item {
  // `nothing` is a key without a value, or null.
  enum class Kind { nothing, scalar, sequence, mapping };
  Kind kind = Kind::nothing;
  bool quoted = false;  // a scalar that is text by its spelling ("1", '1', |), never a number
  bool listed = false;  // an element of a sequence
  Place place;          // of the key in a mapping, of the value in a sequence
  std::string key;      // in a mapping
  std::string text;     // of a scalar
  std::vector<Item> items;

  const Item* find(std::string_view name) const;  // the first of this key, or nullptr
};

// Text that is no YAML that a deck can be.
struct SyntaxError : std::runtime_error {
  SyntaxError(Place at, const std::string& message) : std::runtime_error(message), place(at) {}
  Place place;
};

// Throws SyntaxError. An empty text gives Kind::nothing.
Item parse_document(const std::string& text);

// Throws SyntaxError where the text is not UTF-8, or has control characters beside tabs and line breaks.
void check_characters(const std::string& text);

// Applies PATH=VALUE; makes the mappings on the way that are missing. Throws SettingError.
void apply_setting(Item& root, const std::string& setting);

// The entry at a path; nullptr if there is none.
const Item* find_entry(const Item& root, const std::string& path);

// Writes a plain value at a path, made as by apply_setting where it is missing. An entry that is there keeps its place.
void apply_value(Item& root, const std::string& path, const std::string& value);

// On one line, as flow YAML.
std::string flow_text(const Item& item);

// The tree as YAML.
std::string write_document(const Item& root);

std::string join_path(std::string_view path, std::string_view key);

// What an item is, for messages: "text 'abc'", "a list of 3", "a mapping", "nothing".
std::string describe(const Item& item);

}  // namespace polhode::io
