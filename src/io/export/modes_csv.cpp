// SPDX-License-Identifier: BSD-3-Clause
// Modes as CSV. Shapes are read mode by mode: of a large model all of them may not fit in the memory.
#include "io/export/modes_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "io/csv/csv.hpp"
#include "polhode/io/deck/deck.hpp"

namespace polhode::io {
namespace {

constexpr const char* numbers_path = "/modal/number";
constexpr std::size_t components_of_shape = 6;

// A dataset with one row a mode, each of this shape.
const Dataset& modal_dataset(const ResultsReader& results, const std::string& name, std::vector<std::size_t> row) {
  const std::string path = "/modal/" + name;
  const Dataset& dataset = results.dataset(path);
  row.insert(row.begin(), dataset.shape.empty() ? 0 : dataset.shape[0]);
  const bool is_text = name == "text";
  if (dataset.shape != row || (is_text ? !dataset.text : !dataset.number))
    throw FileError(
        fmt::format("{}: {:?} does not have one row a mode; the file is damaged, or was not written by "
                    "polhode",
                    results.file(), path));
  return dataset;
}

std::vector<double> column(const ResultsReader& results, const std::string& name, std::vector<std::size_t> row = {}) {
  return results.numbers(modal_dataset(results, name, std::move(row)).path);
}

// What names a mode in both tables.
struct ModeNames {
  std::vector<double> analysis;
  std::vector<double> number;

  explicit ModeNames(const ResultsReader& results) : analysis(column(results, "analysis")) {
    if (results.has(numbers_path)) {
      number = column(results, "number");
      return;
    }
    // Files of older versions have one modal analysis, whose modes are in the order of their frequencies.
    for (std::size_t mode = 0; mode < analysis.size(); ++mode) number.push_back(static_cast<double>(mode + 1));
  }

  // A run that was killed may have written one dataset further than another.
  std::size_t count() const { return std::min(analysis.size(), number.size()); }

  void add(CsvLine& line, std::size_t mode) const {
    line.add(static_cast<std::int64_t>(analysis[mode]));
    line.add(static_cast<std::int64_t>(number[mode]));
  }
};

void add_heads(CsvLine& line, const std::vector<std::string>& heads) {
  for (const std::string& head : heads) line.add(head);
}

}  // namespace

bool has_modes(const ResultsReader& results) {
  const std::string path = "/modal/frequencies";
  return results.has(path) && !results.dataset(path).shape.empty() && results.dataset(path).shape[0] > 0;
}

void write_modes(const ResultsReader& results, OutputFile& out) {
  const ModeNames names(results);
  const std::vector<double> frequencies = column(results, "frequencies");
  const std::vector<double> damping = column(results, "damping");
  const std::vector<double> eigenvalues = column(results, "eigenvalues", {2});
  const std::vector<std::string> texts = results.texts(modal_dataset(results, "text", {}).path);
  CsvLine line;
  add_heads(line, {"analysis", "mode", "frequency [Hz]", "damping ratio [1]", "eigenvalue.real [rad/s]",
                   "eigenvalue.imaginary [rad/s]", "motion"});
  out.write(line.end());
  const std::size_t count =
      std::min({names.count(), frequencies.size(), damping.size(), eigenvalues.size() / 2, texts.size()});
  for (std::size_t mode = 0; mode < count; ++mode) {
    names.add(line, mode);
    line.add(frequencies[mode]);
    line.add(damping[mode]);
    line.add(eigenvalues[2 * mode]);
    line.add(eigenvalues[2 * mode + 1]);
    line.add(texts[mode]);
    out.write(line.end());
  }
}

void write_shapes(const ResultsReader& results, OutputFile& out) {
  const ModeNames names(results);
  const std::vector<std::string> nodes = results.texts("/nodes/names");
  const Dataset& shapes = modal_dataset(results, "shapes", {nodes.size(), components_of_shape, 2});
  const std::size_t count = std::min(names.count(), shapes.shape[0]);
  bool is_complex = false;
  for (std::size_t mode = 0; mode < count && !is_complex; ++mode) {
    const std::vector<double> shape = results.numbers(shapes.path, mode, 1);
    for (std::size_t k = 1; k < shape.size(); k += 2) is_complex = is_complex || shape[k] != 0;
  }
  CsvLine line;
  add_heads(line, {"analysis", "mode", "node"});
  for (const bool is_imaginary : {false, true}) {
    if (is_imaginary && !is_complex) continue;
    const std::string part = is_imaginary ? "imaginary" : "real";
    for (const char letter : {'x', 'y', 'z'}) line.add(fmt::format("translation.{}.{} [m]", letter, part));
    for (const char letter : {'x', 'y', 'z'}) line.add(fmt::format("rotation.{}.{} [rad]", letter, part));
  }
  out.write(line.end());
  for (std::size_t mode = 0; mode < count; ++mode) {
    const std::vector<double> shape = results.numbers(shapes.path, mode, 1);
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      names.add(line, mode);
      line.add(nodes[node]);
      const double* values = &shape[2 * components_of_shape * node];
      for (std::size_t k = 0; k < components_of_shape; ++k) line.add(values[2 * k]);
      for (std::size_t k = 0; k < components_of_shape && is_complex; ++k) line.add(values[2 * k + 1]);
      out.write(line.end());
    }
  }
}

}  // namespace polhode::io
