// SPDX-License-Identifier: BSD-3-Clause
// JSON Schema of decks and studies, walked from the tables that the reader uses.
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "polhode/io/deck/study.hpp"
#include "io/deck/tables.hpp"

namespace polhode::io {
namespace {

using model::Field;
using model::FieldType;
using Members = std::vector<std::pair<std::string, std::string>>;  // keys and JSON texts

std::string quote(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string object(const Members& members) {
  std::string text;
  for (const auto& [key, value] : members) text += (text.empty() ? "" : ",") + quote(key) + ":" + value;
  return "{" + text + "}";
}

std::string array(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ",") + value;
  return "[" + text + "]";
}

std::string reference(std::string_view name) { return object({{"$ref", quote("#/$defs/" + std::string(name))}}); }
std::string any_of(const std::vector<std::string>& schemas) { return object({{"anyOf", array(schemas)}}); }

std::string enumeration(std::span<const std::string_view> choices) {
  std::vector<std::string> texts;
  for (const std::string_view choice : choices) texts.push_back(quote(choice));
  return object({{"enum", array(texts)}});
}

std::string list_of(const std::string& element, int size) {
  Members members = {{"type", quote("array")}, {"items", element}};
  if (size > 0) {
    members.push_back({"minItems", std::to_string(size)});
    members.push_back({"maxItems", std::to_string(size)});
  }
  return object(members);
}

std::string number(const Field& field, std::string_view type = "number") {
  Members members = {{"type", quote(type)}};
  if (std::isfinite(field.min))
    members.push_back({field.min_exclusive ? "exclusiveMinimum" : "minimum", number_text(field.min)});
  if (std::isfinite(field.max))
    members.push_back({field.max_exclusive ? "exclusiveMaximum" : "maximum", number_text(field.max)});
  return any_of({object(members), reference("expression")});
}

std::string square(const Field& field, int size) { return list_of(list_of(number(field), size), size); }

std::string value_schema(const Field& field) {
  const Field free{"", FieldType::number, "", ""};
  switch (field.type) {
    case FieldType::flag:
      return object({{"type", quote("boolean")}});
    case FieldType::integer:
      return number(field, "integer");
    case FieldType::number:
      return number(field);
    case FieldType::choice:
      return enumeration(field.choices);
    case FieldType::text:
      return object({{"type", array({quote("string"), quote("number")})}});
    case FieldType::node:
    case FieldType::section:
    case FieldType::beam:
      return reference("name");
    case FieldType::numbers:
      return list_of(number(field), field.size);
    case FieldType::one_or_six:
      return any_of({number(field), list_of(number(field), 6)});
    case FieldType::points:
      return list_of(list_of(number(field), 3), 0);
    case FieldType::choices:
      return list_of(enumeration(field.choices), 0);
    case FieldType::names:
    case FieldType::sections:
      return list_of(reference("name"), 0);
    case FieldType::node_pair:
      return list_of(reference("name"), 2);
    case FieldType::vector3:
    case FieldType::direction:
      return list_of(number(field), 3);
    case FieldType::inertia:
      return any_of({list_of(number(field), 3), square(free, 3)});
    case FieldType::matrix6:
      return square(field, 6);
    case FieldType::diagonal6:
      return any_of({list_of(number(field), 6), square(free, 6)});
    case FieldType::point_pair:
    case FieldType::axes:
      return list_of(list_of(number(field), 3), 2);
    case FieldType::function:
      if (field.variable != "t") return number(field);  // of another variable than the time
      return any_of({number(field), reference("function")});
    case FieldType::weights:
      return object({{"type", quote("object")}, {"additionalProperties", number(field)}});
    case FieldType::group:  // a table of its own
      break;
  }
  return "{}";
}

std::string named(const std::string& entry) {
  const std::string names =
      object({{"pattern", quote("^[A-Za-z0-9_-]+$")}, {"not", object({{"const", quote("ground")}})}});
  return object(
      {{"type", array({quote("object"), quote("null")})}, {"propertyNames", names}, {"additionalProperties", entry}});
}

// Builds the schema of each table once, under $defs.
class SchemaWriter {
 public:
  SchemaWriter(const Table& root, std::string format) : root_(root), format_(std::move(format)) {}

  std::string write() {
    definitions_["expression"] = object({{"type", quote("string")}, {"pattern", quote("^=")}});
    definitions_["name"] = object({{"type", array({quote("string"), quote("number")})}});
    const std::string deck = table(root_);
    if (&root_ == &deck_table) use(function_table, "function");
    Members definitions;
    for (const auto& [name, schema] : definitions_) definitions.push_back({name, schema});
    const std::string head = "{" + quote("$schema") + ":" + quote("https://json-schema.org/draft/2020-12/schema") +
                             "," + quote("title") + ":" + quote(format_) + ",";
    return head + deck.substr(1, deck.size() - 2) + "," + quote("$defs") + ":" + object(definitions) + "}";
  }

