// SPDX-License-Identifier: BSD-3-Clause
// The JSON Schema against the decks that ship: a validator of the few words that the schema uses, and what it must not
// let through.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "io/deck/deck_source.hpp"
#include "io/yaml/document.hpp"
#include "polhode/io/deck/study.hpp"
#include "support/places.hpp"

namespace polhode::io {
namespace {

using Json = nlohmann::json;

// As other readers of YAML see a deck.
Json json_of(const Item& item) {
  switch (item.kind) {
    case Item::Kind::nothing:
      return nullptr;
    case Item::Kind::scalar: {
      if (item.quoted) return item.text;
      if (item.text == "true" || item.text == "false") return item.text == "true";
      char* end = nullptr;
      const double number = std::strtod(item.text.c_str(), &end);
      return *end == '\0' && std::isfinite(number) ? Json(number) : Json(item.text);
    }
    case Item::Kind::sequence: {
      Json list = Json::array();
      for (const Item& inner : item.items) list.push_back(json_of(inner));
      return list;
    }
    case Item::Kind::mapping:
      break;
  }
  Json mapping = Json::object();
  for (const Item& inner : item.items) mapping[inner.key] = json_of(inner);
  return mapping;
}

bool is_of_type(const Json& value, const std::string& type) {
  if (type == "integer") return value.is_number() && value.get<double>() == std::floor(value.get<double>());
  if (type == "number") return value.is_number();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "array") return value.is_array();
  if (type == "null") return value.is_null();
  EXPECT_EQ(type, "object");
  return value.is_object();
}

class Validator {
 public:
  explicit Validator(const std::string& text) : schema_(Json::parse(text)) {}

  // Where the document is wrong, as far as that is clear; "" where it is right.
  std::string problem_of(const Json& document) const { return check(document, schema_, "deck"); }

  // Words of the schema that this validator does not know.
  static constexpr const char* words[] = {"$schema",
                                          "$ref",
                                          "$defs",
                                          "title",
                                          "description",
                                          "type",
                                          "properties",
                                          "required",
                                          "additionalProperties",
                                          "anyOf",
                                          "enum",
                                          "const",
                                          "items",
                                          "minItems",
                                          "maxItems",
                                          "minProperties",
                                          "minimum",
                                          "maximum",
                                          "exclusiveMinimum",
                                          "exclusiveMaximum",
                                          "pattern",
                                          "propertyNames"};

 private:
  std::string check(const Json& value, const Json& schema, const std::string& path) const {
    for (const auto& [word, rule] : schema.items()) {
      EXPECT_NE(std::find(std::begin(words), std::end(words), word), std::end(words)) << word;
      const std::string problem = check_rule(value, word, rule, schema, path);
      if (!problem.empty()) return problem;
    }
    return "";
  }

  std::string check_rule(const Json& value, const std::string& word, const Json& rule, const Json& schema,
                         const std::string& path) const {
    const std::string wrong = path + ": " + word;
    if (word == "$ref") return check(value, schema_.at("$defs").at(rule.get<std::string>().substr(8)), path);
    if (word == "const") return value == rule ? "" : wrong;
    if (word == "enum") return std::find(rule.begin(), rule.end(), value) != rule.end() ? "" : wrong;
    if (word == "pattern") return !value.is_string() || rule != "^=" || value.get<std::string>()[0] == '=' ? "" : wrong;
    if (word == "type") {
      if (rule.is_string()) return is_of_type(value, rule) ? "" : wrong;
      return std::any_of(rule.begin(), rule.end(), [&](const Json& type) { return is_of_type(value, type); }) ? ""
                                                                                                              : wrong;
    }
    if (word == "anyOf") {
      std::string problems;
      for (const Json& one : rule) {
        const std::string problem = check(value, one, path);
        if (problem.empty()) return "";
        problems += "\n  " + problem;
      }
      return wrong + problems;
    }
    if (value.is_number()) return check_bound(value.get<double>(), word, rule) ? "" : wrong;
    if (value.is_array()) return check_list(value, word, rule, path);
    if (value.is_object()) return check_mapping(value, word, rule, schema, path);
    return "";
  }

  static bool check_bound(double number, const std::string& word, const Json& rule) {
    if (word == "minimum") return number >= rule.get<double>();
    if (word == "maximum") return number <= rule.get<double>();
    if (word == "exclusiveMinimum") return number > rule.get<double>();
    if (word == "exclusiveMaximum") return number < rule.get<double>();
    return true;
  }

