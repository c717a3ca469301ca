// SPDX-License-Identifier: BSD-3-Clause
// The table of a study in HDF5 and as CSV.
#include "polhode/io/hdf5/study_file.hpp"

#include <fmt/format.h>

#include <cmath>

#include "io/csv/csv.hpp"
#include "io/export/output_file.hpp"
#include "io/hdf5/table_writer.hpp"

namespace polhode::io {
namespace {

// Columns keep their order, which HDF5 would otherwise list by name.
void write(hdf5::TableWriter& out, const StudyTable& table) {
  out.head("polhode-study-table/1", table.title);
  out.attribute("status", table.rows == table.cases ? "completed" : "incomplete");
  out.attribute("sampling", table.sampling);
  out.text("/study", table.study_text, "the study as read");
  out.text("/deck", table.deck_text, "the deck of the study, with its responses");
  out.counts("/cases", {static_cast<std::int64_t>(table.cases)}, "number of cases of the study");
  out.texts("/varied", table.varied, "columns of the values that vary");
  out.texts("/responses", table.responses, "columns of the responses");
  out.ordered_group("/table");
  // Each column is of one type: texts, counts or numbers.
  for (const Column& column : table.columns) {
    const std::string path = "/table/" + column.name;
    if (!column.texts.empty())
      out.texts(path, column.texts, column.description);
    else if (!column.counts.empty())
      out.counts(path, column.counts, column.description);
    else
      out.numbers(path, column.numbers, {column.numbers.size()}, column.units, column.description);
  }
}

}  // namespace

// The new table takes the place of the old one at once, so that a table is always whole.
void write_study(const std::string& file, const StudyTable& table) {
  hdf5::write_whole(file, [&](hdf5::TableWriter& out) { write(out, table); });
}

// Quantities without unit have plain heads.
void write_study_csv(const std::string& file, const StudyTable& table) {
  OutputFile out(file);
  CsvLine line;
  for (const Column& column : table.columns) {
    const bool plain = column.units.empty() || column.units == "1";
    line.add(plain ? column.name : fmt::format("{} [{}]", column.name, column.units));
  }
  out.write(line.end());
  for (std::size_t row = 0; row < table.rows; ++row) {
    for (const Column& column : table.columns) {
      if (!column.texts.empty())
        line.add(column.texts[row]);
      else if (!column.counts.empty())
        line.add(column.counts[row]);
      else if (!std::isnan(column.numbers[row]))
        line.add(column.numbers[row]);
      else
        line.add_empty();
    }
    out.write(line.end());
  }
  out.close();
}

}  // namespace polhode::io
