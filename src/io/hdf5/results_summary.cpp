// SPDX-License-Identifier: BSD-3-Clause
// What is in a results file, for a person to read.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <ostream>
#include <unordered_set>
#include <set>
#include <sstream>
#include <utility>

#include "polhode/io/hdf5/results_reader.hpp"
#include "polhode/model/text.hpp"

namespace polhode::io {
namespace {

// Eight megabytes.
constexpr std::size_t numbers_a_block = 1 << 20;

// "[200, 3, 3]", or "scalar".
std::string shape_text(const Dataset& dataset) {
  return dataset.shape.empty() ? "scalar" : fmt::format("[{}]", fmt::join(dataset.shape, ", "));
}

// Significant digits of a number to look at.
constexpr int digits = 6;

// Smallest and largest number of a history, read block by block.
std::string range_text(const ResultsReader& results, const Dataset& dataset) {
  std::size_t width = 1;
  for (std::size_t axis = 1; axis < dataset.shape.size(); ++axis) width *= dataset.shape[axis];
  double min = std::numeric_limits<double>::infinity();
  double max = -min;
  const std::size_t block = std::max<std::size_t>(1, numbers_a_block / std::max<std::size_t>(width, 1));
  for (std::size_t row = 0; row < dataset.shape[0]; row += block) {
    // NaN change neither: comparisons with them are false.
    for (const double value : results.numbers(dataset.path, row, std::min(block, dataset.shape[0] - row))) {
      min = std::min(min, value);
      max = std::max(max, value);
    }
  }
  return min > max ? "" : model::rounded_text(min, digits) + " ... " + model::rounded_text(max, digits);
}

// The names of a group, of /joints/ say, from its table; of version 1 those one level below it.
std::vector<std::string> members(const ResultsReader& results, const std::string& group) {
  if (results.has(group + "names") && results.dataset(group + "names").text) return results.texts(group + "names");
  std::set<std::string> names;
  for (const Dataset& dataset : results.datasets())
    if (dataset.path.starts_with(group)) {
      const std::string rest = dataset.path.substr(group.size());
      if (const std::size_t slash = rest.find('/'); slash != std::string::npos) names.insert(rest.substr(0, slash));
    }
  return {names.begin(), names.end()};
}

// A line of names with their number; nothing where there are none.
void write_members(std::ostream& out, const char* title, const std::vector<std::string>& names) {
  if (names.empty()) return;
  out << title << names.size() << ':';
  for (const std::string& name : names) out << ' ' << name;
  out << '\n';
}

// Title, how and when the run ended, and how much there is of states, steps and parts of the model.
void write_head(const ResultsReader& results, std::ostream& out) {
  out << fmt::format("file       {}\ntitle      {}\nstatus     {}\ncreated    {} by polhode {}\n", results.file(),
                     results.attribute("title"), results.attribute("status"), results.attribute("created"),
                     results.attribute("polhode_version"));
  const std::string reference = results.attribute("reference");  // of polhode convergence
  if (!reference.empty()) out << fmt::format("method     {}\nreference  {}\n", results.attribute("method"), reference);
  if (results.has("/time")) {
    const std::vector<double> times = results.numbers("/time");
    out << "states     " << times.size();
    if (!times.empty()) out << fmt::format(", time {:.6g} to {:.6g} s", times.front(), times.back());
    out << '\n';
  }
  if (results.has("/solver/newton_iterations")) {
    const std::vector<double> solves = results.numbers("/solver/newton_iterations");
    const double sum = std::accumulate(solves.begin(), solves.end(), 0.0);
    out << "steps      " << solves.size();
    if (!solves.empty()) out << fmt::format(", {:.6g} Newton solves a step", sum / static_cast<double>(solves.size()));
    out << '\n';
  }
}

// Names of the model's parts; of nodes those that the deck names, not the inner ones of beams.
void write_names(const ResultsReader& results, std::ostream& out) {
  if (results.has("/nodes/names")) {
    const std::vector<std::string> nodes = results.texts("/nodes/names");
    out << "nodes      " << nodes.size() << ':';
    const std::vector<std::string> all = members(results, "/beams/");
    const std::unordered_set<std::string> beams(all.begin(), all.end());
    const auto is_inner = [&](const std::string& node) {
      const std::size_t dot = node.rfind('.');
      return dot != std::string::npos && beams.contains(node.substr(0, dot));
    };
    for (const std::string& node : nodes)
      if (!is_inner(node)) out << ' ' << node;
    out << '\n';
  }
  write_members(out, "joints     ", members(results, "/joints/"));
  write_members(out, "beams      ", members(results, "/beams/"));
  write_members(out, "reactions  ", members(results, "/reactions/"));
}

// One line a dataset; columns are as wide as their widest text.
void write_datasets(const ResultsReader& results, std::ostream& out) {
  std::size_t path = 0;
  std::size_t shape = 0;
  std::size_t units = 0;
  for (const Dataset& dataset : results.datasets()) {
    path = std::max(path, dataset.path.size());
    shape = std::max(shape, shape_text(dataset).size());
    units = std::max(units, dataset.units.size());
  }
  for (const Dataset& dataset : results.datasets()) {
    std::string line =
        fmt::format("{:<{}}  {:<{}}  {:<{}}  ", dataset.path, path, shape_text(dataset), shape, dataset.units, units);
    if (dataset.history && dataset.number)
      line += range_text(results, dataset);
    else if (dataset.number && dataset.shape.empty())
      line += model::rounded_text(results.numbers(dataset.path).at(0), digits);
    // No blanks at the end of a line.
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

}  // namespace

// For `polhode info`. What a file says must not steer the terminal.
void write_summary(const ResultsReader& results, std::ostream& out) {
  std::ostringstream text;
  write_head(results, text);
  write_names(results, text);
  text << '\n';
  write_datasets(results, text);
  std::string plain = std::move(text).str();
  const auto is_control = [](unsigned char c) { return (c < ' ' && c != '\n') || c == 127; };
  std::replace_if(plain.begin(), plain.end(), is_control, '?');
  out << plain;
}

}  // namespace polhode::io
