// SPDX-License-Identifier: BSD-3-Clause
// Laws of the tables of keys, over all of them: reader, schema and reference page know the same keys, bounds and
// defaults.
#include "io/deck/tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "io/deck/read_settings.hpp"
#include "io/deck_dump.hpp"
#include "polhode/integrators/settings.hpp"
#include "polhode/io/deck/study.hpp"
#include "polhode/model/model_settings.hpp"

namespace polhode::io {
namespace {

using Json = nlohmann::json;

// A table under the name of its definition in the schema, and under the heading of its section in the reference.
struct NamedTable {
  const Table* table;
  std::string definition;
  std::string heading;
};

// All tables of the deck that have a definition in the schema, each once.
std::vector<NamedTable> all_tables() {
  std::vector<NamedTable> all{{&deck_table, "", "## deck"}, {&function_table, "function", "## function"}};
  std::set<const Table*> seen{&deck_table, &function_table};
  const auto add = [&](const Table* one, const std::string& definition, const std::string& heading) {
    if (seen.insert(one).second) all.push_back({one, definition, heading});
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const Key& key : all[i].table->keys) {
      if (const Table* inner = table_of(key)) {
        const bool of_kind = all[i].heading.starts_with("###");
        const bool group = of_kind && inner->name.find('-') != std::string_view::npos;
        add(inner, std::string(inner->name), (group ? "#### " : "## ") + std::string(inner->name));
      }
      if (key.form == Form::kinds)
        for (const model::KindInfo* kind : family_of(key.field.name).kinds)
          add(&table_of(*kind), std::string(key.field.name) + "." + std::string(kind->name),
              "### " + std::string(kind->name));
      if (key.form == Form::analyses)
        for (const Table* type : analysis_tables())
          add(type, "analysis." + std::string(type->name), "### " + std::string(type->name));
    }
  return all;
}

// Rows of the section below a heading, by their keys; the last section of that heading counts.
std::map<std::string, std::string> rows_below(const std::string& page, const std::string& heading) {
  std::map<std::string, std::string> rows;
  const std::size_t begin = page.rfind("\n" + heading + "\n");
  if (begin == std::string::npos) return rows;
  const std::size_t end = std::min(page.find("\n#", begin + 2), page.size());
  for (std::size_t at = page.find("\n| `", begin); at < end; at = page.find("\n| `", at + 1)) {
    const std::string row = page.substr(at + 1, page.find('\n', at + 1) - at - 1);
    rows.emplace(row.substr(3, row.find('`', 3) - 3), row);
  }
  return rows;
}

// The properties of a definition, "" being the deck itself.
Json properties_of(const Json& schema, const std::string& definition) {
  const Json& mapping = definition.empty() ? schema : schema.at("$defs").at(definition);
  return mapping.at("properties");
}

TEST(DeckTables, SchemaAndPageHaveTheKeysOfEachTableAndNoOthers) {
  const Json schema = Json::parse(deck_schema());
  const std::string page = deck_reference();
  const std::vector<NamedTable> all = all_tables();
  EXPECT_GT(all.size(), 50u);
  for (const NamedTable& one : all) {
    SCOPED_TRACE(one.heading);
    const Json properties = properties_of(schema, one.definition);
    const auto rows = rows_below(page, one.heading);
    std::size_t known = 0;
    for (const Key& key : one.table->keys) {
      const std::string name(key.field.name);
      EXPECT_TRUE(properties.contains(name)) << name;
      EXPECT_EQ(properties.contains(name + "_deg"), key.field.unit == "rad") << name;
      known += key.field.unit == "rad" ? 2 : 1;
      // Outputs of a kind may have the name of an input; their rows come later.
      ASSERT_TRUE(rows.contains(name)) << name;
      const std::string& row = rows.at(name);
      EXPECT_EQ(row.find("| required |") != std::string::npos, key.field.required && key.field.default_text.empty())
          << row;
      const std::string otherwise(key.field.default_text);
      EXPECT_TRUE(otherwise.empty() || row.find("| `" + otherwise + "` |") != std::string::npos) << row;
      const std::string bounds = interval(key.field);
      EXPECT_TRUE(bounds.empty() || row.find(" in " + bounds + " |") != std::string::npos) << row;
    }
    EXPECT_EQ(properties.size(), known);
  }
}

TEST(DeckTables, DefinitionsOfASchemaAreThoseThatItRefersTo) {
  for (const std::string& text : {deck_schema(), study_schema()}) {
    const Json schema = Json::parse(text);
    std::set<std::string> defined;
    for (const auto& [name, definition] : schema.at("$defs").items()) defined.insert(name);
    std::set<std::string> used;
    const std::string begin = "#/$defs/";
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1))
      used.insert(text.substr(at + begin.size(), text.find('"', at) - at - begin.size()));
    EXPECT_EQ(defined, used) << "definitions that nothing refers to, or references without one";
  }
}

