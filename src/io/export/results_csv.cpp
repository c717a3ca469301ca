// SPDX-License-Identifier: BSD-3-Clause
// Histories as CSV: which tables, which columns, and their rows, read block by block.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "io/csv/csv.hpp"
#include "io/export/export_folder.hpp"
#include "io/export/modes_csv.hpp"
#include "io/export/output_file.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "polhode/model/problem.hpp"
#include "polhode/results/channel.hpp"
#include "polhode/results/names.hpp"

namespace polhode::io {
namespace {

// Eight megabytes.
constexpr std::size_t numbers_a_block = 1 << 20;

// The group of a dataset: "/joints/pivot" of "/joints/pivot/force", "" at the root.
std::string parent(const std::string& path) { return path.substr(0, path.rfind('/')); }

// The times of a history: the `time` of its own group or, failing that, the one at the root. Monitors have a row a
// step, as /solver has.
std::string time_of(const ResultsReader& results, const std::string& path) {
  const std::string group = parent(path);
  const std::string own = (group == "/monitors" ? "/solver" : group) + "/time";
  const std::string time = results.has(own) ? own : "/time";
  const Dataset& dataset = results.dataset(time);
  if (!dataset.number || dataset.shape.size() != 1)
    throw FileError(
        fmt::format("{}: {:?} is no list of times, one number a row; the file is damaged, or was not "
                    "written by polhode",
                    results.file(), time));
  return time;
}

// Heads of the columns of a dataset, one a number of a row: names as responses use them, with units.
std::vector<std::string> heads(const ResultsReader& results, const Dataset& dataset) {
  std::vector<int> shape(dataset.shape.begin() + 1, dataset.shape.end());
  const bool letters = results::has_letters(dataset.path, shape, dataset.frame);
  const std::size_t size = results::numbers_of(shape);
  std::vector<std::string> items;  // names of the first axis, where it has any
  if (results::is_of_nodes(dataset.path) && !shape.empty() && results.has("/nodes/names")) {
    items = results.texts("/nodes/names");
    if (items.size() == static_cast<std::size_t>(shape[0]))
      shape.erase(shape.begin());
    else
      items.clear();
  }
  std::vector<std::string> result;
  // Numbers of one node, in the order of the history.
  const std::size_t item_size = items.empty() ? size : size / items.size();
  for (std::size_t k = 0; k < size; ++k) {
    const std::string item = items.empty() ? "" : items[k / item_size];
    result.push_back(results::dotted_name(dataset.path, item) + results::component_name(shape, k % item_size, letters) +
                     " [" + dataset.units + ']');
  }
  // Of a shared history each entity has the heads that it has alone.
  for (const NamedPart& part : results.parts(dataset.path)) {
    const std::vector<std::string> alone = heads(results, results.dataset(part.path));
    const std::size_t first = part.first * (size / dataset.shape[1]);
    std::copy(alone.begin(), alone.end(), result.begin() + static_cast<std::ptrdiff_t>(first));
  }
  return result;
}

// One file: its times, and the datasets whose columns it has.
struct Table {
  std::string name;  // of the file, without ending
  std::string path;  // as it was asked for
  std::string time;  // path
  std::vector<const Dataset*> columns;
};

// Adds the parts of an entity of a large group: those of /beams/arm, which is no group of the file.
void add_parts(const ResultsReader& results, Table& table) {
  for (const Dataset& dataset : results.datasets()) {
    if (results.parts(dataset.path).empty() || parent(table.path) != parent(dataset.path)) continue;
    const std::string path = table.path + dataset.path.substr(dataset.path.rfind('/'));
    if (results.has(path)) table.columns.push_back(&results.dataset(path));
  }
}

// The table of a path: of a dataset its columns, of a group those of all histories in it. Unknown paths are errors.
Table make_table(const ResultsReader& results, std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (!path.starts_with('/')) path.insert(0, 1, '/');
  Table table;
  std::vector<std::string> known;
  for (const Dataset& dataset : results.datasets()) {
    if (!dataset.history || !dataset.number) continue;
    known.insert(known.end(), {dataset.path, parent(dataset.path)});
    const bool wanted =
        dataset.path == path || parent(dataset.path) == path || (path == "/" && parent(dataset.path).empty());
    if (!wanted) continue;
    table.time = time_of(results, dataset.path);
    table.columns.push_back(&dataset);
  }
  table.path = path;
  if (table.columns.empty() && results.has(path) && results.dataset(path).is_part)
    table.columns.push_back(&results.dataset(path));
  if (table.columns.empty()) add_parts(results, table);
  if (!table.columns.empty() && table.time.empty()) table.time = time_of(results, "/time");
  if (table.columns.empty()) {
    const std::string nearest = model::nearest_name(path, known);
    throw std::invalid_argument(results.file() + ": " + path + " is no history and no group of histories" +
                                (nearest.empty() ? "" : "; did you mean " + nearest + '?'));
  }
  table.name = path == "/" ? "root" : path.substr(1);
  // /joints/pivot becomes joints.pivot.csv: one flat folder.
  std::replace(table.name.begin(), table.name.end(), '/', '.');
  return table;
}

// All groups that hold histories; the root has only the times and what counts them. Parts of shared histories stand
// under their names.
std::vector<std::string> all_groups(const ResultsReader& results) {
  std::vector<std::string> groups;
  for (const Dataset& dataset : results.datasets()) {
    const std::string group = parent(dataset.path);
    if (dataset.history && dataset.number && !group.empty() && !dataset.has_listed_parts) groups.push_back(group);
  }
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  return groups;
}

// The times and the columns of a table, the times first.
std::vector<const Dataset*> columns_of(const ResultsReader& results, const Table& table) {
  std::vector<const Dataset*> columns = {&results.dataset(table.time)};
  for (const Dataset* dataset : table.columns)
    if (dataset->path != table.time) columns.push_back(dataset);
  return columns;
}

void write_table(const ResultsReader& results, const Table& table, OutputFile& out) {
  const std::vector<const Dataset*> columns = columns_of(results, table);
  // A run that was killed may have written one history further than another: rows are those that all have.
  std::size_t rows = columns[0]->shape[0];
  std::size_t width = 0;  // numbers a row
  std::vector<std::size_t> widths;
  CsvLine line;
  for (const Dataset* dataset : columns) {
    rows = std::min(rows, dataset->shape[0]);
    const std::vector<std::string> names = heads(results, *dataset);
    widths.push_back(names.size());
    width += names.size();
    for (const std::string& name : names) line.add(name);
  }
  out.write(line.end());

  // Block by block, all columns of one at a time.
  const std::size_t block = std::max<std::size_t>(1, numbers_a_block / width);
  for (std::size_t first = 0; first < rows; first += block) {
    const std::size_t count = std::min(block, rows - first);
    // Reading by columns and writing by rows: a block of all columns is in memory.
    std::vector<std::vector<double>> values;
    for (const Dataset* dataset : columns) values.push_back(results.numbers(dataset->path, first, count));
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t c = 0; c < columns.size(); ++c)
        for (std::size_t k = 0; k < widths[c]; ++k) line.add(values[c][row * widths[c] + k]);
      out.write(line.end());
    }
  }
}

