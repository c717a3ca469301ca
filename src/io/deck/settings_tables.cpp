// SPDX-License-Identifier: BSD-3-Clause
// Tables of keys from tables of settings: defaults as texts, nested tables, and the keys of alternatives.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "polhode/analyses/catalog.hpp"
#include "polhode/analyses/settings.hpp"
#include "tables.hpp"

namespace polhode::io {
namespace {

using model::Alternative;
using model::SettingsTable;

// A table with what its keys point to: texts of defaults, names, keys of other alternatives.
struct MadeTable {
  std::vector<Key> keys;
  std::vector<std::unique_ptr<std::string>> texts;  // defaults and documentation that keys refer to
  std::vector<std::string_view> names;              // of the alternatives
  std::vector<Foreign> foreign;
  Table table;

  bool has(std::string_view name) const {
    return std::any_of(keys.begin(), keys.end(), [&](const Key& key) { return key.field.name == name; });
  }
  // The first of two settings of one name counts: common ones come before those of alternatives.
  void add(const SettingsTable& settings) {
    for (const model::Setting& setting : settings.settings) {
      if (has(setting.field.name)) continue;
      Key key{setting.field};
      key.field.default_text = *texts.emplace_back(std::make_unique<std::string>(text_of_default(setting)));
      if (setting.members) {
        key.table = &table_of(*setting.members);
        key.form = setting.or_value ? Form::value_or_mapping : Form::mapping;
      }
      keys.push_back(key);
    }
  }
};

// "methods `a`, `b`": the alternatives that have the key.
std::string owners_text(const model::Alternatives& alternatives, std::string_view key) {
  std::string names;
  int count = 0;
  for (const Alternative& other : alternatives.all()) {
    const auto has_key = [&](const model::Setting& setting) { return setting.field.name == key; };
    if (!other.table || std::none_of(other.table->settings.begin(), other.table->settings.end(), has_key)) continue;
    names += fmt::format("{}`{}`", count == 0 ? "" : ", ", other.name);
    ++count;
  }
  return fmt::format("{}{} {}", alternatives.key.name, count == 1 ? "" : "s", names);
}

// The key that chooses stands first. With a chosen alternative its keys are known and those of all others
// foreign, with a message that says whose they are; without one (schema, reference) all are known.
void add_alternatives_to(MadeTable& made, const model::Alternatives& alternatives, std::string_view chosen) {
  Key key{alternatives.key};
  key.field.type = model::FieldType::choice;
  std::string& doc = *made.texts.emplace_back(std::make_unique<std::string>(alternatives.key.doc));
  for (const Alternative& one : alternatives.all()) {
    made.names.push_back(one.name);
    if (!one.doc.empty()) doc += fmt::format("{} {}: {}", made.names.size() == 1 ? "." : ";", one.name, one.doc);
  }
  key.field.doc = doc;
  key.field.choices = made.names;
  made.keys.insert(made.keys.begin(), key);
  for (const Alternative& one : alternatives.all())
    if (one.table && (chosen.empty() || one.name == chosen)) made.add(*one.table);
  for (const Alternative& one : alternatives.all()) {
    if (!one.table) continue;
    for (const model::Setting& setting : one.table->settings) {
      if (made.has(setting.field.name)) continue;
      made.foreign.push_back(
          {std::string(setting.field.name), fmt::format("belongs to {}, not to `{}`; remove it",
                                                        owners_text(alternatives, setting.field.name), chosen)});
    }
  }
}

// What the key is of, where the tables of other types of analysis have it: "type `static`".
std::string types_text(std::span<const std::unique_ptr<MadeTable>> all, std::string_view key) {
  std::string names;
  int count = 0;
  for (const auto& other : all) {
    if (!other->has(key)) continue;
    names += fmt::format("{}`{}`", count == 0 ? "" : ", ", other->table.name);
    ++count;
  }
  return fmt::format("type{} {}", count == 1 ? "" : "s", names);
}

// One for each type. A key of another type is foreign here, and the message names the types that have it.
std::vector<std::unique_ptr<MadeTable>> made_analysis_tables() {
  std::vector<std::unique_ptr<MadeTable>> all;
  for (const analyses::AnalysisType* type : analyses::analysis_types()) {
    const SettingsTable* const settings = type->table();
    MadeTable& made = *all.emplace_back(std::make_unique<MadeTable>());
    made.keys.push_back({{.name = "type",
                          .type = model::FieldType::choice,
                          .doc = "what is done",
                          .required = true,
                          .choices = std::span(&settings->name, 1)}});
    made.add(*settings);
    made.table = {settings->name, settings->doc, made.keys};
  }
  for (const auto& made : all) {
    for (const auto& other : all)
      for (const Key& key : other->keys)
        if (!made->has(key.field.name))
          made->foreign.push_back(
              {std::string(key.field.name), fmt::format("belongs to {}, not to `{}`; remove it",
                                                        types_text(all, key.field.name), made->table.name)});
    made->table.foreign = made->foreign;
  }
  return all;
}

}  // namespace

const Table* table_of(const Key& key) {
  if (key.table) return key.table;
  return key.settings ? &table_of(*key.settings) : nullptr;
}

std::span<const Table* const> analysis_tables() {
  static const std::vector<std::unique_ptr<MadeTable>> made = made_analysis_tables();
  static const std::vector<const Table*> tables = [] {
    std::vector<const Table*> all;
    for (const auto& one : made) all.push_back(&one->table);
    return all;
  }();
  return tables;
}

// Recursive mutex: nested tables are made while an outer one is, and decks may be read on several threads.
const Table& table_of(const SettingsTable& settings, std::string_view chosen) {
  static std::recursive_mutex mutex;
  static std::map<std::pair<const SettingsTable*, std::string>, std::unique_ptr<MadeTable>> tables;
  const std::lock_guard lock(mutex);
  auto& made = tables[{&settings, std::string(chosen)}];
  if (made) return made->table;
  made = std::make_unique<MadeTable>();
  MadeTable& one = *made;
  one.add(settings);
  if (settings.alternatives) add_alternatives_to(one, *settings.alternatives, chosen);
  one.table = {settings.name, settings.doc, one.keys, one.foreign};
  return one.table;
}

}  // namespace polhode::io