  std::string check_list(const Json& list, const std::string& word, const Json& rule, const std::string& path) const {
    if (word == "minItems" && list.size() < rule.get<std::size_t>()) return path + ": " + word;
    if (word == "maxItems" && list.size() > rule.get<std::size_t>()) return path + ": " + word;
    for (std::size_t i = 0; word == "items" && i < list.size(); ++i) {
      const std::string problem = check(list[i], rule, path + "." + std::to_string(i));
      if (!problem.empty()) return problem;
    }
    return "";
  }

  std::string check_mapping(const Json& mapping, const std::string& word, const Json& rule, const Json& schema,
                            const std::string& path) const {
    if (word == "minProperties" && mapping.size() < rule.get<std::size_t>()) return path + ": " + word;
    if (word == "required")
      for (const Json& key : rule)
        if (!mapping.contains(key.get<std::string>())) return path + ": lacks " + key.get<std::string>();
    for (const auto& [key, inner] : mapping.items()) {
      std::string problem;
      const bool known = schema.contains("properties") && schema.at("properties").contains(key);
      if (word == "propertyNames" && key == rule.at("not").at("const").get<std::string>()) problem = path + ": " + key;
      if (word == "properties" && known) problem = check(inner, rule.at(key), path + "." + key);
      if (word == "additionalProperties" && !known)
        problem = rule.is_boolean() ? path + ": unknown " + key : check(inner, rule, path + "." + key);
      if (!problem.empty()) return problem;
    }
    return "";
  }

  Json schema_;
};

const Validator& deck_validator() {
  static const Validator validator(deck_schema());
  return validator;
}

std::vector<std::filesystem::path> files_of(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(POLHODE_SOURCE_DIR "/inputs/" + folder))
    if (file.path().extension() == ".yaml") files.push_back(file.path());
  return files;
}

TEST(Schema, EveryShippedDeckIsValid) {
  for (const char* folder : {"benchmarks", "examples"})
    for (const auto& file : files_of(folder))
      EXPECT_EQ(deck_validator().problem_of(json_of(parse_document(read_file(file)))), "") << file;
}

TEST(Schema, EveryShippedStudyIsValid) {
  const Validator validator(study_schema());
  for (const auto& file : files_of("studies"))
    EXPECT_EQ(validator.problem_of(json_of(parse_document(read_file(file)))), "") << file;
}

// Each change makes the deck wrong, for the reader and for the schema alike.
TEST(Schema, RefusesWhatTheReaderRefuses) {
  const std::string file = POLHODE_SOURCE_DIR "/inputs/benchmarks/four_bar.yaml";
  for (const char* setting : {"format=polhode-deck/9",
                              "gravity=[0, 0]",
                              "gravity=[0, 0, x]",
                              "no_such_key=1",
                              "nodes.A.mass=1",
                              "nodes.ground={position: [0, 0, 0]}",
                              "nodes.A={}",
                              "nodes.A.fixed=[x, q]",
                              "joints.motor.type=revolut",
                              "joints.motor.connects=[A]",
                              "joints.motor={type: revolute}",
                              "analysis.type=dynamic",
                              "analysis.duration=-1",
                              "analysis.step={max: 1, tolerence: 1}",
                              "analysis.integrator.method=euler",
                              "analysis.integrator.rho_infinity=1.5",
                              "analysis.newton.max_iterations=2.5",
                              "output.fields=[nodes, knots]",
                              "constraints.redundant=drop",
                              "beams.AB.elements=0",
                              "beams.AB.elements='5'",
                              "responses={r: {mean: x}}"}) {
    DeckSource source(file);
    source.set(setting);
    EXPECT_NE(deck_validator().problem_of(json_of(source.impl().root)), "") << setting;
    EXPECT_THROW(source.read(false), DeckError) << setting;
  }
}

TEST(Schema, TakesExpressionsDegreesAndEmptyParts) {
  const std::string file = POLHODE_SOURCE_DIR "/inputs/benchmarks/four_bar.yaml";
  for (const char* setting : {"analysis.duration==2*5", "gravity=['=-1', 0, 0]",
                              "forces=", "output=", "nodes.A.orientation={axis: [0, 0, 1], angle_deg: 30}",
                              "nodes.A.orientation={axis: [0, 0, 1], angle: 1}", "joints.motor.rotation=0.5",
                              "beams.AB.order=2", "analysis.step={initial: 0.01, tolerance: 1.0e-4}"}) {
    DeckSource source(file);
    source.set(setting);
    EXPECT_EQ(deck_validator().problem_of(json_of(source.impl().root)), "") << setting;
  }
}

}  // namespace
}  // namespace polhode::io
