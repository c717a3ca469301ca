// SPDX-License-Identifier: BSD-3-Clause
// The keys of a deck, declared once: the reader, the JSON schema and the reference page walk these tables.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/model/catalog.hpp"
#include "polhode/model/field.hpp"
#include "polhode/model/settings.hpp"

namespace polhode::io {

using model::number_text;
using model::rounded_text;

struct Table;

// How the value of a key is written.
enum class Form {
  value,               // one value of the field's type
  numbers,             // a list of Key::size numbers (0: any number of them)
  matrix3,             // three rows of three numbers
  flag_or_choices,     // true, false, or a list out of the field's choices
  mapping,             // a mapping by Key::table
  value_or_mapping,    // one value of the field's type, or a mapping by Key::table
  mapping_or_list,     // one such mapping, or a list of them
  mapping_or_matrix6,  // such a mapping, or a symmetric 6x6 matrix
  value_or_either,     // one value of the field's type, such a mapping, or a symmetric 6x6 matrix
  named,               // names, each with a mapping by Key::table
  parameters,          // names, each with a number, a vector or a matrix
  includes,            // a list of names of files and mappings by Key::table
  kinds,               // names, each with a mapping by the fields of its kind; the key is the family's
  analyses,            // a mapping by the table of its type, or a list of such
  variations,          // paths of the deck, each with a list of values or a mapping by Key::table
};

// One key of a mapping: its field (name, type, unit, bounds, documentation), how its value is written,
// and the table of what is inside.
struct Key {
  model::Field field;
  Form form = Form::value;
  const Table* table = nullptr;
  int size = 0;
  const model::SettingsTable* settings = nullptr;  // in the place of `table`
};

// A key that a table does not have, but another one does, and what to say of it: "belongs to ...; remove it".
struct Foreign {
  std::string key;
  std::string message;
};

// Keys of one mapping, in the order of the reference page.
struct Table {
  std::string_view name;
  std::string_view doc;
  std::span<const Key> keys;
  std::span<const Foreign> foreign{};  // looked up before the hint at an unknown key is made
};

extern const Table deck_table;
extern const Table include_table;
extern const Table part_table;
extern const Table instance_table;
extern const Table node_table;
extern const Table orientation_table;
extern const Table section_table;
extern const Table stiffness_table;
extern const Table mass_table;
extern const Table damping_table;
extern const Table motion_table;
extern const Table function_table;
extern const Table samples_table;
extern const Table study_table;
extern const Table range_table;
extern const Table sampling_table;
extern const model::SettingsTable samples_of_study_table;

// Where a key has its place, if not in `table`: "`sections`", "`nodes` or `bodies`", "type `revolute` of `joints`"; ""
// where no table of the deck has it, or more of them than are worth naming.
std::string home_of(std::string_view key, const Table& table);

const Table* table_of(const Key& key);  // of the mapping that the key holds; nullptr: none

// One table a type of analysis, under its name.
std::span<const Table* const> analysis_tables();

const Table& table_of(const model::KindInfo& kind);  // its fields, and `type`

// The keys of settings; those of alternatives, and the key that chooses, come after the common ones. `chosen` names the
// alternative; "" takes the keys of all of them. Made once, and kept.
const Table& table_of(const model::SettingsTable& settings, std::string_view chosen = "");

// The kinds of a family, in the order of the catalog.
struct FamilyKinds {
  model::Family family;
  std::vector<const model::KindInfo*> kinds;
  const model::KindInfo* by_default;  // of entries without `type`; nullptr: each has one
};
const FamilyKinds& family_of(std::string_view deck_key);

std::string interval(const model::Field& field);                 // "[0, 1]", "(0, inf)"; "" where there are no bounds
std::string list_text(std::span<const std::string_view> names);  // "a, b, c"

}  // namespace polhode::io
