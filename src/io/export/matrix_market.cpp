// SPDX-License-Identifier: BSD-3-Clause
// Linear models of results as Matrix Market files (coordinate and array format, real general), names as plain text.
#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "io/export/output_file.hpp"
#include "polhode/io/hdf5/results_reader.hpp"

namespace polhode::io {
namespace {

constexpr std::string_view root = "/linear/";

// The file of a path below /linear, with an ending.
OutputFile file_for(const std::string& folder, const std::string& path, const char* ending) {
  return OutputFile((std::filesystem::path(folder) / (path.substr(root.size()) + ending)).string());
}

// One comment line always, so that sizes stand in the third line.
void write_head(OutputFile& file, const char* format, const Dataset& dataset, const std::string& path) {
  file.line(fmt::format("%%MatrixMarket matrix {} real general", format));
  file.line(fmt::format("% {}: {} [{}]", path, dataset.description, dataset.units));
}

// From compressed sparse rows (shape, indptr, indices, data) to entries "row column value", counted from 1.
std::string write_sparse(const ResultsReader& results, const std::string& path, const std::string& folder) {
  OutputFile file = file_for(folder, path, ".mtx");
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
  return file.close();
}

// A matrix by columns, one number a line.
std::string write_dense(const ResultsReader& results, const Dataset& dataset, const std::string& folder) {
  OutputFile file = file_for(folder, dataset.path, ".mtx");
  const std::vector<double> values = results.numbers(dataset.path);
  const std::size_t rows = dataset.shape[0];
  const std::size_t columns = dataset.shape[1];
  write_head(file, "array", dataset, dataset.path);
  file.line(fmt::format("{} {}", rows, columns));
  for (std::size_t column = 0; column < columns; ++column)  // by columns, as the format wants it
    for (std::size_t row = 0; row < rows; ++row) file.line(fmt::to_string(values[row * columns + column]));
  return file.close();
}

// One name a line: inputs, outputs, states.
std::string write_names(const ResultsReader& results, const Dataset& dataset, const std::string& folder) {
  OutputFile file = file_for(folder, dataset.path, ".txt");
  for (const std::string& name : results.texts(dataset.path)) file.line(name);
  return file.close();
}

}  // namespace

// A sparse matrix is a group of four datasets; its row pointers stand for it.
std::vector<std::string> write_matrix_market(const ResultsReader& results, const std::string& folder) {
  std::vector<std::string> files;
  for (const Dataset& dataset : results.datasets()) {
    if (!dataset.path.starts_with(root)) continue;
    if (dataset.path.ends_with("/indptr"))
      files.push_back(write_sparse(results, dataset.path.substr(0, dataset.path.rfind('/')), folder));
    else if (dataset.text)
      files.push_back(write_names(results, dataset, folder));
    else if (dataset.shape.size() == 2)
      files.push_back(write_dense(results, dataset, folder));
  }
  if (files.empty())
    throw std::invalid_argument(results.file() +
                                ": holds no linear model; its deck needs an analysis of type linearize");
  return files;
}

}  // namespace polhode::io
