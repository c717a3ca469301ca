// SPDX-License-Identifier: BSD-3-Clause
// Functions of time: a number, an expression in t, a table, or two columns of a CSV file. Functions of another variable
// (Field::variable) are a number or an expression.
#include "functions.hpp"

#include <cctype>
#include <cmath>
#include <fstream>

#include "io/csv/csv.hpp"

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

// Columns are found in the first line, by their heads or by numbers. A first line whose time is no number is
// taken for heads; any later one without numbers is an error with its row.
bool read_columns(const Mapping& source, std::vector<double>& time, std::vector<double>& value, Reader& reader) {
  const Item& file = *source.find("file");
  const std::string path = source.path + ".file";
  const Item* columns_item = source.find("columns");
  if (!columns_item) {
    reader.findings.add(*source.item, source.path, "'columns' is missing: two columns of the file, such as [t, a]");
    return false;
  }
  const auto* columns = source.value<std::vector<std::string>>("columns");
  if (!columns) return false;
  if (columns->size() != 2) {
    reader.findings.add(*columns_item, source.path + ".columns",
                        "expected two columns, such as [t, a]; found " + describe(*columns_item));
    return false;
  }
  const std::string name = source.text("file", "");
  // Relative to the deck, not to the folder that the program is started in.
  const std::string full = name.starts_with('/') ? name : reader.folder + name;
  std::ifstream stream(full);
  if (!stream) {
    reader.findings.add(file, path, "cannot read '" + name + "' beside the deck");
    return false;
  }
  CsvReader rows(stream);
  std::vector<std::string> cells;
  std::vector<std::size_t> index;
  while (rows.next(cells)) {
    const bool first = index.empty();
    for (std::size_t k = 0; first && k < 2; ++k) {
      const auto place = csv_column(cells, (*columns)[k]);
      if (!place) {
        reader.findings.add(columns_item->items[k], source.path + ".columns." + std::to_string(k),
                            "the file '" + name + "' has no column '" + (*columns)[k] + "'" +
                                reader.findings.suggestion((*columns)[k], cells));
        return false;
      }
      index.push_back(*place);
    }
    const auto number = [&](std::size_t place) {
      return place < cells.size() ? csv_number(cells[place]) : std::nullopt;
    };
    const std::optional<double> t = number(index[0]);
    const std::optional<double> v = number(index[1]);
    if (first && !t) continue;  // the heads
    if (!t || !v) {
      reader.findings.add(
          file, path,
          "row " + std::to_string(rows.line()) + " of '" + name + "' has no finite numbers in these columns");
      return false;
    }
    time.push_back(*t);
    value.push_back(*v);
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
  } else if (read_columns(*source, time, value, reader)) {
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

}  // namespace

// In the order of the forms: a mapping of samples, a constant, an expression.
// Expressions are scaled as text, so that derivatives, breakpoints and folding need no case for it;
// the plain text is parsed first, for messages with the place of a fault in what the deck says.
std::optional<TimeFunction> read_function(const Item& item, const std::string& path, const Field& field, double scale,
                                          Reader& reader) {
  const bool of_time = field.variable == "t";
  if (item.kind == Item::Kind::mapping && of_time) return read_samples(item, path, field, scale, reader);
  if (item.kind != Item::Kind::scalar || !item.text.starts_with('=')) {
    if (!of_time && item.kind != Item::Kind::scalar) {
      const std::string variable(field.variable);
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
    const auto constant = reader.plain.number(item, path, field, scale);
    if (!constant) return std::nullopt;
    return TimeFunction(*constant);
  }
  std::string text = item.text.substr(1);
  // The parameter has been reported.
  if (reader.parameters.is_faulty(text)) return std::nullopt;
  try {
    if (!of_time) text = in_t(std::move(text), field.variable.front());
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

}  // namespace polhode::io
