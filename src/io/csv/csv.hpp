// SPDX-License-Identifier: BSD-3-Clause
// Comma-separated values: one line of a table from its cells, and the cells of a line (RFC 4180).
//
// Written: commas, LF at the end of a line, the shortest digits that read back to the same number. Read: also
// semicolons or tabs and then decimal commas, CRLF, a byte order mark, blanks around cells, quoted cells.
#pragma once
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polhode::io {

// One line of a table, cell by cell. Keeps its memory from line to line.
class CsvLine {
 public:
  // Quoted where a comma, a quotation mark or a line break would mean something else.
  void add(std::string_view text);
  void add(double number);  // not a number: "nan"; infinite: "inf"
  void add(std::int64_t count);
  void add_empty();

  // The cells with commas between them and a line end; the next cell begins a new line. The view lives until then.
  std::string_view end();

 private:
  void begin_cell();

  std::string text_;
  bool begun_ = false;  // the line has a cell
  bool ended_ = false;
};

// The cells of a line, without delimiters, line end, byte order mark, blanks around cells and quotation marks. A quoted
// cell holds delimiters as text, and "" as one quotation mark.
std::vector<std::string> csv_cells(std::string_view line, char delimiter = ',');

// The number that a whole cell holds; nothing for other text, and for numbers that are not finite. A comma is decimal
// where it is not the delimiter.
std::optional<double> csv_number(const std::string& cell, char delimiter = ',');

// What stands between the cells of a table.
struct CsvDelimiter {
  char character = ',';
  // Why it is not known: the rows, and what to do; "" where it is known.
  std::string problem;
};

// A semicolon or a tab where all rows have it outside of quotation marks, a comma where none has. Some rows with it and
// some without, or all with both, are a problem, which calls the table '`name`'. Reads to the end.
CsvDelimiter find_delimiter(std::istream& stream, const std::string& name);

// Line by line, as a person counts them: blank lines and comments (`#`) are skipped, but counted.
class CsvReader {
 public:
  explicit CsvReader(std::istream& stream, char delimiter = ',') : stream_(stream), delimiter_(delimiter) {}

  // The cells of the next line; false at the end.
  bool next(std::vector<std::string>& cells);
  int line() const { return line_; }  // number of the last line read, from 1

 private:
  std::istream& stream_;
  const char delimiter_;
  std::string text_;
  int line_ = 0;
};

}  // namespace polhode::io
