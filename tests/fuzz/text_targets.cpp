// SPDX-License-Identifier: BSD-3-Clause
// Expressions, tables of samples, rows of studies.
#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "fuzz/targets.hpp"
#include "io/csv/csv.hpp"
#include "polhode/io/digest.hpp"
#include "polhode/model/expression.hpp"
#include "polhode/studies/rows.hpp"
#include "studies/row_lines.hpp"

namespace polhode::fuzz {

// An expression that is taken has a value and breakpoints in order; one that is not is refused at a place in it. The
// search for breakpoints takes a hundred times as long as all else, and is done for one in 64.
void expression(std::string_view text) {
  constexpr std::uint64_t searches = 64;
  try {
    const auto used = model::Expression::names_used(text);
    const model::Expression parsed = model::Expression::parse(text, {{"a", 2.0}, {"b_1", -0.5}}, true);
    for (const std::string& name : used) require(name == "a" || name == "b_1");
    for (const double t : {0.0, 0.7, 1e9}) parsed(t);
    if (io::digest(text) % searches != 0) return;
    const std::vector<double> breakpoints = parsed.breakpoints(0, 1);
    require(std::is_sorted(breakpoints.begin(), breakpoints.end()));
    for (const double t : breakpoints) require(t > 0 && t < 1);
    if (!parsed.depends_on_time()) require(breakpoints.empty());
  } catch (const model::ExpressionError& error) {
    require(error.position <= text.size());
  }
}

namespace {

// Blanks around a cell, and a byte order mark in front of the first one, are no part of it where it is read.
bool is_plain(const std::string& cell) {
  constexpr std::string_view blanks = " \t\r";
  if (cell.empty()) return true;
  return blanks.find(cell.front()) == blanks.npos && blanks.find(cell.back()) == blanks.npos &&
         !cell.starts_with("\xef\xbb\xbf");
}

}  // namespace

// Cells that were read are read again as the same from the line that they are written to.
void csv(std::string_view text) {
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

namespace {

// A row is written as it was read, but for line breaks in its message.
void require_the_same_again(const studies::Row& row) {
  std::string written = studies::line_of(row);
  written.pop_back();
  const auto again = studies::row_of(written);
  require(again.has_value());
  require(again->number == row.number && again->status == row.status && again->steps == row.steps);
  require(again->message.size() == row.message.size() && again->responses.size() == row.responses.size());
  for (std::size_t i = 0; i < row.responses.size(); ++i)
    require(again->responses[i] == row.responses[i] || std::isnan(row.responses[i]));
  require(studies::line_of(*again) == written + '\n');
}

// With the checksum that it should have: without, hardly any row is taken.
std::string with_seal(std::string_view line) { return studies::sealed(std::string(line) + '\t'); }

// Of each line but those that have none: what it had is behind its last tab.
std::string file_with_seals(std::string_view text) {
  std::string file;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::size_t tab = line.rfind('\t');
    file += tab == line.npos ? std::string(line) + '\n' : with_seal(line.substr(0, tab));
    at = end + 1;
  }
  return file;
}

}  // namespace

// One row, and the whole as a file of rows, once as it is and once with checksums that are right.
void rows(std::string_view text) {
  studies::row_of(text);
  std::string line = with_seal(text);
  line.pop_back();
  if (const auto row = studies::row_of(line)) require_the_same_again(*row);
  if (!text.starts_with("polhode")) return;
  for (const std::string& file : {std::string(text), file_with_seals(text)}) {
    const studies::ReadRows read = studies::read_rows(std::string(file_of(file, "study.rows")));
    require(read.good <= file.size());
    for (const studies::Row& row : read.rows) require_the_same_again(row);
  }
}

std::span<const Target> targets() {
  static constexpr std::array<Target, 7> all{{{"expression", expression},
                                              {"csv", csv},
                                              {"rows", rows},
                                              {"deck", deck},
                                              {"table", table},
                                              {"study", study},
                                              {"results", results, true}}};
  return all;
}

const Target* find_target(std::string_view name) {
  for (const Target& target : targets())
    if (target.name == name) return &target;
  return nullptr;
}

}  // namespace polhode::fuzz
