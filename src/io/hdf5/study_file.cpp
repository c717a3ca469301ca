// SPDX-License-Identifier: BSD-3-Clause
// The table of a study in HDF5 and as CSV.
#include "polhode/io/hdf5/study_file.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "hdf5_writer.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/io/version.hpp"

namespace polhode::io {
namespace {

void write(hdf5::Writer& out, const StudyTable& table) {
  out.attribute("format", "polhode-study-table/1");
  out.attribute("polhode_version", version);
  out.attribute("title", table.title);
  out.attribute("created", hdf5::utc_now());
  out.attribute("status", table.rows == table.cases ? "completed" : "incomplete");
  out.attribute("sampling", table.sampling);
  out.text("/study", table.study_text, "the study as read");
  out.text("/deck", table.deck_text, "the deck of the study, with its responses");
  out.counts("/cases", {static_cast<std::int64_t>(table.cases)}, "number of cases of the study");
  out.texts("/varied", table.varied, "columns of the values that vary");
  out.texts("/responses", table.responses, "columns of the responses");
  out.ordered_group("/table");
  for (const Column& column : table.columns) {
    const std::string path = "/table/" + column.name;
    if (!column.texts.empty())
      out.texts(path, column.texts, column.description);
    else if (!column.counts.empty())
      out.counts(path, column.counts, column.description);
    else
      out.numbers(path, column.numbers, {column.numbers.size()}, column.units, column.description);
  }
  out.close();
}

template <class Number>
void add(std::string& line, Number number) {
  std::array<char, 40> digits;
  line.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

// Quoted where a comma, a quotation mark or a line break would mean something else (RFC 4180).
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) (quoted += c == '"' ? "\"" : "") += c;
  return quoted + '"';
}

}  // namespace

void write_study(const std::string& file, const StudyTable& table) {
  const std::string unfinished = file + ".part";
  try {
    hdf5::Writer out(unfinished);
    write(out, table);
  } catch (const hdf5::Error& error) {
    std::remove(unfinished.c_str());
    throw ResultsError(file + ": cannot be written: " + error.what());
  }
  std::error_code problem;
  std::filesystem::rename(unfinished, file, problem);
  if (problem) throw ResultsError(file + ": cannot be written: " + problem.message());
}

void write_study_csv(const std::string& file, const StudyTable& table) {
  std::ofstream out(file, std::ios::binary);
  std::string line;
  for (const Column& column : table.columns) {
    const std::string units = column.units.empty() || column.units == "1" ? "" : " [" + column.units + "]";
    line += (line.empty() ? "" : ",") + field(column.name + units);
  }
  out << line << '\n';
  for (std::size_t row = 0; row < table.rows; ++row) {
    line.clear();
    for (const Column& column : table.columns) {
      if (&column != table.columns.data()) line += ',';
      if (!column.texts.empty())
        line += field(column.texts[row]);
      else if (!column.counts.empty())
        add(line, column.counts[row]);
      else if (!std::isnan(column.numbers[row]))
        add(line, column.numbers[row]);
    }
    out << line << '\n';
  }
  if (!out.flush()) throw ResultsError(file + ": cannot be written");
}

}  // namespace polhode::io
