// SPDX-License-Identifier: BSD-3-Clause
// Which columns of a CSV file are meant, and their numbers.
#include "sample_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <limits>
#include <sstream>
#include <utility>

#include "io/csv/csv.hpp"
#include "io/files/read_whole.hpp"
#include "polhode/math/decimal.hpp"

namespace polhode::io {
namespace {

using Cells = std::vector<std::string>;

constexpr const char* by_numbers = "give both columns by their numbers, counted from 1";

// A column's number from 1, also where it stands in quotes; nothing for a head.
std::optional<std::size_t> number_of(const std::string& column) {
  if (column.empty() || column.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(column.data(), column.data() + column.size(), number);
  return error == std::errc() ? number : std::numeric_limits<std::size_t>::max();
}

// Nothing that a table has in place of a number: neither empty, nor "nan" or "inf", nor a number with something else.
bool is_head(const std::string& cell) {
  if (cell.empty() || std::string_view("0123456789+-.,").find(cell.front()) != std::string_view::npos) return false;
  char* end = nullptr;
  math::decimal(cell.c_str(), &end);
  return *end != '\0';
}

// The two columns of one file.
class ColumnReader {
 public:
  ColumnReader(const Mapping& source, Reader& reader)
      : source_(source), reader_(reader), name_(source.text("file", "")) {}

  std::optional<SampleColumns> read() {
    if (!take_names()) return std::nullopt;
    // Relative to the deck, not to the folder that the program is started in.
    const std::string path = name_.starts_with('/') ? name_ : reader_.folder + name_;
    reader_.tables.push_back(path);
    WholeText whole = read_whole(path);
    if (whole.error == EISDIR) return at_file(fmt::format("'{}' is a folder; name a CSV file in it", name_));
    if (whole.error != 0) return at_file(fmt::format("cannot read '{}' beside the deck", name_));
    if (!whole.refusal.empty()) return at_file(fmt::format("'{}' {}", name_, whole.refusal));
    // Rows are gone through twice.
    std::istringstream text(std::move(whole.text));
    const CsvDelimiter delimiter = find_delimiter(text, name_);
    if (!delimiter.problem.empty()) return at_file(delimiter.problem);
    delimiter_ = delimiter.character;
    text.clear();
    text.seekg(0);
    return read(text);
  }

 private:
  std::optional<SampleColumns> read(std::istream& text) {
    CsvReader rows(text, delimiter_);
    SampleColumns samples;
    Cells cells;
    int last_row = 0;
    for (bool first = true; rows.next(cells); first = false) {
      if (first && !find(cells, rows.line())) return std::nullopt;
      if (!is_as_wide(cells, rows.line())) return std::nullopt;
      if (first && has_heads(cells)) continue;
      const std::optional<double> time = number_in(cells, 0);
      const std::optional<double> value = number_in(cells, 1);
      if (!time || !value)
        return at_file(fmt::format("row {} of '{}' has no finite numbers in these columns", rows.line(), name_));
      if (!has_one_decimal_mark(cells, rows.line())) return std::nullopt;
      // Here, where rows are counted as in the file.
      if (!samples.time.empty() && !(*time > samples.time.back()))
        return at_file(fmt::format("times must ascend strictly: row {} of '{}' does not come after row {}", rows.line(),
                                   name_, last_row));
      last_row = rows.line();
      samples.time.push_back(*time);
      samples.value.push_back(*value);
    }
    return samples;
  }

  std::nullopt_t at_file(const std::string& message) {
    reader_.findings.add(*source_.find("file"), source_.path + ".file", message);
    return std::nullopt;
  }

  bool at_columns(const std::string& message) {
    reader_.findings.add(*source_.find("columns"), source_.path + ".columns", message);
    return false;
  }

  bool at_column(std::size_t k, const std::string& message) {
    reader_.findings.add(source_.find("columns")->items[k], fmt::format("{}.columns.{}", source_.path, k), message);
    return false;
  }

  // What the deck says, before the file is opened.
  bool take_names() {
    if (!source_.has("columns")) {
      reader_.findings.add(*source_.item, source_.path,
                           "'columns' is missing: two columns of the file, such as [t, a]");
      return false;
    }
    const auto* columns = source_.value<Cells>("columns");
    if (!columns) return false;
    if (columns->size() != 2)
      return at_columns("expected two columns, such as [t, a]; found " + describe(*source_.find("columns")));
    for (std::size_t k = 0; k < 2; ++k) {
      columns_[k] = (*columns)[k];
      numbers_[k] = number_of(columns_[k]);
    }
    if (numbers_[0].has_value() != numbers_[1].has_value())
      return at_columns(fmt::format("'{}' and '{}' are a number and a head; {}, or both by their heads", columns_[0],
                                    columns_[1], by_numbers));
    for (std::size_t k = 0; k < 2; ++k)
      if (numbers_[k] == 0u) return at_column(k, "columns are counted from 1");
    if (numbers_[0] && numbers_[0] == numbers_[1]) return at_columns("both are the same column");
    return true;
  }

  // Places of the columns, from the first row.
  bool find(const Cells& first, int row) {
    for (std::size_t k = 0; k < 2; ++k)
      if (!(numbers_[k] ? find_number(k, first) : find_head(k, first, row))) return false;
    return true;
  }

  bool find_number(std::size_t k, const Cells& first) {
    if (*numbers_[k] > first.size())
      return at_column(k, fmt::format("the file '{}' has {} column{}, counted from 1; there is no column {}", name_,
                                      first.size(), first.size() == 1 ? "" : "s", columns_[k]));
    places_[k] = *numbers_[k] - 1;
    return true;
  }

  // A number in the first row is no head, even if it is spelled as the deck has it.
  bool find_head(std::size_t k, const Cells& first, int row) {
    if (std::none_of(first.begin(), first.end(), is_head))
      return at_columns(fmt::format("row {} of '{}' has no heads; {}", row, name_, by_numbers));
    const auto place = std::find(first.begin(), first.end(), columns_[k]);
    if (place == first.end())
      return at_column(k, fmt::format("the file '{}' has no column '{}'{}", name_, columns_[k],
                                      reader_.findings.suggestion(columns_[k], first)));
    if (std::find(place + 1, first.end(), columns_[k]) != first.end())
      return at_column(k, fmt::format("the file '{}' has two columns '{}'; {}", name_, columns_[k], by_numbers));
    places_[k] = static_cast<std::size_t>(place - first.begin());
    return true;
  }

  // By number the first row may be either.
  bool has_heads(const Cells& first) const { return !numbers_[0] || is_head(first[places_[0]]); }

  std::optional<double> number_in(const Cells& cells, std::size_t k) const {
    return places_[k] < cells.size() ? csv_number(cells[places_[k]], delimiter_) : std::nullopt;
  }

  // Decimal commas between commas make more cells in some rows than in others. Empty cells at the end do not count.
  bool is_as_wide(const Cells& cells, int row) {
    std::size_t width = cells.size();
    if (width_ == 0) {
      while (width > 1 && cells[width - 1].empty()) --width;
      width_ = width;
      first_row_ = row;
      return true;
    }
    while (width > width_ && cells[width - 1].empty()) --width;
    if (width == width_) return true;
    at_file(
        fmt::format("row {} of '{}' has {} cells, row {} has {}; give all rows as many, and put semicolons between "
                    "cells where commas are decimal",
                    row, name_, width, first_row_, width_));
    return false;
  }

  // A table with both has marks between thousands in some cells.
  bool has_one_decimal_mark(const Cells& cells, int row) {
    for (const std::size_t place : places_) {
      const std::size_t at = cells[place].find_first_of(",.");
      if (at == std::string::npos) continue;
      const char mark = cells[place][at];
      if (decimal_ == '\0') {
        decimal_ = mark;
        decimal_row_ = row;
      }
      if (mark == decimal_) continue;
      at_file(
          fmt::format("row {} of '{}' has '{}' in a number, row {} has '{}'; write all decimal marks alike, and none "
                      "between thousands",
                      row, name_, mark, decimal_row_, decimal_));
      return false;
    }
    return true;
  }

  const Mapping& source_;
  Reader& reader_;
  std::string name_;
  // Of time and value: as the deck has them; numbers where they are given so; places in a row.
  std::array<std::string, 2> columns_;
  std::array<std::optional<std::size_t>, 2> numbers_;
  std::array<std::size_t, 2> places_{};
  char delimiter_ = ',';
  // Cells of the first row, which is this one
  std::size_t width_ = 0;
  int first_row_ = 0;
  // Of the first number that has one, which stands in this row
  char decimal_ = '\0';
  int decimal_row_ = 0;
};

}  // namespace

std::optional<SampleColumns> read_sample_columns(const Mapping& source, Reader& reader) {
  return ColumnReader(source, reader).read();
}

}  // namespace polhode::io
