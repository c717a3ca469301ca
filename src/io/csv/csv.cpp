// SPDX-License-Identifier: BSD-3-Clause
// Lines and cells of comma-separated values.
#include "io/csv/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "polhode/math/decimal.hpp"

namespace polhode::io {
namespace {

// UTF-8's; some programs begin their files with it.
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
// Around cells; a tab only where it is not the delimiter.
constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view blanks_beside_tabs = " \r\n";

std::string_view blanks_beside(char delimiter) { return delimiter == '\t' ? blanks_beside_tabs : blanks; }

// Without blanks at both ends.
std::string_view trimmed(std::string_view text, std::string_view of = blanks) {
  const std::size_t first = text.find_first_not_of(of);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(of) - first + 1);
}

// Takes a quoted cell off the front of `rest`, which begins with its quotation mark; the rest then begins behind the
// closing one. Without a closing mark the cell goes to the end.
std::string take_quoted(std::string_view& rest) {
  std::string cell;
  rest.remove_prefix(1);
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c != '"') {
      cell += c;
    } else if (rest.starts_with('"')) {
      cell += '"';
      rest.remove_prefix(1);
    } else {
      break;
    }
  }
  return std::string(trimmed(cell));
}

// The next line that is a row. A byte order mark before a comment must not make a row of it.
bool next_row(std::istream& stream, std::string& text, int& line) {
  while (std::getline(stream, text)) {
    ++line;
    if (line == 1 && text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
    if (text.find_first_not_of(" \r\t") != std::string::npos && !text.starts_with('#')) return true;
  }
  return false;
}

// A mark twice inside of a quoted cell closes and opens it.
bool has_outside_of_quotes(std::string_view row, char character) {
  bool quoted = false;
  for (const char c : row) {
    if (c == '"') quoted = !quoted;
    if (c == character && !quoted) return true;
  }
  return false;
}

// The first rows with a character and without it, by their lines; 0 = none.
struct Occurrence {
  int first_with = 0;
  int first_without = 0;

  void add(bool there, int line) {
    int& first = there ? first_with : first_without;
    if (first == 0) first = line;
  }
  bool everywhere() const { return first_with > 0 && first_without == 0; }
};

}  // namespace

// The text of a line lives until the next one begins: only then it is cleared.
void CsvLine::begin_cell() {
  if (ended_) text_.clear();
  ended_ = false;
  if (begun_) text_ += ',';
  begun_ = true;
}

// RFC 4180: quotation marks around the cell, and twice inside of it.
void CsvLine::add(std::string_view text) {
  begin_cell();
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    text_ += text;
    return;
  }
  text_ += '"';
  for (const char c : text) {
    if (c == '"') text_ += '"';
    text_ += c;
  }
  text_ += '"';
}

// The shortest digits that read back to the same number.
void CsvLine::add(double number) {
  begin_cell();
  fmt::format_to(std::back_inserter(text_), "{}", number);
}

void CsvLine::add(std::int64_t count) {
  begin_cell();
  fmt::format_to(std::back_inserter(text_), "{}", count);
}

void CsvLine::add_empty() { begin_cell(); }

std::string_view CsvLine::end() {
  if (ended_) text_.clear();
  text_ += '\n';
  begun_ = false;
  ended_ = true;
  return text_;
}

// A delimiter at the end of a line is followed by an empty cell.
std::vector<std::string> csv_cells(std::string_view line, char delimiter) {
  if (line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  const std::string_view around = blanks_beside(delimiter);
  std::vector<std::string> cells;
  for (;;) {
    // Behind the closing mark of a quoted cell only blanks are expected; what stands there is dropped.
    const std::size_t first = line.find_first_not_of(around);
    if (first != std::string_view::npos && line[first] == '"') {
      line.remove_prefix(first);
      cells.push_back(take_quoted(line));
      line.remove_prefix(std::min(line.find(delimiter), line.size()));
    } else {
      const std::size_t end = std::min(line.find(delimiter), line.size());
      cells.emplace_back(trimmed(line.substr(0, end), around));
      line.remove_prefix(end);
    }
    if (line.empty()) return cells;
    line.remove_prefix(1);
  }
}

// What strtod takes as a decimal number is one if nothing is left: "1e-3", "+2"; "1.5 m" and "0x10" are none. Of a
// decimal comma strtod gets a point; a cell with both has a mark between thousands, and is none.
std::optional<double> csv_number(const std::string& cell, char delimiter) {
  if (cell.find_first_not_of("0123456789+-.,eE") != std::string::npos) return std::nullopt;
  std::string text = cell;
  const std::size_t comma = delimiter == ',' ? std::string::npos : text.find(',');
  if (comma != std::string::npos) {
    if (text.find('.') != std::string::npos) return std::nullopt;
    text[comma] = '.';
  }
  char* end = nullptr;
  const double value = math::decimal(text.c_str(), &end);
  const bool whole = !text.empty() && end == text.c_str() + text.size();
  if (!whole || !std::isfinite(value)) return std::nullopt;
  return value;
}

// One pass over all rows: a head or a remark alone does not decide.
CsvDelimiter find_delimiter(std::istream& stream, const std::string& name) {
  Occurrence semicolon;
  Occurrence tab;
  std::string text;
  for (int line = 0; next_row(stream, text, line);) {
    semicolon.add(has_outside_of_quotes(text, ';'), line);
    // Beside commas a tab is a blank, unless all rows have one.
    tab.add(has_outside_of_quotes(text, '\t'), line);
  }
  if (semicolon.everywhere() && tab.everywhere())
    return {',', fmt::format("row {} of '{}' has semicolons and tabs between cells; remove one of them",
                             semicolon.first_with, name)};
  if (semicolon.everywhere()) return {';', ""};
  if (tab.everywhere()) return {'\t', ""};
  if (semicolon.first_with > 0)
    return {',', fmt::format("row {} of '{}' has a semicolon, row {} has none; put the same delimiter between the "
                             "cells of all rows, and texts with semicolons in quotation marks",
                             semicolon.first_with, name, semicolon.first_without)};
  return {};
}

bool CsvReader::next(std::vector<std::string>& cells) {
  if (!next_row(stream_, text_, line_)) return false;
  cells = csv_cells(text_, delimiter_);
  return true;
}

}  // namespace polhode::io
