// SPDX-License-Identifier: BSD-3-Clause
// Linear models of results as Matrix Market files (coordinate and array format, real general), names as plain text.
#include <fmt/format.h>

#include <stdexcept>

#include "io/export/export_folder.hpp"
#include "io/export/output_file.hpp"
#include "polhode/io/hdf5/results_reader.hpp"

namespace polhode::io {
namespace {

constexpr std::string_view root = "/linear/";

// One comment line always, so that sizes stand in the third line.
void write_head(OutputFile& file, const char* format, const Dataset& dataset, const std::string& path) {
  file.line(fmt::format("%%MatrixMarket matrix {} real general", format));
  file.line(fmt::format("% {}: {} [{}]", path, dataset.description, dataset.units));
}

// From compressed sparse rows (shape, indptr, indices, data) to entries "row column value", counted from 1.
void write_sparse(const ResultsReader& results, const std::string& path, OutputFile& file) {
  // Integers come as doubles, exact up to 2^53.
  const std::vector<double> shape = results.numbers(path + "/shape");
  const std::vector<double> start = results.numbers(path + "/indptr");
  const std::vector<double> columns = results.numbers(path + "/indices");
  const std::vector<double> values = results.numbers(path + "/data");
  write_head(file, "coordinate", results.dataset(path + "/data"), path);
  file.line(fmt::format("{:.0f} {:.0f} {}", shape[0], shape[1], values.size()));
  for (std::size_t row = 0; row + 1 < start.size(); ++row)
    for (auto i = static_cast<std::size_t>(start[row]); i < static_cast<std::size_t>(start[row + 1]); ++i)
      file.line(fmt::format("{} {:.0f} {}", row + 1, columns[i] + 1, values[i]));
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
    else if (dataset.shape.size() == 2)
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
    OutputFile file(target.file(one.file()));
    write_export(results, one, file);
    files.push_back(file.close());
  }
  return files;
}

}  // namespace polhode::io
