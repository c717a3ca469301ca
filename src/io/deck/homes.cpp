// SPDX-License-Identifier: BSD-3-Clause
// Which part of the deck a key belongs to, for messages on keys that stand in the wrong place.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "polhode/model/units.hpp"
#include "tables.hpp"

namespace polhode::io {
namespace {

constexpr std::size_t most_homes = 3;  // more of them say nothing

// Where a key stands: in a part of the deck ("analysis"), or in a mapping inside of it ("integrator").
struct Home {
  std::string part;                // "" for the deck itself
  std::string inner;               // "" in the part itself
  std::vector<std::string> kinds;  // of a part that has kinds: those that have the key

  bool is_at(const Home& other) const { return part == other.part && inner == other.inner; }
};

// The homes of each key, and the part that each table is of.
struct Homes {
  std::map<std::string, std::vector<Home>, std::less<>> of_key;
  std::map<const Table*, std::string> part_of;

  void add(std::string_view key, const Home& home, const std::string& kind) {
    std::vector<Home>& all = of_key[std::string(key)];
    auto found = std::find_if(all.begin(), all.end(), [&](const Home& other) { return other.is_at(home); });
    if (found == all.end()) found = all.insert(all.end(), home);
    if (!kind.empty()) found->kinds.push_back(kind);
  }
  // Keys of a table, and of the mappings inside it.
  void add_table(const Table& table, const Home& home, const std::string& kind) {
    // A table that several keys share is walked once.
    if (!part_of.emplace(&table, home.part).second) return;
    for (const Key& key : table.keys) {
      if (key.field.name == "type") continue;
      add(key.field.name, home, kind);
      if (const Table* inner = table_of(key)) add_table(*inner, {home.part, std::string(key.field.name), {}}, "");
    }
  }
};

// Walks all tables of the deck once; keys of kinds remember which kinds have them.
Homes made_homes() {
  Homes homes;
  homes.part_of.emplace(&deck_table, "");
  for (const Key& key : deck_table.keys) {
    const std::string part(key.field.name);
    homes.add(part, {}, "");
    // A mass or a force elsewhere is a number that no unit's name stands for.
    if (key.settings == &model::units_table) continue;
    // A part has the keys of a deck, which are at home there.
    if (key.table == &part_table || key.table == &instance_table || key.table == &include_table) continue;
    if (const Table* inner = table_of(key)) homes.add_table(*inner, {part, "", {}}, "");
    if (key.form == Form::kinds)
      for (const model::KindInfo* kind : family_of(part).kinds)
        homes.add_table(table_of(*kind), {part, "", {}}, std::string(kind->name));
    if (key.form == Form::analyses)
      for (const Table* type : analysis_tables()) homes.add_table(*type, {part, "", {}}, "");
  }
  return homes;
}

// The home as a message names it for a key of a table of `part`; "" where that would be a hint from afar.
std::string text_of(const Home& home, const std::string& part) {
  if (home.part == part && !home.inner.empty()) return fmt::format("`{}`", home.inner);
  if (!home.inner.empty()) return "";
  if (home.part.empty()) return "the deck itself";
  if (home.part != part) return fmt::format("`{}`", home.part);
  if (home.kinds.empty() || home.kinds.size() > most_homes) return "";
  return fmt::format("type `{}` of `{}`", fmt::join(home.kinds, "`, `"), home.part);
}

}  // namespace

// A key of many kinds is more likely a key of this one's family misplaced than a hint worth giving.
std::string home_of(std::string_view key, const Table& table) {
  static const Homes homes = made_homes();
  const auto found = homes.of_key.find(key);
  const auto own = homes.part_of.find(&table);
  if (found == homes.of_key.end() || own == homes.part_of.end()) return "";
  // What an entry has by its section is rather a key of that than of anything else.
  const auto is_of_sections = [](const Home& home) { return home.part == "sections"; };
  const auto names_section = [](const Key& one) { return one.field.name == "section"; };
  if (std::any_of(table.keys.begin(), table.keys.end(), names_section) &&
      std::any_of(found->second.begin(), found->second.end(), is_of_sections))
    return "`sections`";
  std::vector<std::string> texts;
  const auto is_in_many_kinds = [&](const Home& home) {
    return home.part == own->second && home.inner.empty() && home.kinds.size() > most_homes;
  };
  if (std::any_of(found->second.begin(), found->second.end(), is_in_many_kinds)) return "";
  for (const Home& home : found->second)
    if (const std::string text = text_of(home, own->second); !text.empty()) texts.push_back(text);
  // A key at home everywhere needs no hint.
  if (texts.size() > most_homes) return "";
  return fmt::format("{}", fmt::join(texts, " or "));
}

}  // namespace polhode::io