// Modes are no histories: their tables have a line a mode, and a line for each mode and node.
struct ModalTable {
  const char* file;
  const char* path;
  void (*write)(const ResultsReader& results, OutputFile& out);
};

constexpr ModalTable modal_tables[] = {{"modal.csv", "/modal", write_modes},
                                       {"modal.shapes.csv", "/modal/shapes", write_shapes}};

bool is_path_of_modes(const std::string& path) { return path == "modal" || path == "/modal"; }

}  // namespace

// Numbers are read in blocks of rows, so that a long run needs little memory.
std::vector<std::string> write_csv(const ResultsReader& results, const std::string& folder,
                                   const std::vector<std::string>& paths, bool force) {
  // Groups in the order of the alphabet, tables in that of the paths.
  std::vector<Table> tables;  // all of them before any file is written: a wrong path leaves nothing behind
  bool with_modes = paths.empty() && has_modes(results);
  for (const std::string& path : paths.empty() ? all_groups(results) : paths) {
    if (has_modes(results) && is_path_of_modes(path))
      with_modes = true;
    else
      tables.push_back(make_table(results, path));
  }
  ExportFolder target(folder, results.file(), force);
  for (const Table& table : tables) target.add(table.name + ".csv", table.path);
  if (with_modes)
    for (const ModalTable& table : modal_tables) target.add(table.file, table.path);
  target.open();

  std::vector<std::string> files;
  const auto write = [&](const std::string& file, const auto& write_rows) {
    OutputFile out = target.make_file(file);
    write_rows(out);
    files.push_back(out.close());
  };
  for (const Table& table : tables)
    write(table.name + ".csv", [&](OutputFile& out) { write_table(results, table, out); });
  if (with_modes)
    for (const ModalTable& table : modal_tables) write(table.file, [&](OutputFile& out) { table.write(results, out); });
  return files;
}

}  // namespace polhode::io
