// SPDX-License-Identifier: BSD-3-Clause
// Reading a mapping of the deck into a struct of settings, by its table.
#include "read_settings.hpp"

#include <algorithm>

namespace polhode::io {
namespace {

using model::Alternative;
using model::Alternatives;

// The alternative that the mapping names, or else the default one; nullptr where the name is no known one.
const Alternative* chosen_by(const Item& item, const Alternatives& alternatives) {
  const Item* named = item.find(alternatives.key.name);
  const bool is_text = named && named->kind == Item::Kind::scalar;
  const std::string_view name = is_text ? std::string_view(named->text) : alternatives.key.default_text;
  const auto all = alternatives.all();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Alternative& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

// The entry that `path` leads to from `item`, or the last one on the way.
const Item& nearest_entry(const Item& item, std::string_view path) {
  if (path.empty()) return item;
  const std::size_t dot = std::min(path.find('.'), path.size());
  const std::string_view rest = path.substr(std::min(dot + 1, path.size()));
  const Mapping mapping{.item = &item};
  const Item* inner = mapping.find(path.substr(0, dot));
  return inner ? nearest_entry(*inner, rest) : item;
}

// What depends on several keys. `inner`: how many findings are of the mappings inside.
void complete_settings(const Mapping& given, const model::SettingsTable& table, void* settings, std::size_t inner,
                       Reader& reader) {
  // Checks across keys need sound keys: a faulty value would make a second, wrong message.
  if (!table.complete || reader.findings.size() > given.findings_before + inner) return;
  std::vector<std::string_view> keys;
  for (const model::Setting& setting : table.settings)
    if (given.has(setting.field.name)) keys.push_back(setting.field.name);
  model::Problems problems;
  const auto& facts = reader.facts;
  table.complete(settings, {given.path, keys, facts.begin_time, facts.end_time, facts.has_joints, inner == 0},
                 problems);
  report(problems, *given.item, given.path, reader);
}

}  // namespace

// Paths of problems are those of the deck; without an entry of its own a problem stands at the nearest one
// above.
void report(const model::Problems& problems, const Item& item, std::string_view base, Reader& reader) {
  for (const model::Problem& problem : problems) {
    const std::string_view path = problem.path;
    const bool inside = path.size() > base.size() && path.starts_with(base);
    reader.findings.add(nearest_entry(item, inside ? path.substr(base.size() + 1) : ""), problem.path, problem.message);
  }
}

// Writes what was read to the members, and reads the mappings inside.
void assign_settings(const Mapping& given, const model::SettingsTable& table, void* settings, Reader& reader) {
  std::size_t inner = 0;
  for (const model::Setting& setting : table.settings) {
    const Item* item = given.find(setting.field.name);
    if (!item) continue;
    const std::string path = join_path(given.path, setting.field.name);
    if (setting.members && (!setting.or_value || item->kind == Item::Kind::mapping)) {
      const std::size_t before = reader.findings.size();
      read_settings(*item, path, *setting.members, setting.nested(settings), reader);
      inner += reader.findings.size() - before;
      continue;
    }
    // A value in the place of the mapping.
    if (setting.or_value) {
      if (const auto value = reader.value(*item, path, setting.field, table.name)) setting.assign(settings, *value);
      continue;
    }
    const auto value = given.values.find(setting.field.name);
    if (value != given.values.end()) setting.assign(settings, value->second);
  }
  complete_settings(given, table, settings, inner, reader);
}

// The alternative is chosen first: which keys are known depends on it. Keys of the alternative go to its own
// struct, which choose() makes.
bool read_settings(const Item& item, const std::string& path, const model::SettingsTable& table, void* settings,
                   Reader& reader) {
  const std::size_t before = reader.findings.size();
  const Alternative* chosen = table.alternatives ? chosen_by(item, *table.alternatives) : nullptr;
  const auto given = reader.mapping(item, path, table_of(table, chosen ? chosen->name : ""));
  if (!given) return false;
  assign_settings(*given, table, settings, reader);
  if (chosen) {
    void* own = table.alternatives->choose(settings, chosen->name);
    if (own && chosen->table) assign_settings(*given, *chosen->table, own, reader);
  }
  return reader.findings.size() == before;
}

}  // namespace polhode::io
