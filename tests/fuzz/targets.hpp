// SPDX-License-Identifier: BSD-3-Clause
// What is fuzzed: each function reads a text that may be anything, and ends the program where a law does not hold. They
// are called by libFuzzer (scripts/fuzz) and, with a few thousand mutations of the corpora, by the test suite.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "io/csv/csv.hpp"
#include "polhode/model/expression.hpp"
#include "polhode/studies/rows.hpp"
#include "studies/row_lines.hpp"

namespace polhode::fuzz {

// Both builds of a target see it: an assertion would be none in a release.
inline void require(bool law) {
  if (!law) std::abort();
}

// An expression that is taken has a value and breakpoints in order; one that is not is refused at a place in it.
inline void expression(std::string_view text) {
  try {
    const auto used = model::Expression::names_used(text);
    const model::Expression parsed = model::Expression::parse(text, {{"a", 2.0}, {"b_1", -0.5}}, true);
    for (const std::string& name : used) require(name == "a" || name == "b_1");
    for (const double t : {0.0, 0.7, 1e9}) parsed(t);
    const std::vector<double> breakpoints = parsed.breakpoints(0, 1);
    require(std::is_sorted(breakpoints.begin(), breakpoints.end()));
    for (const double t : breakpoints) require(t > 0 && t < 1);
    if (!parsed.depends_on_time()) require(breakpoints.empty());
  } catch (const model::ExpressionError& error) {
    require(error.position <= text.size());
  }
}

// Blanks around a cell, and a byte order mark in front of the first one, are no part of it where it is read.
inline bool is_plain(const std::string& cell) {
  constexpr std::string_view blanks = " \t\r";
  if (cell.empty()) return true;
  return blanks.find(cell.front()) == blanks.npos && blanks.find(cell.back()) == blanks.npos &&
         !cell.starts_with("\xef\xbb\xbf");
}

// Cells that were read are read again as the same from the line that they are written to.
inline void csv(std::string_view text) {
  std::istringstream stream{std::string(text)};
  const io::CsvDelimiter delimiter = io::find_delimiter(stream, "table");
  stream.clear();
  stream.seekg(0);
  io::CsvReader reader(stream, delimiter.character);
  std::vector<std::string> cells;
  io::CsvLine line;
  int last = 0;
  while (reader.next(cells)) {
    require(reader.line() > last);
    last = reader.line();
    for (const std::string& cell : cells) {
      const auto number = io::csv_number(cell, delimiter.character);
      require(!number || std::isfinite(*number));
    }
    for (const std::string& cell : cells) line.add(cell);
    if (cells.empty()) continue;
    const std::vector<std::string> again = io::csv_cells(line.end());
    require(again.size() == cells.size());
    if (std::all_of(cells.begin(), cells.end(), is_plain)) require(again == cells);
  }
}

// A row that is taken is written as it was read, but for line breaks in its message. Without a good checksum none is.
inline void rows(std::string_view text) {
  studies::row_of(text);
  std::string sealed = studies::sealed(std::string(text) + '\t');
  sealed.pop_back();
  const auto row = studies::row_of(sealed);
  if (!row) return;
  std::string written = studies::line_of(*row);
  written.pop_back();
  const auto again = studies::row_of(written);
  require(again.has_value());
  require(again->number == row->number && again->status == row->status && again->steps == row->steps);
  require(again->message.size() == row->message.size() && again->responses.size() == row->responses.size());
  for (std::size_t i = 0; i < row->responses.size(); ++i)
    require(again->responses[i] == row->responses[i] || std::isnan(row->responses[i]));
  require(studies::line_of(*again) == written + '\n');
}

}  // namespace polhode::fuzz
