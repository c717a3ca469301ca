// SPDX-License-Identifier: BSD-3-Clause
// Functions of time: a number, an expression in t, a table, or two columns of a CSV file. Functions of another variable
// (Field::variable) are a number or an expression.
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "reader.hpp"

namespace polhode::io {
namespace {

using model::Field;
using model::TimeFunction;

std::vector<std::string> split_row(std::string line) {
  std::vector<std::string> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find_first_of(",;\t", begin), line.size());
    std::string cell = line.substr(begin, end - begin);
    const std::size_t first = cell.find_first_not_of(" \r\"");
    const std::size_t last = cell.find_last_not_of(" \r\"");
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    begin = end + 1;
  }
  return cells;
}

bool parse_cell(const std::string& cell, double& value) {
  char* end = nullptr;
  value = std::strtod(cell.c_str(), &end);
  return !cell.empty() && end == cell.c_str() + cell.size() && std::isfinite(value);
}

// The column with this head, or of this number from 1; the number of columns if there is none.
std::size_t column_index(const std::vector<std::string>& head, const std::string& name) {
  for (std::size_t i = 0; i < head.size(); ++i)
    if (head[i] == name) return i;
  char* end = nullptr;
  const long number = std::strtol(name.c_str(), &end, 10);
  const bool valid = !name.empty() && *end == '\0' && number >= 1 && number <= static_cast<long>(head.size());
  return valid ? static_cast<std::size_t>(number - 1) : head.size();
}

// An expression in `variable` as one in t, character by character in the same place.
std::string in_t(std::string text, char variable) {
  const auto letter = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
  };
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

}  // namespace

std::optional<TimeFunction> Reader::function(const Item& item, const std::string& path, const Field& field,
                                             double scale) {
  const bool of_time = field.variable == "t";
  if (item.kind == Item::Kind::mapping && of_time) return sampled(item, path, field, scale);
  if (item.kind != Item::Kind::scalar || !item.text.starts_with('=')) {
    if (!of_time && item.kind != Item::Kind::scalar) {
      const std::string variable(field.variable);
      problem(item, path,
              "expected a function of " + variable + ": a number or \"=expression in " + variable + "\"; found " +
                  describe(item));
      return std::nullopt;
    }
    if (item.kind == Item::Kind::sequence || item.kind == Item::Kind::nothing) {
      problem(item, path,
              "expected a function of time: a number, \"=expression in t\", {table: ...} or {file: ...}; found " +
                  describe(item));
      return std::nullopt;
    }
    const auto constant = number(item, path, field, scale);
    if (!constant) return std::nullopt;
    return TimeFunction(*constant);
  }
  std::string text = item.text.substr(1);
  if (is_faulty(text)) return std::nullopt;
  try {
    if (!of_time) text = in_t(std::move(text), field.variable.front());
    model::Expression parsed = model::Expression::parse(text, parameters_, true);
    if (scale != 1) parsed = model::Expression::parse("(" + text + ")*" + number_text(scale), parameters_, true);
    TimeFunction result(std::move(parsed));
    if (of_time && !check_finite(item, path, result)) return std::nullopt;
    return result;
  } catch (const model::ExpressionError& error) {
    problem(item, path, "in the expression '" + item.text + "': " + error.what());
    return std::nullopt;
  }
}

bool Reader::check_finite(const Item& item, const std::string& path, const TimeFunction& function) {
  for (int i = 0; i <= checked_times; ++i) {
    const double t = end_time * i / checked_times;
    if (std::isfinite(function(t).value)) continue;
    problem(item, path, "the expression '" + item.text + "' is not finite at t = " + number_text(t));
    return false;
  }
  return true;
}

std::optional<TimeFunction> Reader::sampled(const Item& item, const std::string& path, const Field& field,
                                            double scale) {
  const std::size_t before = findings.size();
  const auto source = mapping(item, path, function_table);
  if (!source) return std::nullopt;
  const Item* table = source->find("table");
  const Item* file = source->find("file");
  if ((table != nullptr) == (file != nullptr)) {
    problem(item, path, table ? "both 'table' and 'file' are given; remove one" : "needs 'table' or 'file'");
    return std::nullopt;
  }
  if (table && source->has("columns")) problem(*source->find("columns"), path + ".columns", "belongs to a 'file'");
  std::vector<double> time;
  std::vector<double> value;
  if (table) {
    const auto samples = mapping(*table, path + ".table", samples_table);
    if (!samples) return std::nullopt;
    const Field free{"", model::FieldType::number, "", ""};
    Field bounded = free;
    bounded.min = field.min;
    bounded.max = field.max;
    if (const Item* list = samples->find("time"))
      if (auto read = numbers(*list, path + ".table.time", free, 0)) time = std::move(*read);
    if (const Item* list = samples->find("value"))
      if (auto read = numbers(*list, path + ".table.value", bounded, 0, scale)) value = std::move(*read);
  } else if (read_columns(*source, time, value)) {
    for (double& v : value) v *= scale;
  }
  if (findings.size() > before) return std::nullopt;
  const bool cubic = source->text("interpolation", "linear") == "cubic";
  try {
    return TimeFunction(model::Table(std::move(time), std::move(value),
                                     cubic ? model::Interpolation::cubic : model::Interpolation::linear));
  } catch (const std::invalid_argument& error) {
    problem(table ? *table : *file, path + (table ? ".table" : ".file"), error.what());
    return std::nullopt;
  }
}

bool Reader::read_columns(const Mapping& source, std::vector<double>& time, std::vector<double>& value) {
  const Item& file = *source.find("file");
  const std::string path = source.path + ".file";
  const Item* columns_item = source.find("columns");
  if (!columns_item) {
    problem(*source.item, source.path, "'columns' is missing: two columns of the file, such as [t, a]");
    return false;
  }
  const auto* columns = source.value<std::vector<std::string>>("columns");
  if (!columns) return false;
  if (columns->size() != 2) {
    problem(*columns_item, source.path + ".columns",
            "expected two columns, such as [t, a]; found " + describe(*columns_item));
    return false;
  }
  const std::string name = source.text("file", "");
  const std::string full = name.starts_with('/') ? name : folder_ + name;
  std::ifstream stream(full);
  if (!stream) {
    problem(file, path, "cannot read '" + name + "' beside the deck");
    return false;
  }
  std::string line;
  std::vector<std::size_t> index;
  for (int row = 1; std::getline(stream, line); ++row) {
    if (line.find_first_not_of(" \r\t") == std::string::npos || line.starts_with('#')) continue;
    const std::vector<std::string> cells = split_row(line);
    double t = 0;
    double v = 0;
    if (index.empty()) {
      for (std::size_t k = 0; k < 2; ++k) {
        index.push_back(column_index(cells, (*columns)[k]));
        if (index.back() < cells.size()) continue;
        problem(columns_item->items[k], source.path + ".columns." + std::to_string(k),
                "the file '" + name + "' has no column '" + (*columns)[k] + "'" +
                    findings.suggestion((*columns)[k], cells));
        return false;
      }
      if (!parse_cell(cells[index[0]], t)) continue;  // the heads
    }
    const bool whole = std::max(index[0], index[1]) < cells.size();
    if (!whole || !parse_cell(cells[index[0]], t) || !parse_cell(cells[index[1]], v)) {
      problem(file, path, "row " + std::to_string(row) + " of '" + name + "' has no finite numbers in these columns");
      return false;
    }
    time.push_back(t);
    value.push_back(v);
  }
  return true;
}

}  // namespace polhode::io