 private:
  const Table& root_;
  std::string format_;
  std::map<std::string, std::string> definitions_;

  std::string use(const Table& t, const std::string& name) {
    if (!definitions_.contains(name)) {
      definitions_[name];  // keeps a table that holds itself from being written without end
      definitions_[name] = table(t);
    }
    return reference(name);
  }

  std::string table(const Table& t) {
    Members properties;
    std::vector<std::string> required;
    for (const Key& key : t.keys) {
      const Field& field = key.field;
      const std::string name(field.name);
      std::string about(field.doc);
      if (!field.unit.empty()) about += " (" + std::string(field.unit) + ")";
      const std::string schema = key_schema(key);
      const auto described = [&](const std::string& text) {
        return "{" + quote("description") + ":" + quote(text) + "," + schema.substr(1);
      };
      properties.push_back({name, described(about)});
      if (field.unit == "rad")
        properties.push_back({name + "_deg", described(std::string(field.doc) + " (degrees)")});
      else if (field.required)
        required.push_back(quote(name));
    }
    return object({{"type", array({quote("object"), quote("null")})},
                   {"description", quote(t.doc)},
                   {"properties", object(properties)},
                   {"required", array(required)},
                   {"additionalProperties", "false"}});
  }

  std::string key_schema(const Key& key) {
    const Field& field = key.field;
    const auto nested = [&] { return use(*table_of(key), std::string(table_of(key)->name)); };
    if (field.name == "format") return object({{"const", quote(format_)}});
    switch (key.form) {
      case Form::value:
        return value_schema(field);
      case Form::numbers:
        return list_of(number(field), key.size);
      case Form::matrix3:
        return square(field, 3);
      case Form::flag_or_choices:
        return any_of({object({{"type", quote("boolean")}}), list_of(enumeration(field.choices), 0)});
      case Form::mapping:
        return nested();
      case Form::value_or_mapping:
        return any_of({value_schema(field), nested()});
      case Form::mapping_or_list:
        return any_of({nested(), list_of(nested(), 0)});
      case Form::mapping_or_matrix6:
        return any_of({nested(), square(field, 6)});
      case Form::named:
        return named(nested());
      case Form::parameters:
        return named(number(field));
      case Form::analyses: {
        std::vector<std::string> types;
        for (const Table* type : analysis_tables()) types.push_back(use(*type, "analysis." + std::string(type->name)));
        return any_of({any_of(types), list_of(any_of(types), 0)});
      }
      case Form::variations: {
        const std::string value = object({{"type", array({quote("number"), quote("string"), quote("boolean")})}});
        const std::string list = object({{"type", quote("array")}, {"items", value}, {"minItems", "1"}});
        return object(
            {{"type", quote("object")}, {"minProperties", "1"}, {"additionalProperties", any_of({list, nested()})}});
      }
      case Form::kinds: {
        std::vector<std::string> kinds;
        for (const model::KindInfo* kind : family_of(field.name).kinds)
          kinds.push_back(use(table_of(*kind), std::string(field.name) + "." + std::string(kind->name)));
        return named(any_of(kinds));
      }
    }
    return "{}";
  }
};

// Line breaks and indentation for a JSON text without any.
std::string indented(const std::string& json) {
  std::string text;
  std::string margin = "\n";
  bool inside_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"' && (i == 0 || json[i - 1] != '\\')) inside_text = !inside_text;
    const bool empty = i + 1 < json.size() && (c == '{' || c == '[') && (json[i + 1] == '}' || json[i + 1] == ']');
    if (inside_text || c == '"') {
      text += c;
    } else if (empty) {
      (text += c) += json[++i];
    } else if (c == '{' || c == '[') {
      margin += "  ";
      (text += c) += margin;
    } else if (c == '}' || c == ']') {
      margin.resize(margin.size() - 2);
      (text += margin) += c;
    } else if (c == ',') {
      (text += c) += margin;
    } else {
      text += c;
      if (c == ':') text += ' ';
    }
  }
  return text + "\n";
}

}  // namespace

std::string deck_schema() { return indented(SchemaWriter(deck_table, "polhode-deck/1").write()); }

std::string study_schema() { return indented(SchemaWriter(study_table, "polhode-study/1").write()); }

}  // namespace polhode::io
