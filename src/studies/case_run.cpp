// SPDX-License-Identifier: BSD-3-Clause
// One case of a study: a run whose result is a row.
#include "polhode/studies/case_run.hpp"

#include <limits>
#include <new>

#include "cut_results.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/math/free_memory.hpp"
#include "polhode/run/run.hpp"

namespace polhode::studies {
namespace {

// A row goes through a pipe at once
constexpr std::size_t longest_message = 2000;

// Appends a part, each once, between semicolons.
void add_to(std::string& message, std::string_view text) {
  if (message.find(text) != std::string::npos) return;
  if (!message.empty()) message += "; ";
  message += text;
}

// The problems of a deck without its name in front of each: it depends on the folder that the study is run from.
std::string message_of_problems(std::string_view text, const std::string& file) {
  std::string message;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with(file + ":")) line.remove_prefix(file.size() + 1);
    add_to(message, line);
  }
  return message;
}

// Why the run failed, with the worst row; or its warnings.
std::string message_of(const run::RunResult& result) {
  std::string message;
  if (result.failure) {
    message = result.failure->what;
    if (!result.failure->worst.empty()) add_to(message, "worst row: " + result.failure->worst.front());
    return message;
  }
  for (const std::string& warning : result.warnings) add_to(message, warning);
  return message;
}

// From the results that the case left when it was cut, unless they are of another deck or version.
run::RunResult go_on(const io::Deck& deck, run::RunSettings settings) {
  const CutResults cut(settings.results_file);
  if (!cut.file().empty()) {
    try {
      settings.restart = run::RestartFrom{cut.file()};
      return run::run_deck(deck, settings);
    } catch (const io::FileError&) {
      settings.restart.reset();
    } catch (const io::DeckError&) {
      settings.restart.reset();
    }
  }
  return run::run_deck(deck, settings);
}

// A run without a summary: its numbers are in the row.
void run_deck(const io::Deck& deck, const std::string& results, Row& row) {
  run::RunSettings settings;
  settings.results_file = results;
  settings.headline = deck.title;
  // The cases are what runs side by side
  settings.threads = 1;
  settings.summarize = false;
  const run::RunResult result = go_on(deck, settings);
  row.steps = result.counts.steps;
  row.newton_iterations = result.counts.iterations;
  io::throw_problems(deck, result.problems);
  const bool completed = result.status == run::Status::completed;
  row.status = completed ? Row::Status::completed : Row::Status::failed;
  row.message = message_of(result);
  if (!completed) return;
  for (std::size_t i = 0; i < row.responses.size(); ++i) row.responses[i] = result.responses[i].value;
}

}  // namespace

// Everything that can go wrong with a case becomes its row, so that one bad case does not end a study;
// only files that cannot be written do.
Row run_case(const Cases& cases, std::size_t number, io::DeckSource& deck, std::size_t responses,
             const std::string& results) {
  const double before = run::cpu_seconds();
  Row row;
  row.number = number;
  row.responses.assign(responses, std::numeric_limits<double>::quiet_NaN());
  try {
    cases.apply(number, deck);
    run_deck(deck.read(!results.empty()), results, row);
  } catch (const io::ResultsError&) {
    throw;
  } catch (const io::DeckError& error) {
    row.status = Row::Status::invalid;
    row.message = message_of_problems(error.what(), deck.file());
  } catch (const std::bad_alloc& error) {
    row.status = Row::Status::failed;
    row.message = math::memory_text(error);
  } catch (const std::exception& error) {
    row.status = Row::Status::failed;
    row.message = error.what();
  }
  if (row.message.size() > longest_message) row.message = row.message.substr(0, longest_message) + "...";
  row.cpu = run::cpu_seconds() - before;
  return row;
}

}  // namespace polhode::studies