// The reader's answer to a mapping with this one key: whether the key is known to it.
bool is_known_to_reader(const Table& keys_of_it, const std::string& key) {
  Item mapping;
  mapping.kind = Item::Kind::mapping;
  Item& one = mapping.items.emplace_back();
  one.key = key;
  Findings findings;
  Reader reader(findings, "");
  reader.mapping(mapping, "here", keys_of_it);
  return std::none_of(findings.all().begin(), findings.all().end(), [](const Finding& f) { return f.unknown_key; });
}

TEST(DeckTables, TheReaderTakesEachKeyOfItsTableAndNoOther) {
  for (const NamedTable& one : all_tables())
    for (const Key& key : one.table->keys) {
      const std::string name(key.field.name);
      EXPECT_TRUE(is_known_to_reader(*one.table, name)) << one.heading << " " << name;
      EXPECT_EQ(is_known_to_reader(*one.table, name + "_deg"), key.field.unit == "rad") << one.heading << " " << name;
      EXPECT_FALSE(is_known_to_reader(*one.table, name + "_")) << one.heading << " " << name;
      EXPECT_FALSE(is_known_to_reader(*one.table, name + "_deg_deg")) << one.heading << " " << name;
    }
}

TEST(DeckTables, KeysAreDocumentedOnceAndInOneLine) {
  for (const NamedTable& one : all_tables()) {
    EXPECT_FALSE(one.table->doc.empty()) << one.heading;
    std::set<std::string_view> names;
    for (const Key& key : one.table->keys) {
      const model::Field& field = key.field;
      EXPECT_TRUE(names.insert(field.name).second) << one.heading << " " << field.name;
      EXPECT_FALSE(field.doc.empty()) << one.heading << " " << field.name;
      EXPECT_EQ(field.doc.find('\n'), std::string_view::npos) << one.heading << " " << field.name;
      EXPECT_LE(field.min, field.max) << one.heading << " " << field.name;
      EXPECT_FALSE(field.required && !field.default_text.empty()) << one.heading << " " << field.name;
      const bool chooses = field.type == model::FieldType::choice || field.type == model::FieldType::choices ||
                           field.type == model::FieldType::choice_or_integer;
      EXPECT_EQ(!field.choices.empty(), chooses) << one.heading << " " << field.name;
    }
  }
}

// Bounds of the schema are those of the reader.
TEST(DeckTables, BoundsOfTheSchemaAreThoseOfTheReader) {
  const Json schema = Json::parse(deck_schema());
  std::size_t bounds = 0;
  for (const NamedTable& one : all_tables()) {
    const Json properties = properties_of(schema, one.definition);
    for (const Key& key : one.table->keys) {
      const model::Field& field = key.field;
      const bool number = field.type == model::FieldType::number || field.type == model::FieldType::integer;
      if (key.form != Form::value || !number) continue;
      const Json& plain = properties.at(std::string(field.name)).at("anyOf").at(0);
      EXPECT_EQ(plain.at("type"), field.type == model::FieldType::integer ? "integer" : "number");
      const auto holds = [&](const char* inclusive, const char* exclusive, double bound, bool is_exclusive) {
        EXPECT_EQ(plain.contains(inclusive), std::isfinite(bound) && !is_exclusive) << one.heading << field.name;
        EXPECT_EQ(plain.contains(exclusive), std::isfinite(bound) && is_exclusive) << one.heading << field.name;
        if (!std::isfinite(bound)) return;
        EXPECT_EQ(plain.at(is_exclusive ? exclusive : inclusive).get<double>(), bound);
        ++bounds;
      };
      holds("minimum", "exclusiveMinimum", field.min, field.min_exclusive);
      holds("maximum", "exclusiveMaximum", field.max, field.max_exclusive);
    }
  }
  EXPECT_GT(bounds, 50u);
}

