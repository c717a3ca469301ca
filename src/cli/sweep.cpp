// SPDX-License-Identifier: BSD-3-Clause
// polhode sweep: reads a study, runs the cases that are missing, and makes the table of all.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "command.hpp"
#include "include_option.hpp"
#include "interrupts.hpp"
#include "polhode/io/own_files.hpp"
#include "polhode/math/parallel.hpp"
#include "polhode/run/check.hpp"
#include "polhode/studies/run_study.hpp"
#include "progress.hpp"

namespace polhode::cli {
namespace {

using Responses = std::vector<run::ResponseValue>;
using studies::DoneRows;
using studies::Row;

// Of the environment; "" where it is not set.
std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Of a launcher that starts several processes each has what it was given, else one processor.
int number_of_jobs(int asked, const studies::Shard& shard) {
  if (asked > 0) return asked;
  const auto given = [](const char* name) { return std::max(0, std::atoi(variable(name).c_str())); };
  if (const int each = given("SLURM_CPUS_PER_TASK"); each > 0) return each;
  if (shard.side_by_side) return 1;
  const int node = given("SLURM_CPUS_ON_NODE");
  return node > 0 ? node : math::number_of_processors();
}

// The responses of the deck as it stands; what they ask for and the model cannot give is an error of the study.
Responses check_responses(const io::Study& study) {
  const io::Deck deck = study.deck.read(false);
  model::Problems problems;
  Responses responses = run::check_responses(deck, problems);
  io::throw_problems(study, deck, problems);
  return responses;
}

// "98 completed, 2 failed"
std::string counts_text(const DoneRows& rows) {
  std::array<std::size_t, 5> counts{};
  for (std::size_t k = 0; k < rows.cases(); ++k)
    if (rows.has(k)) ++counts[static_cast<std::size_t>(rows.row(k).status)];
  std::string text = fmt::format("{} completed", counts[0]);
  for (std::size_t i = 1; i < counts.size(); ++i)
    if (counts[i] > 0) text += fmt::format(", {} {}", counts[i], text_of(static_cast<Row::Status>(i)));
  return text;
}

// A bar, as cases end in no particular order.
std::string progress_text(const studies::StudyProgress& progress) {
  constexpr std::size_t width = 30;
  const std::size_t filled = width * progress.done / progress.all;
  return fmt::format("[{}{}] {} done, {} failed, {} to go", std::string(filled, '#'), std::string(width - filled, '.'),
                     progress.done, progress.failed, progress.all - progress.done);
}

// A study: its table, its rows on disk, and the cases that have none.
class SweepCommand final : public Command {
 public:
  void declare(Options& options) override;
  std::vector<Output> outputs() const override;
  int run(run::Messages& messages) override;

 private:
  studies::StudyFiles files() const;
  studies::Shard shard(std::string& problem) const;
  // The functions below return an exit status.
  int wrong(const std::string& message) const;
  int refuse_changed(const std::string& file, const studies::Identity& before, const studies::Identity& now) const;
  int print_case(const io::Study& study, const studies::Cases& cases, io::DeckSource deck) const;
  int run_shard(io::Study& study, const studies::Cases& cases, const studies::StudyFiles& files,
                const studies::Shard& shard, const Responses& responses);
  // Takes the rows of the other shards.
  int add_rows_of_others(const studies::StudyFiles& files, const std::string& own, const io::Study& study,
                         DoneRows& rows) const;
  int write_table(const io::Study& study, const studies::Cases& cases, const Responses& responses, const DoneRows& rows,
                  const studies::StudyFiles& files) const;
  void report_failures(const DoneRows& rows) const;
  bool run_cases(io::Study& study, const studies::Cases& cases, const studies::StudyFiles& files,
                 const studies::Shard& shard, std::size_t responses, studies::RowsFile& file, DoneRows& rows);

