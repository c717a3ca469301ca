// SPDX-License-Identifier: BSD-3-Clause
// Names of the files of a study, and its table from rows.
#include "polhode/studies/study_files.hpp"

#include <algorithm>
#include <filesystem>

namespace polhode::studies {
namespace {

namespace fs = std::filesystem;

// Names of all files begin with that of the table.
fs::path with_end(const std::string& table, const std::string& end) {
  fs::path path(table);
  const std::string stem = path.extension() == ".h5" ? path.stem().string() : path.filename().string();
  return path.replace_filename(stem + end);
}

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// "" or ".2of4".
bool is_shard(std::string_view text) {
  if (text.empty()) return true;
  const std::size_t of = text.find("of");
  return text[0] == '.' && of != std::string_view::npos && all_digits(text.substr(1, of - 1)) &&
         all_digits(text.substr(of + 2));
}

const char* name_of(io::Sampling::Kind kind) {
  switch (kind) {
    case io::Sampling::Kind::grid:
      return "grid";
    case io::Sampling::Kind::zip:
      return "zip";
    case io::Sampling::Kind::latin_hypercube:
      return "latin_hypercube";
    case io::Sampling::Kind::sobol:
      break;
  }
  return "sobol";
}

}  // namespace

std::string StudyFiles::csv() const { return with_end(table, ".csv"); }

std::string StudyFiles::rows(const Shard& shard) const {
  if (!shard.given) return with_end(table, ".rows");
  return with_end(table, "." + std::to_string(shard.index + 1) + "of" + std::to_string(shard.count) + ".rows");
}

std::string StudyFiles::folder_of_results() const { return with_end(table, ".cases"); }

std::string StudyFiles::results(std::size_t number) const {
  return fs::path(folder_of_results()) / (std::to_string(number) + ".h5");
}

// Sorted, because the first row of a case counts.
std::vector<std::string> StudyFiles::all_rows() const {
  const fs::path whole = with_end(table, ".rows");
  const fs::path folder = whole.has_parent_path() ? whole.parent_path() : fs::path(".");
  const std::string stem = whole.stem();
  std::vector<std::string> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(stem) || !name.ends_with(".rows")) continue;
    if (is_shard(std::string_view(name).substr(stem.size(), name.size() - stem.size() - 5)))
      files.push_back(whole.has_parent_path() ? entry.path().string() : name);
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Two shards may have done the same case; its rows are equal.
void DoneRows::add(Row row) {
  if (row.number >= index_.size() || has(row.number)) return;
  index_[row.number] = rows_.size();
  rows_.push_back(std::move(row));
}

// By the numbers of the cases, whatever the order of the rows. Values of axes are made again from the number
// of the case; rows do not repeat them.
io::StudyTable table_of(const io::Study& study, const Cases& cases, const std::vector<run::ResponseValue>& responses,
                        const DoneRows& rows) {
  io::StudyTable table;
  table.title = study.title.empty() ? study.file : study.title;
  table.study_text = study.text;
  table.deck_text = study.deck.text();
  table.sampling = name_of(study.sampling.kind);
  table.cases = cases.size();
  table.rows = rows.size();
  std::vector<std::size_t> numbers;
  for (std::size_t k = 0; k < cases.size(); ++k)
    if (rows.has(k)) numbers.push_back(k);

  const auto add = [&](std::string name, std::string units, std::string description) -> io::Column& {
    return table.columns.emplace_back(
        io::Column{std::move(name), std::move(units), std::move(description), {}, {}, {}});
  };
  const auto counts = [&](const char* name, const char* description, auto value) {
    io::Column& column = add(name, "1", description);
    for (const std::size_t k : numbers) column.counts.push_back(static_cast<std::int64_t>(value(rows.row(k))));
  };
  counts("case", "number of the case", [](const Row& row) { return row.number; });
  for (std::size_t i = 0; i < study.axes.size(); ++i) {
    table.varied.push_back(study.axes[i].path);
    io::Column& column = add(study.axes[i].path, "", "value of the deck");
    for (const std::size_t k : numbers)
      if (cases.is_text(i)) {
        column.texts.push_back(cases.text(k, i));
      } else {
        column.numbers.push_back(cases.number(k, i));
      }
  }
  for (std::size_t i = 0; i < responses.size(); ++i) {
    table.responses.push_back(responses[i].name);
    io::Column& column = add(responses[i].name, responses[i].units, responses[i].description);
    for (const std::size_t k : numbers) column.numbers.push_back(rows.row(k).responses[i]);
  }
  io::Column& status = add("status", "1", "how the case ended: completed, failed, invalid, crashed, timed out");
  for (const std::size_t k : numbers) status.texts.emplace_back(text_of(rows.row(k).status));
  io::Column& message = add("message", "1", "what went wrong, or warnings of a run that completed");
  for (const std::size_t k : numbers) message.texts.push_back(rows.row(k).message);
  counts("newton_iterations", "linear solves", [](const Row& row) { return row.newton_iterations; });
  counts("steps", "steps of transient analyses", [](const Row& row) { return row.steps; });
  io::Column& cpu = add("cpu_time", "s", "processor time of the case");
  for (const std::size_t k : numbers) cpu.numbers.push_back(rows.row(k).cpu);
  return table;
}

// Numbers and intervals of them, at most ten.
std::string missing_text(const DoneRows& rows) {
  // Intervals
  constexpr std::size_t most = 10;
  std::string text;
  std::size_t named = 0;
  for (std::size_t k = 0; k < rows.cases(); ++k) {
    if (rows.has(k)) continue;
    std::size_t last = k;
    while (last + 1 < rows.cases() && !rows.has(last + 1)) ++last;
    if (named++ == most) return text + ", ...";
    text += (text.empty() ? "" : ", ") + std::to_string(k);
    if (last > k) text += (last == k + 1 ? ", " : " to ") + std::to_string(last);
    k = last;
  }
  return text;
}

}  // namespace polhode::studies
