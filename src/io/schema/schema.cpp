// SPDX-License-Identifier: BSD-3-Clause
// JSON Schema of decks and studies, walked from the tables that the reader uses.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "io/deck/tables.hpp"
#include "polhode/io/deck/study.hpp"

namespace polhode::io {
namespace {

using model::Field;
using model::FieldType;
using Json = nlohmann::ordered_json;

// Definitions are named after their tables.
Json reference(std::string_view name) { return {{"$ref", fmt::format("#/$defs/{}", name)}}; }
Json any_of(Json::array_t schemas) { return {{"anyOf", std::move(schemas)}}; }
Json enumeration(std::span<const std::string_view> choices) { return {{"enum", choices}}; }

// `size` 0: of any length.
Json list_of(Json element, int size) {
  Json list = {{"type", "array"}, {"items", std::move(element)}};
  if (size > 0) {
    list["minItems"] = size;
    list["maxItems"] = size;
  }
  return list;
}

// A number within the bounds of the field, or an expression.
Json number(const Field& field, std::string_view type = "number") {
  Json plain = {{"type", type}};
  if (std::isfinite(field.min)) plain[field.min_exclusive ? "exclusiveMinimum" : "minimum"] = field.min;
  if (std::isfinite(field.max)) plain[field.max_exclusive ? "exclusiveMaximum" : "maximum"] = field.max;
  return any_of({plain, reference("expression")});
}

// A vector or a matrix, or the parameter that is one.
Json or_parameter(Json list) { return any_of({std::move(list), reference("expression")}); }
Json numbers(const Field& field, int size) { return or_parameter(list_of(number(field), size)); }
Json square(const Field& field, int size) { return or_parameter(list_of(list_of(number(field), size), size)); }

// Looser than the reader in places: names are strings or numbers, as YAML reads 1 as a number;
// what refers to what is left to the reader.
Json value_schema(const Field& field) {
  // Of matrices only diagonals have bounds.
  const Field free{.type = FieldType::number};
  switch (field.type) {
    case FieldType::flag:
      return {{"type", "boolean"}};
    case FieldType::integer:
      return number(field, "integer");
    case FieldType::number:
      return number(field);
    case FieldType::choice:
      return enumeration(field.choices);
    case FieldType::choice_or_integer:
      return any_of({enumeration(field.choices), number(field, "integer")});
    case FieldType::text:
      return {{"type", {"string", "number"}}};
    case FieldType::node:
    case FieldType::section:
    case FieldType::beam:
      return reference("name");
    case FieldType::numbers:
      return numbers(field, field.size);
    case FieldType::numbers_or_law:
      return any_of({list_of(number(field), field.size), reference("expression")});
    case FieldType::one_or_six:
      return any_of({number(field), list_of(number(field), 6)});
    case FieldType::points:
      return or_parameter(list_of(numbers(field, 3), 0));
    case FieldType::choices:
      return list_of(enumeration(field.choices), 0);
    case FieldType::names:
    case FieldType::sections:
      return list_of(reference("name"), 0);
    case FieldType::node_pair:
      return list_of(reference("name"), 2);
    case FieldType::vector3:
    case FieldType::direction:
      return numbers(field, 3);
    case FieldType::inertia:
      return any_of({list_of(number(field), 3), square(free, 3)});
    case FieldType::matrix6:
      return square(field, 6);
    case FieldType::diagonal6:
      return any_of({list_of(number(field), 6), square(free, 6)});
    case FieldType::point_pair:
    case FieldType::axes:
      return or_parameter(list_of(numbers(field, 3), 2));
    case FieldType::function:
      if (!field.variables.empty()) return number(field);  // of another variable than the time
      if (field.signals) return any_of({number(field), reference("function"), reference("name")});
      return any_of({number(field), reference("function")});
    case FieldType::rows:
      return or_parameter(list_of(list_of(number(field), 0), 0));
    case FieldType::functions:
      return list_of(any_of({number(field), reference("function"), reference("name")}), 0);
    case FieldType::law:
      return number(field);
    case FieldType::weights:
      return {{"type", "object"}, {"additionalProperties", number(field)}};
    case FieldType::group:  // a table of its own
      break;
  }
  return Json::object();
}

// A mapping from names to entries, or nothing at all.
Json named(const Json& entry) {
  // As is_name() of the reader.
  const Json names = {{"pattern", "^[A-Za-z0-9_-]+([.][A-Za-z0-9_-]+)*$"}, {"not", {{"const", "ground"}}}};
  return {{"type", {"object", "null"}}, {"propertyNames", names}, {"additionalProperties", entry}};
}

// Builds the schema of each table once, under $defs.
class SchemaWriter {
 public:
  SchemaWriter(const Table& root, std::string format) : root_(root), format_(std::move(format)) {}

