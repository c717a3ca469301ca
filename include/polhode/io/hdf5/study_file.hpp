// SPDX-License-Identifier: BSD-3-Clause
// The table of a study in HDF5 (format polhode-study-table/1) and as CSV.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace polhode::io {

// One column, with one value a row: the numbers, the counts or the texts are filled, the others are empty. A number
// that is missing, since its case failed, is NaN.
struct Column {
  std::string name;
  std::string units;
  std::string description;
  std::vector<double> numbers;
  std::vector<std::int64_t> counts;
  std::vector<std::string> texts;
};

// All cases of a study: the values that vary, and the responses of each run.
struct StudyTable {
  std::string title;
  std::string study_text;
  std::string deck_text;
  std::string sampling;
  // Of the study; the table may hold fewer rows.
  std::size_t cases = 0;
  std::size_t rows = 0;
  // Names of columns.
  std::vector<std::string> varied;
  std::vector<std::string> responses;
  std::vector<Column> columns;
};

// /table holds one dataset a column, in their order; /study and /deck the texts; /varied and /responses names of
// columns. The file takes the place of an older one at once, when it is whole. Throws ResultsError.
void write_study(const std::string& file, const StudyTable& table);

// The columns with names and units in the head; numbers that are missing (NaN) are empty cells. Throws FileError.
void write_study_csv(const std::string& file, const StudyTable& table);

}  // namespace polhode::io
