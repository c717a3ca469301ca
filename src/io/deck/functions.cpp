// SPDX-License-Identifier: BSD-3-Clause
// Functions of time: a number, an expression in t, a table, or two columns of a CSV file. Functions of another variable
// (Field::variables) are a number or an expression, laws expressions of several.
#include "functions.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "sample_columns.hpp"

namespace polhode::io {
namespace {

using model::Field;
using model::TimeFunction;

// An expression in `variable` as one in t, character by character in the same place.
std::string in_t(std::string text, char variable) {
  const auto letter = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
  };
  // Words of one letter: t is no name where the variable is x, and x becomes t. Other names stay.
  for (std::size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    for (end = begin; letter(end);) ++end;
    if (end != begin + 1) continue;
    if (text[begin] == 't')
      throw model::ExpressionError(begin, std::string("unknown name 't': it is a function of ") + variable);
    if (text[begin] == variable) text[begin] = 't';
  }
  return text;
}

constexpr int checked_times = 64;  // an expression must be finite at so many times of the run

// A look at 65 times of the run: enough for 1/t and roots of negative numbers,
// before a run of hours meets them.
bool check_finite(const Item& item, const std::string& path, const TimeFunction& function, Reader& reader) {
  for (int i = 0; i <= checked_times; ++i) {
    const double t = reader.facts.end_time * i / checked_times;
    if (std::isfinite(function(t).value)) continue;
    reader.findings.add(item, path, "the expression '" + item.text + "' is not finite at t = " + number_text(t));
    return false;
  }
  return true;
}

// Bounds of the key hold for the values of the samples. Tables are checked whole (Table throws the reason),
// after each list has been read.
std::optional<TimeFunction> read_samples(const Item& item, const std::string& path, const Field& field, double scale,
                                         Reader& reader) {
  const std::size_t before = reader.findings.size();
  const auto source = reader.mapping(item, path, function_table);
  if (!source) return std::nullopt;
  const Item* table = source->find("table");
  const Item* file = source->find("file");
  if ((table != nullptr) == (file != nullptr)) {
    reader.findings.add(item, path,
                        table ? "both 'table' and 'file' are given; remove one" : "needs 'table' or 'file'");
    return std::nullopt;
  }
  if (table && source->has("columns"))
    reader.findings.add(*source->find("columns"), path + ".columns", "belongs to a 'file'");
  std::vector<double> time;
  std::vector<double> value;
  if (table) {
    const auto samples = reader.mapping(*table, path + ".table", samples_table);
    if (!samples) return std::nullopt;
    // Times have no bounds; values have those of the key.
    const Field free{"", model::FieldType::number, "", ""};
    Field bounded = free;
    bounded.min = field.min;
    bounded.max = field.max;
    if (const Item* list = samples->find("time"))
      if (auto read = reader.plain.numbers(*list, path + ".table.time", free, 0)) time = std::move(*read);
    if (const Item* list = samples->find("value"))
      if (auto read = reader.plain.numbers(*list, path + ".table.value", bounded, 0, scale)) value = std::move(*read);
  } else if (auto samples = read_sample_columns(*source, reader)) {
    time = std::move(samples->time);
    value = std::move(samples->value);
    for (double& v : value) v *= scale;
  }
  if (reader.findings.size() > before) return std::nullopt;
  const bool cubic = source->text("interpolation", "linear") == "cubic";
  try {
    return TimeFunction(model::Table(std::move(time), std::move(value),
                                     cubic ? model::Interpolation::cubic : model::Interpolation::linear));
  } catch (const std::invalid_argument& error) {
    reader.findings.add(table ? *table : *file, path + (table ? ".table" : ".file"), error.what());
    return std::nullopt;
  }
}

bool is_value_of_signal(const std::string& text, const Reader& reader) {
  return reader.names.signal_values.contains(text);
}

// Signals of several outputs have no value of their own.
bool check_signals(const Item& item, const std::string& path, const std::string& text, const Field& field,
                   Reader& reader) {
  if (!field.signals || reader.names.signal_values.list().empty()) return true;
  for (const std::string& name : model::Expression::names_used(text, reader.names.signal_values)) {
    if (reader.names.signals.contains(name) && !is_value_of_signal(name, reader)) {
      reader.findings.add(item, path, "'" + name + "' has several outputs: name one, " + name + ".0");
      return false;
    }
  }
  return true;
}

// A word in the place of a number, in decks with signals: one of several outputs, or none.
bool check_name(const Item& item, const std::string& path, Reader& reader) {
  const std::vector<std::string>& known = reader.names.signal_values.list();
  const std::string& word = item.text;
  const bool is_word = !word.empty() && (std::isalpha(static_cast<unsigned char>(word[0])) || word[0] == '_');
  if (known.empty() || item.kind != Item::Kind::scalar || item.quoted || !is_word) return true;
  if (reader.names.signals.contains(word)) {
    reader.findings.add(item, path, "'" + word + "' has several outputs: name one, " + word + ".0");
    return false;
  }
  const std::string nearest = model::nearest_name(word, known);
  reader.findings.add(item, path,
                      "'" + word + "' is no signal" + (nearest.empty() ? "" : "; did you mean '" + nearest + "'?") +
                          "; expected one, a number, or \"=expression\"");
  return false;
}

}  // namespace

