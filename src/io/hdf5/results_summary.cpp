// SPDX-License-Identifier: BSD-3-Clause
// What is in a results file, for a person to read.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <ostream>
#include <set>

#include "polhode/io/hdf5/results_reader.hpp"

namespace polhode::io {
namespace {

constexpr std::size_t numbers_a_block = 1 << 20;

std::string shape_text(const Dataset& dataset) {
  std::string text = "[";
  for (const std::size_t n : dataset.shape) text += (text.size() > 1 ? ", " : "") + std::to_string(n);
  return dataset.shape.empty() ? "scalar" : text + ']';
}

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

// Smallest and largest number of a history, read block by block.
std::string range_text(const ResultsReader& results, const Dataset& dataset) {
  std::size_t width = 1;
  for (std::size_t axis = 1; axis < dataset.shape.size(); ++axis) width *= dataset.shape[axis];
  double min = std::numeric_limits<double>::infinity();
  double max = -min;
  const std::size_t block = std::max<std::size_t>(1, numbers_a_block / std::max<std::size_t>(width, 1));
  for (std::size_t row = 0; row < dataset.shape[0]; row += block) {
    for (const double value : results.numbers(dataset.path, row, std::min(block, dataset.shape[0] - row))) {
      min = std::min(min, value);
      max = std::max(max, value);
    }
  }
  return min > max ? "" : number_text(min) + " ... " + number_text(max);
}

// The names one level below a group: the joints of /joints, say.
std::set<std::string> members(const ResultsReader& results, const std::string& group) {
  std::set<std::string> names;
  for (const Dataset& dataset : results.datasets())
    if (dataset.path.starts_with(group)) {
      const std::string rest = dataset.path.substr(group.size());
      if (const std::size_t slash = rest.find('/'); slash != std::string::npos) names.insert(rest.substr(0, slash));
    }
  return names;
}

void write_members(std::ostream& out, const char* title, const std::set<std::string>& names) {
  if (names.empty()) return;
  out << title << names.size() << ':';
  for (const std::string& name : names) out << ' ' << name;
  out << '\n';
}

}  // namespace

void write_summary(const ResultsReader& results, std::ostream& out) {
  out << "file       " << results.file() << '\n'
      << "title      " << results.attribute("title") << '\n'
      << "status     " << results.attribute("status") << '\n'
      << "created    " << results.attribute("created") << " by polhode " << results.attribute("polhode_version")
      << '\n';
  if (const std::string reference = results.attribute("reference"); !reference.empty())  // of polhode convergence
    out << "method     " << results.attribute("method") << "\nreference  " << reference << '\n';
  if (results.has("/time")) {
    const std::vector<double> times = results.numbers("/time");
    out << "states     " << times.size();
    if (!times.empty()) out << ", time " << number_text(times.front()) << " to " << number_text(times.back()) << " s";
    out << '\n';
  }
  if (results.has("/solver/newton_iterations")) {
    const std::vector<double> solves = results.numbers("/solver/newton_iterations");
    double sum = 0;
    for (const double n : solves) sum += n;
    out << "steps      " << solves.size();
    if (!solves.empty())
      out << ", " << number_text(sum / static_cast<double>(solves.size())) << " Newton solves a step";
    out << '\n';
  }
  if (results.has("/nodes/names")) {
    const std::vector<std::string> nodes = results.texts("/nodes/names");
    out << "nodes      " << nodes.size() << ':';
    for (const std::string& node : nodes)
      if (node.find('.') == std::string::npos) out << ' ' << node;
    out << '\n';
  }
  write_members(out, "joints     ", members(results, "/joints/"));
  write_members(out, "beams      ", members(results, "/beams/"));
  write_members(out, "reactions  ", members(results, "/reactions/"));

  std::size_t path_width = 0;
  std::size_t shape_width = 0;
  std::size_t units_width = 0;
  for (const Dataset& dataset : results.datasets()) {
    path_width = std::max(path_width, dataset.path.size());
    shape_width = std::max(shape_width, shape_text(dataset).size());
    units_width = std::max(units_width, dataset.units.size());
  }
  const auto padded = [](std::string text, std::size_t width) {
    return text += std::string(width - text.size() + 2, ' ');
  };
  out << '\n';
  for (const Dataset& dataset : results.datasets()) {
    std::string line = padded(dataset.path, path_width) + padded(shape_text(dataset), shape_width) +
                       padded(dataset.units, units_width);
    if (dataset.history)
      line += range_text(results, dataset);
    else if (!dataset.text && dataset.shape.empty())
      line += number_text(results.numbers(dataset.path).at(0));
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

}  // namespace polhode::io
