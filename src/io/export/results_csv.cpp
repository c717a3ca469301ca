// SPDX-License-Identifier: BSD-3-Clause
// Histories as CSV: which tables, which columns, and their rows, read block by block.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "polhode/results/names.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "polhode/model/problem.hpp"

namespace polhode::io {
namespace {

constexpr std::size_t numbers_a_block = 1 << 20;

std::string parent(const std::string& path) { return path.substr(0, path.rfind('/')); }

// The times of a history: the `time` of its own group or, failing that, the one at the root.
std::string time_of(const ResultsReader& results, const std::string& path) {
  const std::string own = parent(path) + "/time";
  return results.has(own) ? own : "/time";
}

// A text with commas or quotes has to be quoted (RFC 4180).
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

std::vector<std::string> heads(const ResultsReader& results, const Dataset& dataset) {
  std::vector<int> shape(dataset.shape.begin() + 1, dataset.shape.end());
  const bool letters = results::has_letters(dataset.path, shape, dataset.frame);
  std::size_t size = 1;
  for (const int n : shape) size *= static_cast<std::size_t>(n);

  std::vector<std::string> items;  // names of the first axis, where it has any
  if (results::is_of_nodes(dataset.path) && !shape.empty() && results.has("/nodes/names")) {
    items = results.texts("/nodes/names");
    if (items.size() == static_cast<std::size_t>(shape[0]))
      shape.erase(shape.begin());
    else
      items.clear();
  }
  std::vector<std::string> result;
  const std::size_t item_size = items.empty() ? size : size / items.size();
  for (std::size_t k = 0; k < size; ++k) {
    const std::string item = items.empty() ? "" : items[k / item_size];
    result.push_back(quoted(results::dotted_name(dataset.path, item) +
                            results::component_name(shape, k % item_size, letters) + " [" + dataset.units + ']'));
  }
  return result;
}

struct Table {
  std::string name;  // of the file, without ending
  std::string time;  // path
  std::vector<const Dataset*> columns;
};

Table make_table(const ResultsReader& results, std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (!path.starts_with('/')) path.insert(0, 1, '/');
  Table table;
  std::vector<std::string> known;
  for (const Dataset& dataset : results.datasets()) {
    if (!dataset.history) continue;
    known.insert(known.end(), {dataset.path, parent(dataset.path)});
    const bool wanted =
        dataset.path == path || parent(dataset.path) == path || (path == "/" && parent(dataset.path).empty());
    if (!wanted) continue;
    table.time = time_of(results, dataset.path);
    table.columns.push_back(&dataset);
  }
  if (table.columns.empty()) {
    const std::string nearest = model::nearest_name(path, known);
    throw std::invalid_argument(results.file() + ": " + path + " is no history and no group of histories" +
                                (nearest.empty() ? "" : "; did you mean " + nearest + '?'));
  }
  table.name = path == "/" ? "root" : path.substr(1);
  std::replace(table.name.begin(), table.name.end(), '/', '.');
  return table;
}

// All groups that hold histories; the root has only the times and what counts them.
std::vector<std::string> all_groups(const ResultsReader& results) {
  std::vector<std::string> groups;
  for (const Dataset& dataset : results.datasets())
    if (const std::string group = parent(dataset.path); dataset.history && !group.empty()) groups.push_back(group);
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  return groups;
}

void write_rows(const ResultsReader& results, const Table& table, std::FILE* out) {
  std::vector<const Dataset*> columns = {&results.dataset(table.time)};
  for (const Dataset* dataset : table.columns)
    if (dataset->path != table.time) columns.push_back(dataset);

  // A run that was killed may have written one history further than another: rows are those that all have.
  std::size_t rows = columns[0]->shape[0];
  std::size_t width = 0;
  std::string line;
  std::vector<std::size_t> widths;
  for (const Dataset* dataset : columns) {
    rows = std::min(rows, dataset->shape[0]);
    const std::vector<std::string> names = heads(results, *dataset);
    widths.push_back(names.size());
    width += names.size();
    for (const std::string& name : names) line += (line.empty() ? "" : ",") + name;
  }
  std::fprintf(out, "%s\n", line.c_str());

  const std::size_t block = std::max<std::size_t>(1, numbers_a_block / width);
  for (std::size_t first = 0; first < rows; first += block) {
    const std::size_t count = std::min(block, rows - first);
    std::vector<std::vector<double>> values;
    for (const Dataset* dataset : columns) values.push_back(results.numbers(dataset->path, first, count));
    for (std::size_t row = 0; row < count; ++row) {
      line.clear();
      for (std::size_t c = 0; c < columns.size(); ++c)
        for (std::size_t k = 0; k < widths[c]; ++k) {
          char text[32];
          if (!line.empty()) line += ',';
          line.append(text, std::to_chars(text, text + sizeof text, values[c][row * widths[c] + k]).ptr);
        }
      line += '\n';
      std::fputs(line.c_str(), out);
    }
  }
}

}  // namespace

std::vector<std::string> write_csv(const ResultsReader& results, const std::string& folder,
                                   const std::vector<std::string>& paths) {
  std::vector<Table> tables;  // all of them before any file is written: a wrong path leaves nothing behind
  for (const std::string& path : paths.empty() ? all_groups(results) : paths)
    tables.push_back(make_table(results, path));

  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw FileError(folder + ": cannot be made: " + error.message());
  std::vector<std::string> files;
  for (const Table& table : tables) {
    const std::string file = (std::filesystem::path(folder) / (table.name + ".csv")).string();
    std::FILE* out = std::fopen(file.c_str(), "w");
    if (!out) throw FileError(file + ": cannot be written: " + std::strerror(errno));
    try {
      write_rows(results, table, out);
    } catch (...) {
      std::fclose(out);
      throw;
    }
    const bool written = std::ferror(out) == 0;
    const bool closed = std::fclose(out) == 0;
    if (!written || !closed) throw FileError(file + ": cannot be written: " + std::strerror(errno));
    files.push_back(file);
  }
  return files;
}

}  // namespace polhode::io