// Every settings table that a deck can lead to.
std::vector<const model::SettingsTable*> all_settings() {
  std::vector<const model::SettingsTable*> all{&model::constraints_table, &model::initial_table, &results::output_table,
                                               &results::response_table, &samples_of_study_table};
  for (const analyses::AnalysisType* type : analyses::analysis_types()) all.push_back(type->table());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto add = [&](const model::SettingsTable* one) {
      if (one && std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
    };
    const model::SettingsTable& present = *all[i];
    for (const model::Setting& setting : present.settings) add(setting.members);
    if (!present.alternatives) continue;
    for (const model::Alternative& one : present.alternatives->all()) add(one.table);
  }
  return all;
}

// The text of a default that is one value of its type, not words about other settings, gives that of the struct.
TEST(SettingsTables, DefaultsOfTheDocumentsAreThoseOfTheStructs) {
  std::size_t values = 0;
  for (const model::SettingsTable* settings : all_settings())
    for (const model::Setting& setting : settings->settings) {
      const model::Field& field = setting.field;
      const std::string text = text_of_default(setting);
      if (text.empty() || !setting.otherwise) continue;
      SCOPED_TRACE(std::string(settings->name) + "." + std::string(field.name) + ": " + text);
      const model::Value otherwise = setting.otherwise();
      if (!field.default_text.empty() && std::holds_alternative<std::monostate>(otherwise)) continue;
      Findings findings;
      Reader reader(findings, "");
      const Item document = parse_document("v: " + text);
      const auto value = reader.value(document.items.at(0), "v", field, settings->name);
      if (!value && !field.default_text.empty()) continue;  // in words
      ASSERT_TRUE(value) << findings.text("");
      EXPECT_EQ(test::dump(*value), test::dump(otherwise));
      ++values;
    }
  EXPECT_GT(values, 20u);
}

// What is read from a struct can be assigned, and is then read again: no setting writes to the member of another.
TEST(SettingsTables, EachSettingOfAnAnalysisHasAMemberOfItsOwn) {
  for (const analyses::AnalysisType* type : analyses::analysis_types()) {
    analyses::Analysis changed(*type);
    void* const settings = changed.settings_struct();
    const std::string before = test::dump(*type->table(), settings);
    for (const model::Setting& setting : type->table()->settings) {
      if (!setting.read) continue;
      const model::Value old = setting.read(settings);
      const auto* number = std::get_if<double>(&old);
      const auto* flag = std::get_if<bool>(&old);
      if (!number && !flag) continue;
      setting.assign(settings, number ? model::Value(*number + 3) : model::Value(!*flag));
      std::size_t others = 0;
      for (const model::Setting& other : type->table()->settings)
        if (other.read && &other != &setting) {
          analyses::Analysis fresh(*type);
          others += test::dump(other.read(settings)) != test::dump(other.read(fresh.settings_struct()));
        }
      EXPECT_EQ(others, 0u) << type->name() << "." << setting.field.name;
      EXPECT_NE(test::dump(*type->table(), settings), before) << type->name() << "." << setting.field.name;
      setting.assign(settings, old);
      EXPECT_EQ(test::dump(*type->table(), settings), before) << type->name() << "." << setting.field.name;
    }
  }
}

TEST(SettingsTables, EachMethodIsChosenByItsNameAndGivesItBack) {
  const model::Alternatives& methods = *integrators::integrator_table.alternatives;
  for (const model::Alternative& one : methods.all()) {
    integrators::IntegratorSettings settings;
    void* const own = methods.choose(&settings, one.name);
    EXPECT_EQ(methods.name_of(&settings), one.name);
    EXPECT_EQ(own != nullptr, one.table != nullptr) << one.name;
    EXPECT_EQ(methods.find(&settings), own) << one.name;
    EXPECT_FALSE(one.doc.empty()) << one.name;
  }
}

// Of keys in a wrong place: where they belong.
TEST(HomeOfKeys, IsNamedWhereItHelps) {
  const auto home_in = [](const char* part, const std::string& key) {
    for (const NamedTable& one : all_tables())
      if (one.heading == part) return home_of(key, *one.table);
    return std::string("no table");
  };
  EXPECT_EQ(home_in("## deck", "position"), "`nodes`");
  EXPECT_EQ(home_in("## node", "gravity"), "the deck itself");
  EXPECT_EQ(home_in("### transient", "rho_infinity"), "`integrator`");
  EXPECT_EQ(home_in("### beam", "EA"), "`sections`");
  EXPECT_EQ(home_in("## node", "no_such_key"), "");
  EXPECT_EQ(home_of("position", study_table), "") << "a study has tables of its own";
}

}  // namespace
}  // namespace polhode::io
