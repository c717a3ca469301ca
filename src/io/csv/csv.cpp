// SPDX-License-Identifier: BSD-3-Clause
// Lines and cells of comma-separated values.
#include "io/csv/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

namespace polhode::io {
namespace {

// UTF-8's; some programs begin their files with it.
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
// Of cells, when reading. Tables of other programs use any of them.
constexpr std::string_view separators = ",;\t";
// Around cells; a tab is a separator.
constexpr std::string_view blanks = " \r\n";

// Without blanks at both ends.
std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
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

// A separator at the end of a line is followed by an empty cell.
std::vector<std::string> csv_cells(std::string_view line) {
  if (line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  std::vector<std::string> cells;
  for (;;) {
    // Behind the closing mark of a quoted cell only blanks are expected; what stands there is dropped.
    const std::size_t first = line.find_first_not_of(blanks);
    if (first != std::string_view::npos && line[first] == '"') {
      line.remove_prefix(first);
      cells.push_back(take_quoted(line));
      line.remove_prefix(std::min(line.find_first_of(separators), line.size()));
    } else {
      const std::size_t end = std::min(line.find_first_of(separators), line.size());
      cells.emplace_back(trimmed(line.substr(0, end)));
      line.remove_prefix(end);
    }
    if (line.empty()) return cells;
    line.remove_prefix(1);
  }
}

// All that strtod takes is a number if nothing is left: "1e-3", "+2"; "1.5 m" and "1,5" are not.
std::optional<double> csv_number(const std::string& cell) {
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  const bool whole = !cell.empty() && end == cell.c_str() + cell.size();
  if (!whole || !std::isfinite(value)) return std::nullopt;
  return value;
}

// A byte order mark before a comment must not make a row of it.
bool CsvReader::next(std::vector<std::string>& cells) {
  while (std::getline(stream_, text_)) {
    ++line_;
    if (line_ == 1 && text_.starts_with(byte_order_mark)) text_.erase(0, byte_order_mark.size());
    if (text_.find_first_not_of(" \r\t") == std::string::npos || text_.starts_with('#')) continue;
    cells = csv_cells(text_);
    return true;
  }
  return false;
}

}  // namespace polhode::io
