// SPDX-License-Identifier: BSD-3-Clause
// polhode sweep: reads a study, runs the cases that are missing, and makes the table of all.
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "case_pool.hpp"
#include "case_run.hpp"
#include "commands.hpp"
#include "floating_point.hpp"
#include "polhode/results/sampler.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/model/text.hpp"
#include "run_observer.hpp"
#include "sweep_files.hpp"
#include "sweep_progress.hpp"

namespace polhode::cli {

using model::format;
namespace {

using studies::Row;

int wrong(const std::string& message) {
  std::fprintf(stderr, "polhode sweep: %s\n", message.c_str());
  return wrong_usage;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

int processors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

// Of a launcher that starts several processes each has what it was given, else one processor.
int number_of_jobs(int asked, const studies::Share& share) {
  if (asked > 0) return asked;
  const auto given = [](const char* name) { return std::max(0, std::atoi(variable(name).c_str())); };
  if (const int each = given("SLURM_CPUS_PER_TASK"); each > 0) return each;
  if (share.side_by_side) return 1;
  const int node = given("SLURM_CPUS_ON_NODE");
  return node > 0 ? node : processors();
}

// The responses of the deck as it stands; what they ask for and the model cannot have is an error of the study.
std::vector<ResponseColumn> check_responses(const io::Study& study) {
  const io::Deck deck = study.deck.read(false);
  model::Problems problems;
  const auto refuse = [&] {
    if (!problems.empty()) throw io::DeckError(io::format_problems(study, deck, problems));
  };
  const auto system = assembly::System::make(deck.model, problems);
  refuse();
  const results::Sampler sampler(*system, deck.output.fields, analyses::any_controlled(deck.analyses),
                                  analyses::has_static(deck.analyses));
  const results::ResponseValues values(sampler.layout(), deck.responses, problems);
  refuse();
  std::vector<ResponseColumn> columns;
  for (std::size_t i = 0; i < values.size(); ++i)
    columns.push_back({values.name(i), values.units(i), values.description(i)});
  return columns;
}

int refuse_changed(const std::string& file, const studies::Identity& before, const studies::Identity& now) {
  std::string text = file + ": was made by a study (or a deck) that was another one:";
  const auto lines = studies::differences(before, now);
  for (std::size_t i = 0; i < lines.size() && i < 10; ++i) text += "\n  " + lines[i];
  if (lines.size() > 10) text += format("\n  and %zu more", lines.size() - 10);
  return wrong(text + "\nname another file with -o, or remove this one to begin anew");
}

// Takes the rows of the other shares; a nonzero status if one is of another study.
int add_rows_of_others(const SweepFiles& files, const std::string& own, const io::Study& study, DoneRows& rows) {
  for (const std::string& file : files.all_rows()) {
    if (file == own) continue;
    studies::ReadRows read = studies::read_rows(file);
    if (read.good > 0 && read.identity != study.identity) return refuse_changed(file, read.identity, study.identity);
    for (Row& row : read.rows) rows.add(std::move(row));
  }
  return done;
}

std::string counts_text(const DoneRows& rows) {
  std::array<std::size_t, 5> counts{};
  for (std::size_t k = 0; k < rows.cases(); ++k)
    if (rows.has(k)) ++counts[static_cast<std::size_t>(rows.row(k).status)];
  std::string text = format("%zu completed", counts[0]);
  for (std::size_t i = 1; i < counts.size(); ++i)
    if (counts[i] > 0) text += format(", %zu %s", counts[i], text_of(static_cast<Row::Status>(i)));
  return text;
}

// The first messages of cases that did not complete.
void tell_failures(const DoneRows& rows) {
  std::size_t told = 0;
  for (std::size_t k = 0; k < rows.cases() && told < 3; ++k)
    if (rows.has(k) && rows.row(k).status != Row::Status::completed && ++told)
      std::fprintf(stderr, "  case %zu %s: %s\n", k, text_of(rows.row(k).status), rows.row(k).message.c_str());
}

int write_table(const io::Study& study, const studies::Cases& cases, const std::vector<ResponseColumn>& responses,
                const DoneRows& rows, const SweepFiles& files, bool csv) {
  const io::StudyTable table = table_of(study, cases, responses, rows);
  io::write_study(files.table, table);
  if (csv) io::write_study_csv(files.csv(), table);
  std::fprintf(stderr, "%zu cases: %s\n", rows.size(), counts_text(rows).c_str());
  tell_failures(rows);
  if (rows.size() < rows.cases())
    std::fprintf(stderr, "%zu of %zu cases are missing: %s\n", rows.cases() - rows.size(), rows.cases(),
                 missing_text(rows).c_str());
  std::fprintf(stderr, "table: %s%s\n", files.table.c_str(), csv ? (" and " + files.csv()).c_str() : "");
  return rows.size() < rows.cases() ? solution_failed : done;
}

int print_case(const io::Study& study, const studies::Cases& cases, long number, io::DeckSource deck) {
  if (number < 0 || static_cast<std::size_t>(number) >= cases.size())
    return wrong(
        format("there is no case %ld; %s has the cases 0 to %zu", number, study.file.c_str(), cases.size() - 1));
  cases.apply(static_cast<std::size_t>(number), deck);
  deck.use_absolute_files();
  std::fputs(deck.text().c_str(), stdout);
  return done;
}

// Runs what is missing of the share; `rows` grows.
int run_missing(io::Study& study, const studies::Cases& cases, const SweepFiles& files, const studies::Share& share,
                const SweepOptions& options, std::size_t responses, studies::RowsFile& file, DoneRows& rows) {
  std::size_t to_go = 0;
  std::size_t next = share.index;
  for (std::size_t k = share.index; k < cases.size(); k += share.count) to_go += rows.has(k) ? 0 : 1;
  if (to_go == 0) return done;
  if (study.keep != io::Study::Keep::responses) std::filesystem::create_directories(files.folder_of_results());
  SweepProgress progress(to_go);
  CasePool::Work work;
  work.responses = responses;
  work.interrupted = is_interrupted;
  work.waiting = [&] { progress.show(); };
  work.next = [&]() -> std::optional<std::size_t> {
    while (next < cases.size() && rows.has(next)) next += share.count;
    if (next >= cases.size()) return std::nullopt;
    const std::size_t number = next;
    next += share.count;
    return number;
  };
  work.run = [&](std::size_t number) {
    const bool keeps = study.keep != io::Study::Keep::responses;
    const std::string results = keeps ? files.results(number) : "";
    Row row = run_case(cases, number, study.deck, responses, results);  // its own copy
    if (study.keep == io::Study::Keep::failed && row.status == Row::Status::completed) {
      std::error_code none;
      std::filesystem::remove(results, none);
      std::filesystem::remove(std::filesystem::path(results).replace_extension(".xdmf"), none);
    }
    return row;
  };
  work.finished = [&](const Row& row) {
    file.append(row);
    progress.add(row.status == Row::Status::completed);
    rows.add(row);
  };
  CasePool pool(number_of_jobs(options.jobs, share), options.case_timeout, std::move(work));
  pool.run();
  file.synchronize();
  return is_interrupted() ? interrupted : done;
}

}  // namespace

int sweep(const SweepOptions& options) {
  omp_set_num_threads(1);  // the cases are what runs side by side, and a process with threads cannot be forked
  flush_denormals();
  io::Study study = io::read_study(options.study);
  const studies::Cases cases(study);
  if (options.print_case) return print_case(study, cases, *options.print_case, std::move(study.deck));

  std::string problem;
  const studies::Share share = options.shard.empty() ? studies::share_of_environment(variable, problem)
                                                     : studies::read_share(options.shard, problem);
  if (!problem.empty()) return wrong((options.shard.empty() ? "" : "--shard: ") + problem);
  const SweepFiles files(options.output.empty() ? std::filesystem::path(options.study).stem().string() + ".h5"
                                                : options.output);
  if (const std::string clash = clash_of_output(files.table, {options.study, study.deck.file()}); !clash.empty()) {
    std::fprintf(stderr, "%s\n", clash.c_str());
    return wrong_usage;
  }
  const std::vector<ResponseColumn> responses = check_responses(study);
  DoneRows rows(cases.size());
  if (options.collect) {
    if (const int status = add_rows_of_others(files, "", study, rows); status != done) return status;
    return write_table(study, cases, responses, rows, files, options.csv);
  }

  const std::string own = files.rows(share);
  studies::RowsFile file(own, study.identity);
  if (file.opened() == studies::RowsFile::Opened::in_use)
    return wrong(
        format("%s: is written by another study, or another share of this number, right now (process %ld); wait "
               "for its end, or name another file with -o",
               own.c_str(), file.used_by()));
  if (file.opened() == studies::RowsFile::Opened::changed)
    return refuse_changed(own, file.before().identity, study.identity);
  for (const Row& row : file.before().rows) rows.add(row);
  if (const int status = add_rows_of_others(files, own, study, rows); status != done) return status;
  if (rows.size() > 0) std::fprintf(stderr, "%zu of %zu cases are done already\n", rows.size(), cases.size());

  catch_interrupts();
  const int status = run_missing(study, cases, files, share, options, responses.size(), file, rows);
  if (status != done) {
    std::fprintf(stderr, "interrupted: %zu of %zu cases are done; the same command goes on\n", rows.size(),
                 cases.size());
    return status;
  }
  if (!share.given) return write_table(study, cases, responses, rows, files, options.csv);
  std::fprintf(stderr, "share %zu of %zu (%s) is done, its rows are in %s; polhode sweep --collect joins them\n",
               share.index + 1, share.count, share.source.c_str(), own.c_str());
  return done;
}

}  // namespace polhode::cli
