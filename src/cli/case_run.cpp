// SPDX-License-Identifier: BSD-3-Clause
// One case of a study: a run whose outcome is a row.
#include "case_run.hpp"

#include <ctime>
#include <limits>
#include <new>

#include "analyses_run.hpp"

namespace polhode::cli {
namespace {

using studies::Row;

constexpr std::size_t longest_message = 2000;  // a row goes through a pipe in one piece

void add_to(std::string& message, std::string_view text) {
  if (message.find(text) == std::string::npos) (message += message.empty() ? "" : "; ") += text;
}

template <class Use>
void for_each_line(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// The problems of a deck without its name in front of each: it depends on the folder that the study is run from.
std::string problems_of(const std::string& text, const std::string& file) {
  std::string message;
  for_each_line(text, [&](std::string_view line) {
    if (line.starts_with(file + ":")) line.remove_prefix(file.size() + 1);
    add_to(message, line);
  });
  return message;
}

// What a run said: its error with the worst row, or its warnings.
std::string message_of(const Log& log) {
  constexpr std::string_view error = "error: ";
  constexpr std::string_view warning = "warning: ";
  std::string errors;
  std::string warnings;
  bool worst = false;
  for_each_line(log.text(), [&](std::string_view line) {
    if (line.starts_with(error)) add_to(errors, line.substr(error.size()));
    if (line.starts_with(warning)) add_to(warnings, line.substr(warning.size()));
    if (worst) add_to(errors, "worst row: " + std::string(line.substr(line.find_first_not_of(' '))));
    worst = line == "  worst rows:";
  });
  return errors.empty() ? warnings : errors;
}

void run(const io::Deck& deck, const std::string& results, Row& row) {
  model::Problems problems;
  const auto refuse = [&] {
    if (!problems.empty()) throw io::DeckError(io::format_problems(deck, problems));
  };
  auto system = assembly::System::make(deck.model, problems);
  refuse();
  Log log;
  RunObserver observer(*system, deck, results, deck.title, log, problems);
  check_analyses(*system, deck, problems);
  refuse();
  AnalysesRun analyses(*system, observer, log, problems);
  const ExitStatus status = analyses.run(deck);
  observer.finish(analyses.state(), analyses.external_work(),
                  status == done ? io::Status::completed : io::Status::failed);
  row.steps = analyses.total().step;
  row.newton_iterations = analyses.total().iterations;
  refuse();
  row.status = status == done ? Row::Status::completed : Row::Status::failed;
  row.message = message_of(log);
  if (status != done) return;
  for (std::size_t i = 0; i < row.responses.size(); ++i) row.responses[i] = observer.responses().value(i);
}

}  // namespace

Row run_case(const studies::Cases& cases, std::size_t number, io::DeckSource& deck, std::size_t responses,
             const std::string& results) {
  Row row;
  row.number = number;
  row.responses.assign(responses, std::numeric_limits<double>::quiet_NaN());
  try {
    cases.apply(number, deck);
    const io::Deck read = deck.read(!results.empty());
    run(read, results, row);
  } catch (const io::ResultsError&) {
    throw;
  } catch (const io::DeckError& error) {
    row.status = Row::Status::invalid;
    row.message = problems_of(error.what(), deck.file());
  } catch (const std::bad_alloc&) {
    row.status = Row::Status::failed;
    row.message = "there is not enough memory for this model";
  } catch (const std::exception& error) {
    row.status = Row::Status::failed;
    row.message = error.what();
  }
  if (row.message.size() > longest_message) row.message = row.message.substr(0, longest_message) + "...";
  row.cpu = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  return row;
}

}  // namespace polhode::cli
