// SPDX-License-Identifier: BSD-3-Clause
// Linear models of results as Matrix Market files (coordinate and array format, real general), names as plain text.
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results_reader.hpp"

namespace polhode::io {
namespace {

constexpr std::string_view root = "/linear/";

std::string text_of(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

class File {
 public:
  File(const std::string& folder, const std::string& name) : path_((std::filesystem::path(folder) / name).string()) {
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), error);
    if (error) throw FileError(folder + ": cannot be made: " + error.message());
    out_ = std::fopen(path_.c_str(), "w");
    if (!out_) throw FileError(path_ + ": cannot be written: " + std::strerror(errno));
  }
  ~File() {
    if (out_) std::fclose(out_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  void line(const std::string& text) { std::fprintf(out_, "%s\n", text.c_str()); }
  std::string close() {
    const bool written = std::ferror(out_) == 0;
    const bool closed = std::fclose(std::exchange(out_, nullptr)) == 0;
    if (!written || !closed) throw FileError(path_ + ": cannot be written: " + std::strerror(errno));
    return path_;
  }

 private:
  std::string path_;
  std::FILE* out_ = nullptr;
};

// One comment line always, so that sizes stand in the third line.
void write_head(File& file, const char* format, const Dataset& dataset, const std::string& path) {
  file.line("%%MatrixMarket matrix " + std::string(format) + " real general");
  file.line("% " + path + ": " + dataset.description + " [" + dataset.units + "]");
}

std::string write_sparse(const ResultsReader& results, const std::string& path, const std::string& folder) {
  File file(folder, path.substr(root.size()) + ".mtx");
  const std::vector<double> shape = results.numbers(path + "/shape");
  const std::vector<double> start = results.numbers(path + "/indptr");
  const std::vector<double> columns = results.numbers(path + "/indices");
  const std::vector<double> values = results.numbers(path + "/data");
  write_head(file, "coordinate", results.dataset(path + "/data"), path);
  file.line(text_of(shape[0]) + ' ' + text_of(shape[1]) + ' ' + std::to_string(values.size()));
  for (std::size_t row = 0; row + 1 < start.size(); ++row)
    for (auto i = static_cast<std::size_t>(start[row]); i < static_cast<std::size_t>(start[row + 1]); ++i)
      file.line(std::to_string(row + 1) + ' ' + text_of(columns[i] + 1) + ' ' + text_of(values[i]));
  return file.close();
}

std::string write_dense(const ResultsReader& results, const Dataset& dataset, const std::string& folder) {
  File file(folder, dataset.path.substr(root.size()) + ".mtx");
  const std::vector<double> values = results.numbers(dataset.path);
  const std::size_t rows = dataset.shape[0];
  const std::size_t columns = dataset.shape[1];
  write_head(file, "array", dataset, dataset.path);
  file.line(std::to_string(rows) + ' ' + std::to_string(columns));
  for (std::size_t column = 0; column < columns; ++column)  // by columns, as the format wants it
    for (std::size_t row = 0; row < rows; ++row) file.line(text_of(values[row * columns + column]));
  return file.close();
}

std::string write_names(const ResultsReader& results, const Dataset& dataset, const std::string& folder) {
  File file(folder, dataset.path.substr(root.size()) + ".txt");
  for (const std::string& name : results.texts(dataset.path)) file.line(name);
  return file.close();
}

}  // namespace

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
