// SPDX-License-Identifier: BSD-3-Clause
// What a deck asks for: its analyses in turn, output, responses.
#include "model_reader.hpp"
#include "polhode/results/responses.hpp"
#include "read_settings.hpp"

namespace polhode::io {
namespace {

// The table of the type of an analysis; nullptr where the type is no known one, which is then reported: its keys are of
// that type. Without a type, messages list the keys of a transient.
const Table* table_of_type(const Item& item, const std::string& path, Reader& reader) {
  const Item* type = item.find("type");
  if (!type || type->kind != Item::Kind::scalar) return analysis_tables().back();
  std::vector<std::string_view> names;
  for (const Table* table : analysis_tables()) {
    if (table->name == type->text) return table;
    names.push_back(table->name);
  }
  const model::Field field{.name = "type", .type = model::FieldType::choice, .doc = "what is done", .choices = names};
  reader.value(*type, path + ".type", field, "analysis");
  return nullptr;
}

// What an analysis does to joints is built with the model, behind all joints: locks are constraint equations.
void add_start(const Mapping& given, std::vector<model::Entry>& starts) {
  constexpr std::string_view place = "analysis.";
  model::Entry start;
  start.family = model::Family::analysis;
  start.kind = model::find_kind(start.family, "start");
  if (given.path.size() > place.size()) start.name = given.path.substr(place.size());
  for (const model::Field& field : start.kind->fields)
    if (const auto value = given.values.find(field.name); value != given.values.end())
      start.values.emplace(std::string(field.name), value->second);
  if (!start.values.empty()) starts.push_back(std::move(start));
}

// A value at a time outside of the run would be none at its end, hours later. Where analyses are faulty or, in a study,
// may vary, the end is not known.
void check_time(const results::Response& response, const Item& entry, const std::string& path, Reader& reader) {
  if (response.kind != results::Response::Kind::at || !reader.facts.end_is_known) return;
  if (results::is_in_run(response.time, reader.facts.end_time)) return;
  const std::string limit = response.time < 0
                                ? "before the start of the run, 0 s"
                                : "after the end of the analyses, " + number_text(reader.facts.end_time) + " s";
  reader.findings.add(*entry.find("at")->find("time"), path + ".at.time",
                      number_text(response.time) + " s is " + limit + "; give a time of the run");
}

// False where it is wrong. The name of a result has no '='.
bool read_expression(const Item& entry, const std::string& path, results::Response& response, Reader& reader) {
  if (!response.of.starts_with('=')) return true;
  const Item& kind = entry.items.front();
  const Item* of = kind.find("of");
  const std::string text = response.of.substr(1);
  if (reader.parameters.is_faulty(text)) return false;
  try {
    response.expression = results::read_result_expression(text, reader.parameters.values);
    return true;
  } catch (const model::ExpressionError& error) {
    reader.findings.add(of ? *of : kind, path + '.' + kind.key + (of ? ".of" : ""),
                        "in the expression '" + response.of + "': " + error.what());
    return false;
  }
}

}  // namespace

std::vector<analyses::Analysis> read_analyses(const Item& item, Reader& reader, std::vector<model::Entry>& starts) {
  std::vector<analyses::Analysis> all;
  reader.one_or_list(item, "analysis", [&](const Item& entry, const std::string& path) {
    const Table* table = table_of_type(entry, path, reader);
    if (!table) return;
    const auto given = reader.mapping(entry, path, *table);
    if (!given) return;
    const analyses::AnalysisType* const type = analyses::find_type(analyses::analysis_types(), table->name);
    reader.facts.begin_time = analyses::duration_of(all);
    analyses::Analysis& one = all.emplace_back(*type);
    assign_settings(*given, *type->table(), one.settings_struct(), reader);
    add_start(*given, starts);
  });
  return all;
}

// A response with a problem is dropped; the deck as a whole is refused anyway.
std::vector<results::Response> read_responses(const Item& item, Reader& reader) {
  std::vector<results::Response> all;
  reader.entries(item, "responses", [&](const Item& entry, const std::string& path) {
    results::Response response;
    response.name = entry.key;
    if (!read_settings(entry, path, results::response_table, &response, reader)) return;
    check_time(response, entry, path, reader);
    if (!read_expression(entry, path, response, reader)) return;
    all.push_back(std::move(response));
  });
  return all;
}

}  // namespace polhode::io