  // `deck` and `study` differ in their first table; the deck alone has texts that refer to names and functions.
  std::string write() {
    // Any number may be an expression; what is in it is checked by the reader alone.
    definitions_["expression"] = {{"type", "string"}, {"pattern", "^="}};
    Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", format_}};
    schema.update(table(root_));
    if (&root_ == &deck_table) {
      definitions_["name"] = {{"type", {"string", "number"}}};
      use(function_table, "function");
      // Nodes may be those of instances, and all may stand in other files.
      schema["required"] = {"format"};
      schema["anyOf"] = {{{"required", {"nodes", "analysis"}}},
                         {{"required", {"instances", "analysis"}}},
                         {{"required", {"include"}}}};
    }
    schema["$defs"] = definitions_;
    return schema.dump(2) + "\n";
  }

 private:
  const Table& root_;
  std::string format_;
  // By name, so that the schema does not depend on the order in which tables are met.
  std::map<std::string, Json> definitions_;

  // A reference to a definition, which is made at the first use.
  Json use(const Table& t, const std::string& name) {
    if (!definitions_.contains(name)) {
      definitions_[name] = {};  // keeps a table that holds itself from being written without end
      definitions_[name] = table(t);
    }
    return reference(name);
  }

  // Angles may be given in degrees under another key, so "required" cannot be asked of either of the two.
  Json table(const Table& t) {
    Json properties = Json::object();
    Json required = Json::array();
    for (const Key& key : t.keys) {
      const Field& field = key.field;
      const std::string name(field.name);
      const Json schema = key_schema(key);
      const auto described = [&](const std::string& text) {
        Json property = {{"description", text}};
        property.update(schema);
        return property;
      };
      const std::string unit = field.unit.empty() ? "" : fmt::format(" ({})", field.unit);
      // Editors show the text when the pointer rests on a key.
      properties[name] = described(std::string(field.doc) + unit);
      if (field.unit == "rad")
        properties[name + "_deg"] = described(std::string(field.doc) + " (degrees)");
      else if (field.required)
        required.push_back(name);
    }
    return {{"type", {"object", "null"}},
            {"description", t.doc},
            {"properties", properties},
            {"required", required},
            {"additionalProperties", false}};
  }

  // By the form of the key, as form_text() of the reference page.
  Json key_schema(const Key& key) {
    const Field& field = key.field;
    const auto nested = [&] { return use(*table_of(key), std::string(table_of(key)->name)); };
    // The one key whose value is known.
    if (field.name == "format") return {{"const", format_}};
    switch (key.form) {
      case Form::value:
        return value_schema(field);
      case Form::numbers:
        return numbers(field, key.size);
      case Form::matrix3:
        return square(field, 3);
      case Form::flag_or_choices:
        return any_of({{{"type", "boolean"}}, list_of(enumeration(field.choices), 0)});
      case Form::mapping:
        return nested();
      case Form::value_or_mapping:
        return any_of({value_schema(field), nested()});
      case Form::mapping_or_list:
        return any_of({nested(), list_of(nested(), 0)});
      case Form::mapping_or_matrix6:
        return any_of({nested(), square(field, 6)});
      case Form::value_or_either:
        return any_of({value_schema(field), nested(), square(model::Field{}, 6)});
      case Form::named:
        return named(nested());
      case Form::parameters:
        return named(any_of({number(field), {{"type", "array"}}, {{"type", "string"}}}));
      case Form::includes:
        return list_of(any_of({{{"type", "string"}}, nested()}), 0);
      case Form::analyses: {
        Json::array_t types;
        for (const Table* type : analysis_tables()) types.push_back(use(*type, fmt::format("analysis.{}", type->name)));
        return any_of({any_of(types), list_of(any_of(types), 0)});
      }
      // Paths are any keys; their values lists or ranges.
      case Form::variations: {
        const Json value = {{"type", {"number", "string", "boolean"}}};
        const Json list = {{"type", "array"}, {"items", value}, {"minItems", 1}};
        return {{"type", "object"}, {"minProperties", 1}, {"additionalProperties", any_of({list, nested()})}};
      }
      case Form::kinds: {
        Json::array_t kinds;
        for (const model::KindInfo* kind : family_of(field.name).kinds)
          kinds.push_back(use(table_of(*kind), fmt::format("{}.{}", field.name, kind->name)));
        if (field.name == model::deck_key(model::Family::signal)) kinds.push_back(reference("name"));  // an expression
        return named(any_of(kinds));
      }
    }
    return Json::object();
  }
};

}  // namespace

std::string deck_schema() { return SchemaWriter(deck_table, "polhode-deck/1").write(); }

std::string study_schema() { return SchemaWriter(study_table, "polhode-study/1").write(); }

}  // namespace polhode::io
