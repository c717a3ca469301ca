// SPDX-License-Identifier: BSD-3-Clause
// Linear models of results as Matrix Market files (coordinate and array format, real general), names as plain text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "io/export/export_folder.hpp"
#include "io/export/output_file.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results_reader.hpp"

namespace polhode::io {
namespace {

constexpr std::string_view root = "/linear/";

// One comment line always, so that sizes stand in the third line.
void write_head(OutputFile& file, const char* format, const Dataset& dataset, const std::string& path) {
  file.line(fmt::format("%%MatrixMarket matrix {} real general", format));
  file.line(fmt::format("% {}: {} [{}]", path, dataset.description, dataset.units));
}

// Compressed sparse rows, checked: entries of row i are those from start[i] to before start[i + 1].
struct SparseRows {
  std::size_t columns = 0;
  std::vector<std::size_t> start;
  std::vector<std::size_t> column;  // of each entry, from 0
  std::vector<double> values;
};

// Numbers of a dataset that count something: whole, and below a limit. They come as doubles, exact up to 2^53.
std::vector<std::size_t> read_counts(const ResultsReader& results, const std::string& path, double limit) {
  std::vector<std::size_t> counts;
  for (const double number : results.numbers(path)) {
    const bool good = number >= 0 && number <= limit && number == std::floor(number);
    if (!good)
      throw FileError(fmt::format("{}: {:?} holds {}, which is no whole number from 0 to {:.0f}; the file is damaged",
                                  results.file(), path, number, limit));
    counts.push_back(static_cast<std::size_t>(number));
  }
  return counts;
}

SparseRows read_sparse(const ResultsReader& results, const std::string& path) {
  constexpr double most = 1 << 30;
  const auto check = [&](bool good, const char* part, const char* what) {
    if (!good)
      throw FileError(fmt::format("{}: {:?} {}; the file is damaged", results.file(), path + '/' + part, what));
  };
  const std::vector<std::size_t> shape = read_counts(results, path + "/shape", most);
  check(shape.size() == 2, "shape", "does not hold two numbers");
  SparseRows matrix;
  matrix.columns = shape[1];
  matrix.values = results.numbers(path + "/data");
  const auto entries = static_cast<double>(matrix.values.size());
  matrix.start = read_counts(results, path + "/indptr", entries);
  check(matrix.start.size() == shape[0] + 1, "indptr", "has not one number a row and one more");
  check(std::is_sorted(matrix.start.begin(), matrix.start.end()), "indptr", "does not ascend");
  check(matrix.start.front() == 0 && matrix.start.back() == matrix.values.size(), "indptr",
        "does not go from 0 to the number of entries");
  matrix.column = read_counts(results, path + "/indices", std::max(0.0, static_cast<double>(shape[1]) - 1));
  check(matrix.column.size() == matrix.values.size(), "indices", "has not one number an entry");
  check(matrix.columns > 0 || matrix.values.empty(), "shape", "has no columns for its entries");
  return matrix;
}

// From compressed sparse rows (shape, indptr, indices, data) to entries "row column value", counted from 1.
void write_sparse(const ResultsReader& results, const std::string& path, OutputFile& file) {
  const SparseRows matrix = read_sparse(results, path);
  write_head(file, "coordinate", results.dataset(path + "/data"), path);
  const std::size_t rows = matrix.start.size() - 1;
  file.line(fmt::format("{} {} {}", rows, matrix.columns, matrix.values.size()));
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = matrix.start[row]; i < matrix.start[row + 1]; ++i)
      file.line(fmt::format("{} {} {}", row + 1, matrix.column[i] + 1, matrix.values[i]));
}

// A matrix by columns, one number a line.
void write_dense(const ResultsReader& results, const Dataset& dataset, OutputFile& file) {
  const std::vector<double> values = results.numbers(dataset.path);
  const std::size_t rows = dataset.shape[0];
  const std::size_t columns = dataset.shape[1];
  write_head(file, "array", dataset, dataset.path);
  file.line(fmt::format("{} {}", rows, columns));
  for (std::size_t column = 0; column < columns; ++column)  // by columns, as the format wants it
    for (std::size_t row = 0; row < rows; ++row) file.line(fmt::to_string(values[row * columns + column]));
}

// One name a line: inputs, outputs, states.
void write_names(const ResultsReader& results, const Dataset& dataset, OutputFile& file) {
  for (const std::string& name : results.texts(dataset.path)) file.line(name);
}

// A file, and what it holds.
struct Export {
  enum class Kind { sparse, dense, names };
  Kind kind;
  // Of a sparse matrix the group
  std::string path;

  // Relative to the folder.
  std::string file() const { return path.substr(root.size()) + (kind == Kind::names ? ".txt" : ".mtx"); }
};

// A sparse matrix is a group of four datasets; its row pointers stand for it.
std::vector<Export> exports_of(const ResultsReader& results) {
  std::vector<Export> all;
  for (const Dataset& dataset : results.datasets()) {
    if (!dataset.path.starts_with(root)) continue;
    if (dataset.path.ends_with("/indptr"))
      all.push_back({Export::Kind::sparse, dataset.path.substr(0, dataset.path.rfind('/'))});
    else if (dataset.text)
      all.push_back({Export::Kind::names, dataset.path});
    else if (dataset.number && dataset.shape.size() == 2)
      all.push_back({Export::Kind::dense, dataset.path});
  }
  return all;
}

void write_export(const ResultsReader& results, const Export& one, OutputFile& file) {
  if (one.kind == Export::Kind::sparse)
    write_sparse(results, one.path, file);
  else if (one.kind == Export::Kind::names)
    write_names(results, results.dataset(one.path), file);
  else
    write_dense(results, results.dataset(one.path), file);
}

}  // namespace

// All names are known before any file is written.
std::vector<std::string> write_matrix_market(const ResultsReader& results, const std::string& folder, bool force) {
  const std::vector<Export> exports = exports_of(results);
  if (exports.empty())
    throw std::invalid_argument(results.file() +
                                ": holds no linear model; its deck needs an analysis of type linearize");
  ExportFolder target(folder, results.file(), force);
  for (const Export& one : exports) target.add(one.file(), one.path);
  target.open();
  std::vector<std::string> files;
  for (const Export& one : exports) {
    OutputFile file = target.make_file(one.file());
    write_export(results, one, file);
    files.push_back(file.close());
  }
  return files;
}

}  // namespace polhode::io