// In the order of the forms: a mapping of samples, a constant, an expression.
// Expressions are scaled as text, so that derivatives, breakpoints and folding need no case for it;
// the plain text is parsed first, for messages with the place of a fault in what the deck says.
std::optional<TimeFunction> read_function(const Item& item, const std::string& path, const Field& field, double scale,
                                          Reader& reader) {
  const bool of_time = field.variables.empty();
  if (item.kind == Item::Kind::mapping && of_time) return read_samples(item, path, field, scale, reader);
  const bool is_signal = item.kind == Item::Kind::scalar && of_time && is_value_of_signal(item.text, reader);
  if (!is_signal && (item.kind != Item::Kind::scalar || !item.text.starts_with('='))) {
    if (!of_time && item.kind != Item::Kind::scalar) {
      const std::string variable(field.variables[0]);
      reader.findings.add(item, path,
                          "expected a function of " + variable + ": a number or \"=expression in " + variable +
                              "\"; found " + describe(item));
      return std::nullopt;
    }
    if (item.kind == Item::Kind::sequence || item.kind == Item::Kind::nothing) {
      reader.findings.add(
          item, path,
          "expected a function of time: a number, \"=expression in t\", {table: ...} or {file: ...}; found " +
              describe(item));
      return std::nullopt;
    }
    if (of_time && field.signals && !check_name(item, path, reader)) return std::nullopt;
    const auto constant = reader.plain.number(item, path, field, scale);
    if (!constant) return std::nullopt;
    return TimeFunction(*constant);
  }
  std::string text = is_signal ? item.text : item.text.substr(1);
  // The parameter has been reported.
  if (reader.parameters.is_faulty(text)) return std::nullopt;
  try {
    if (!of_time) text = in_t(std::move(text), field.variables[0].front());
    if (of_time && !check_signals(item, path, text, field, reader)) return std::nullopt;
    if (of_time && field.signals) {
      if (scale != 1) text = "(" + text + ")*" + number_text(scale);
      TimeFunction result(model::Expression::parse(text, reader.parameters.values, true, reader.names.signal_values));
      // What signals are is known in the run alone
      if (!result.signals().empty() || check_finite(item, path, result, reader)) return result;
      return std::nullopt;
    }
    model::Expression parsed = model::Expression::parse(text, reader.parameters.values, true);
    if (scale != 1)
      parsed = model::Expression::parse("(" + text + ")*" + number_text(scale), reader.parameters.values, true);
    TimeFunction result(std::move(parsed));
    if (of_time && !check_finite(item, path, result, reader)) return std::nullopt;
    return result;
  } catch (const model::ExpressionError& error) {
    reader.findings.add(item, path, "in the expression '" + item.text + "': " + error.what());
    return std::nullopt;
  }
}

// A parameter may have the name of a variable as long as no law says it: which is meant cannot be seen.
std::optional<model::Expression> read_law(const Item& item, const std::string& path, const Field& field,
                                          Reader& reader) {
  const std::vector<std::string> variables(field.variables.begin(), field.variables.end());
  if (item.kind != Item::Kind::scalar) {
    reader.findings.add(
        item, path,
        "expected a number or \"=expression in t, " + list_text(field.variables) + "\", found " + describe(item));
    return std::nullopt;
  }
  if (!item.text.starts_with('=')) {
    const auto constant = reader.plain.number(item, path, field);
    if (!constant) return std::nullopt;
    return model::Expression::parse(number_text(*constant), {}, false);
  }
  const std::string text = item.text.substr(1);
  if (reader.parameters.is_faulty(text)) return std::nullopt;
  try {
    // Names of signals would be unknown ones, and the nearest known name no help
    for (const std::string& name : model::Expression::names_used(text)) {
      if (std::find(variables.begin(), variables.end(), name) == variables.end()) {
        if (reader.parameters.values.contains(name) || !reader.names.signals.contains(name)) continue;
        reader.findings.add(item, path,
                            "'" + name + "' is a signal, and laws take " + list_text(field.variables) +
                                " alone; a `motor` beside the law, or an `actuator`, takes signals");
        return std::nullopt;
      }
      if (!reader.parameters.values.contains(name)) continue;
      reader.findings.add(item, path,
                          "in the expression '" + item.text + "': '" + name +
                              "' is a variable here and a parameter of the deck; give the parameter another name");
      return std::nullopt;
    }
    return model::Expression::parse(text, reader.parameters.values, true, variables);
  } catch (const model::ExpressionError& error) {
    reader.findings.add(item, path, "in the expression '" + item.text + "': " + error.what());
    return std::nullopt;
  }
}

}  // namespace polhode::io
