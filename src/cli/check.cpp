// SPDX-License-Identifier: BSD-3-Clause
// polhode check: reads and validates a deck, assembles the model and meets its constraints, and prints a summary.
#include "polhode/run/check.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "command.hpp"
#include "polhode/model/text.hpp"

namespace polhode::cli {
namespace {

// The sizes of the model as lines of two columns: they are the output of this command, hence standard output.
void print_summary(const io::Deck& deck, const run::ModelSummary& summary) {
  print(fmt::format("{}\n", model::shown_text(deck.title.empty() ? deck.file : deck.title)));
  print(fmt::format("  nodes                {}\n", summary.nodes));
  for (const auto& [kind, count] : summary.kinds) print(fmt::format("  {:<20} {}\n", kind, count));
  print(fmt::format("  unknowns             {}\n", summary.unknowns));
  print(fmt::format("  constraints          {} rows, rank {}\n", summary.constraint_rows, summary.constraint_rank));
  if (!summary.redundant.empty()) print(fmt::format("                       {}\n", summary.redundant));
  print(fmt::format("  degrees of freedom   {}\n", summary.unknowns - summary.constraint_rank));
  print(fmt::format("  size                 {:.6g} m\n", summary.length));
  if (!summary.start.empty()) print(fmt::format("  start                {}\n", summary.start));
  const char* some = summary.states_are_guessed ? "some " : "";
  const char* guess = summary.states_are_guessed ? " (a guess: steps are under control)" : "";
  print(fmt::format("  results              about {:.3g} MB, {} histories, {}{:.0f} states{}\n",
                    summary.result_bytes * 1e-6, summary.histories, some, summary.states, guess));
}

// Problems of the model end the command as problems of the deck do; results that `run` would refuse end it as they end
// `run`.
class CheckCommand final : public Command {
 public:
  void declare(Options& options) override {
    options.required({"deck", "the deck (YAML)", "DECK"}, deck_);
    options.text(
        {"-o,--output", "results file that `run` is to write, whose disk is asked; default: as of `run`", "FILE"},
        output_);
    options.flag({"--force", "results that do not fit on the disk are a warning only"}, force_);
  }

  int run(run::Messages& messages) override {
    const io::Deck deck = io::read_deck(deck_);
    const run::ModelSummary summary = run::check_deck(deck);
    io::throw_problems(deck, summary.problems);
    for (const std::string& warning : summary.warnings) messages.warning(warning);
    print_summary(deck, summary);
    return check_space(summary, messages);
  }

 private:
  // As `run`: a size that is guessed from the first step under control refuses nothing.
  int check_space(const run::ModelSummary& summary, run::Messages& messages) const {
    const std::string file = output_.empty() ? std::filesystem::path(deck_).stem().string() + ".h5" : output_;
    const std::string shortage = run::shortage_of_space(summary, file);
    if (shortage.empty()) return done;
    const std::string text = fmt::format(
        "{}: the results do not fit on its disk: {}; store fewer states or fields (`output`)", file, shortage);
    if (force_ || summary.result_bytes_are_guessed) {
      messages.warning(text);
      return done;
    }
    messages.error(text + ", name another file with -o, or go on with --force");
    return files_failed;
  }

  std::string deck_;
  // "" = the deck's name with .h5, in the current folder
  std::string output_;
  bool force_ = false;
};

}  // namespace

extern const CommandType check_command{"check", "read and validate a deck only; print a summary of the model",
                                       make_command<CheckCommand>};

}  // namespace polhode::cli
