// SPDX-License-Identifier: BSD-3-Clause
// The cases of a study that have no row yet.
#include "polhode/studies/run_study.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "case_pool.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/io/own_files.hpp"
#include "polhode/studies/case_run.hpp"

namespace polhode::studies {
namespace {

namespace fs = std::filesystem;

// Numbers of the cases of a shard without a row, in ascending order.
std::vector<std::size_t> missing_cases(const DoneRows& rows, const Shard& shard) {
  std::vector<std::size_t> numbers;
  for (std::size_t k = shard.index; k < rows.cases(); k += shard.count)
    if (!rows.has(k)) numbers.push_back(k);
  return numbers;
}

// Nothing of others is written over, nor what a link leads to; there is no --force for it. Throws FileError.
void prepare_folder(const StudyFiles& files, const std::vector<std::size_t>& numbers) {
  const std::string folder = files.folder_of_results();
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    throw io::FileError(fmt::format("{}: cannot be made: {}", folder, error ? error.message() : "it is no folder"));
  for (const std::size_t number : numbers) {
    const std::string results = files.results(number);
    for (const auto& [file, kind] :
         {std::pair(results, io::OwnFile::results), std::pair(io::picture_of(results), io::OwnFile::picture)})
      if (fs::is_symlink(file, error) || !io::may_be_replaced(file, kind))
        throw io::FileError(fmt::format(
            "{}: is there already and is none of polhode; move it away, or name another table with -o", file));
  }
}

// The picture beside the file goes with it.
void remove_results(const std::string& file) {
  std::error_code none;
  fs::remove(file, none);
  fs::remove(io::picture_of(file), none);
}

// In the process of the case, whose study is a copy of its own.
Row run_and_keep(io::Study& study, const Cases& cases, const StudyFiles& files, std::size_t number,
                 std::size_t responses) {
  const bool keeps = study.keep != io::Study::Keep::responses;
  const std::string results = keeps ? files.results(number) : "";
  Row row = run_case(cases, number, study.deck, responses, results);
  const bool completed = row.status == Row::Status::completed;
  if (study.keep == io::Study::Keep::failed && completed) remove_results(results);
  return row;
}

}  // namespace

// Rows are appended in the order in which cases end. An interrupted study keeps them and goes on with what
// is missing; so the number of a case alone says what it is.
bool run_missing_cases(io::Study& study, const Cases& cases, const StudyFiles& files, const CaseSettings& settings,
                       std::size_t responses, RowsFile& file, DoneRows& rows, const StudyCallbacks& callbacks) {
  const std::vector<std::size_t> missing = missing_cases(rows, settings.shard);
  if (missing.empty()) return true;
  if (study.keep != io::Study::Keep::responses) prepare_folder(files, missing);
  StudyProgress progress;
  progress.all = missing.size();
  auto next = missing.begin();
  const auto is_interrupted = [&] { return callbacks.interrupted && callbacks.interrupted(); };

  CasePool::Work work;
  work.responses = responses;
  work.interrupted = is_interrupted;
  work.waiting = [&] {
    if (callbacks.progress) callbacks.progress(progress);
  };
  work.next = [&]() -> std::optional<std::size_t> {
    if (next == missing.end()) return std::nullopt;
    return *next++;
  };
  work.run = [&](std::size_t number) { return run_and_keep(study, cases, files, number, responses); };
  work.finished = [&](const Row& row) {
    file.append(row);
    ++progress.done;
    if (row.status != Row::Status::completed) ++progress.failed;
    rows.add(row);
  };
  CasePool pool(settings.jobs, settings.case_timeout, std::move(work));
  pool.run();
  file.synchronize();
  return !is_interrupted();
}

}  // namespace polhode::studies