  std::string study_;
  IncludeOption includes_;
  // "" = the study's name with .h5, in the current folder
  std::string output_;
  // 0 = one a processor
  int jobs_ = 0;
  // I/N; "" = by the environment
  std::string shard_;
  // s; 0 = none
  double case_timeout_ = 0;
  // Prints the deck of this case
  std::optional<long> print_case_;
  bool collect_ = false;
  bool csv_ = false;
  // While it runs
  run::Messages* messages_ = nullptr;
};

void SweepCommand::declare(Options& options) {
  options.required({"study", "the study (YAML)", "STUDY"}, study_);
  options.text({"-o,--output", "table (HDF5); default: the study's name with .h5, in this folder", "FILE"}, output_);
  options.count({"--jobs", "cases side by side; default: one a processor", "N"}, jobs_, 4096);
  const auto shard =
      options.text({"--shard", "one shard of the cases; default: by Slurm or mpirun, else all of them", "I/N"}, shard_);
  options.positive({"--case-timeout", "seconds after which a case is given up; default: none", "S"}, case_timeout_);
  const auto collect =
      options.flag({"--collect", "run nothing: join the rows of all shards, and say what is missing"}, collect_);
  options.exclude(collect, shard);
  includes_.declare(options);
  options.flag({"--csv", "write the table as CSV, too"}, csv_);
  options.integer({"--print-case", "run nothing: print the whole deck of a case, from 0", "K"}, print_case_);
}

studies::StudyFiles SweepCommand::files() const {
  return studies::StudyFiles(output_or_default(output_, study_, ".h5"));
}

studies::Shard SweepCommand::shard(std::string& problem) const {
  return shard_.empty() ? studies::shard_of_environment(variable, problem) : studies::read_shard(shard_, problem);
}

std::vector<Output> SweepCommand::outputs() const {
  if (print_case_) return {};
  std::vector<Output> all{{"table (-o)", files().table}};
  std::string problem;
  const studies::Shard own = shard(problem);
  if (problem.empty()) all.push_back({"rows beside the table", files().rows(own)});
  if (csv_) all.push_back({"table as CSV", files().csv()});
  return all;
}

int SweepCommand::wrong(const std::string& message) const {
  messages_->error("polhode sweep: " + message);
  return wrong_usage;
}

// Rows of another study must not stand beside those of this one.
int SweepCommand::refuse_changed(const std::string& file, const studies::Identity& before,
                                 const studies::Identity& now) const {
  constexpr std::size_t most_lines = 10;
  std::string text = file + ": was made by a study (or a deck) that was another one:";
  const auto lines = studies::differences(before, now);
  for (std::size_t i = 0; i < std::min(lines.size(), most_lines); ++i) text += "\n  " + lines[i];
  if (lines.size() > most_lines) text += fmt::format("\n  and {} more", lines.size() - most_lines);
  return wrong(text + "\nname another file with -o, or remove this one to begin anew");
}

int SweepCommand::add_rows_of_others(const studies::StudyFiles& files, const std::string& own, const io::Study& study,
                                     DoneRows& rows) const {
  for (const std::string& file : files.all_rows()) {
    if (file == own) continue;
    studies::ReadRows read = studies::read_rows(file);
    if (read.good > 0 && read.identity != study.identity) return refuse_changed(file, read.identity, study.identity);
    for (Row& row : read.rows) rows.add(std::move(row));
  }
  return done;
}

// The first messages of cases that did not complete.
void SweepCommand::report_failures(const DoneRows& rows) const {
  constexpr std::size_t most = 3;
  std::size_t reported = 0;
  for (std::size_t k = 0; k < rows.cases() && reported < most; ++k) {
    if (!rows.has(k) || rows.row(k).status == Row::Status::completed) continue;
    ++reported;
    messages_->say(run::Level::warning,
                   fmt::format("  case {} {}: {}", k, text_of(rows.row(k).status), rows.row(k).message));
  }
}

int SweepCommand::write_table(const io::Study& study, const studies::Cases& cases, const Responses& responses,
                              const DoneRows& rows, const studies::StudyFiles& files) const {
  const io::StudyTable table = table_of(study, cases, responses, rows);
  io::write_study(files.table, table);
  if (csv_) io::write_study_csv(files.csv(), table);
  messages_->info(fmt::format("{} cases: {}", rows.size(), counts_text(rows)));
  report_failures(rows);
  const std::size_t missing = rows.cases() - rows.size();
  if (missing > 0)
    messages_->error(fmt::format("{} of {} cases are missing: {}", missing, rows.cases(), missing_text(rows)));
  messages_->info("table: " + files.table + (csv_ ? " and " + files.csv() : ""));
  return missing > 0 ? solution_failed : done;
}

// The deck of a case may be run by itself, from any folder.
int SweepCommand::print_case(const io::Study& study, const studies::Cases& cases, io::DeckSource deck) const {
  const long number = *print_case_;
  if (number < 0 || static_cast<std::size_t>(number) >= cases.size())
    return wrong(fmt::format("there is no case {}; {} has the cases 0 to {}", number, study.file, cases.size() - 1));
  cases.apply(static_cast<std::size_t>(number), deck);
  deck.use_absolute_files();
  print(deck.text());
  return done;
}

bool SweepCommand::run_cases(io::Study& study, const studies::Cases& cases, const studies::StudyFiles& files,
                             const studies::Shard& shard, std::size_t responses, studies::RowsFile& file,
                             DoneRows& rows) {
  Progress line(*messages_);
  studies::StudyCallbacks callbacks;
  callbacks.interrupted = is_interrupted;
  callbacks.progress = [&line](const studies::StudyProgress& progress) {
    const double fraction = static_cast<double>(progress.done) / static_cast<double>(progress.all);
    line.show(fraction, [&] { return progress_text(progress); });
  };
  const studies::CaseSettings settings{shard, number_of_jobs(jobs_, shard), case_timeout_};
  return run_missing_cases(study, cases, files, settings, responses, file, rows, callbacks);
}

// The lock on the file of rows comes before anything is run. Cases that other shards have done are not done
// again.
int SweepCommand::run_shard(io::Study& study, const studies::Cases& cases, const studies::StudyFiles& files,
                            const studies::Shard& shard, const Responses& responses) {
  using Opened = studies::RowsFile::Opened;
  const std::string own = files.rows(shard);
  studies::RowsFile file(own, study.identity);
  if (file.opened() == Opened::in_use)
    return wrong(
        fmt::format("{}: is written by another study, or another shard of this number, right now (process {}); wait "
                    "for its end, or name another file with -o",
                    own, file.used_by()));
  if (file.opened() == Opened::changed) return refuse_changed(own, file.before().identity, study.identity);
  DoneRows rows(cases.size());
  for (const Row& row : file.before().rows) rows.add(row);
  if (const int status = add_rows_of_others(files, own, study, rows); status != done) return status;
  if (rows.size() > 0) messages_->info(fmt::format("{} of {} cases are done already", rows.size(), cases.size()));

  catch_interrupts();
  if (!run_cases(study, cases, files, shard, responses.size(), file, rows)) {
    messages_->error(
        fmt::format("interrupted: {} of {} cases are done; the same command goes on", rows.size(), cases.size()));
    return interrupted;
  }
  if (!shard.given) return write_table(study, cases, responses, rows, files);
  messages_->info(fmt::format("shard {} of {} ({}) is done, its rows are in {}; polhode sweep --collect joins them",
                              shard.index + 1, shard.count, shard.source, own));
  return done;
}

// The order of the checks: nothing is written before all of them have passed.
int SweepCommand::run(run::Messages& messages) {
  messages_ = &messages;
  // The cases are what runs side by side, and a process with threads cannot be forked
  math::set_number_of_threads(1);
  io::Study study = io::read_study(study_, includes_.value());
  const studies::Cases cases(study);
  if (print_case_) return print_case(study, cases, std::move(study.deck));

  std::string problem;
  const studies::Shard shard = this->shard(problem);
  if (!problem.empty()) return wrong((shard_.empty() ? "" : "--shard: ") + problem);
  const studies::StudyFiles files = this->files();
  if (const std::string clash = clash_of_output(files.table, {study_, study.deck.file()}); !clash.empty()) {
    messages.error(clash);
    return wrong_usage;
  }
  if (csv_ && !io::may_be_replaced(files.csv(), io::OwnFile::table))
    return wrong(files.csv() +
                 ": is there already and is no table of a study; name another file with -o, or remove it");
  const Responses responses = check_responses(study);
  if (!collect_) return run_shard(study, cases, files, shard, responses);
  DoneRows rows(cases.size());
  if (const int status = add_rows_of_others(files, "", study, rows); status != done) return status;
  return write_table(study, cases, responses, rows, files);
}

}  // namespace

extern const CommandType sweep_command{"sweep", "a parameter study: many runs of one deck", make_command<SweepCommand>};

}  // namespace polhode::cli
