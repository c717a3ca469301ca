// SPDX-License-Identifier: BSD-3-Clause
// polhode check: reads and validates a deck, assembles the model and meets its constraints, and prints a summary.
#include "polhode/run/check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "include_option.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/model/text.hpp"
#include "run_files.hpp"

namespace polhode::cli {
namespace {

constexpr std::size_t most_rows = 20;  // of a table

std::string rest_of(std::size_t lines) {
  return lines > most_rows ? fmt::format("  and {} more\n", lines - most_rows) : "";
}

// Inertia about the center of mass along the inertial axes: xx, yy, zz, xy, xz, yz.
void print_masses(const std::vector<run::MassProperties>& masses, const model::Units& units) {
  const auto head = [&](std::string_view what, std::string_view unit) {
    return fmt::format("{} [{}]", what, units.name_of(unit));
  };
  print(fmt::format("\n  {:<24} {:>11}  {:<36} {}\n", "", head("mass", "kg"), head("center of mass", "m"),
                    head("inertia xx, yy, zz, xy, xz, yz", "kg m^2")));
  for (std::size_t i = 0; i < std::min(most_rows, masses.size()); ++i) {
    const run::MassProperties& m = masses[i];
    const math::Mat3& J = m.inertia;
    const std::string center = fmt::format("{:.5g}, {:.5g}, {:.5g}", m.center.x(), m.center.y(), m.center.z());
    print(fmt::format("  {:<24} {:>11.6g}  {:<36} {:.5g}, {:.5g}, {:.5g}, {:.5g}, {:.5g}, {:.5g}\n",
                      m.path.empty() ? "whole model" : m.path, m.mass, center, J(0, 0), J(1, 1), J(2, 2), J(0, 1),
                      J(0, 2), J(1, 2)));
  }
  print(rest_of(masses.size()));
}

void print_joints(const std::vector<run::ModelSummary::Joint>& joints) {
  if (joints.empty()) return;
  print(fmt::format("\n  {:<24} {:<16} {}\n", "joint", "type", "degrees of freedom"));
  for (std::size_t i = 0; i < std::min(most_rows, joints.size()); ++i)
    print(fmt::format("  {:<24} {:<16} {}\n", joints[i].path, joints[i].kind, joints[i].freedoms));
  print(rest_of(joints.size()));
}

void print_feedback(const std::vector<run::ModelSummary::Feedback>& feedback, const model::Units& units) {
  if (feedback.empty()) return;
  const auto with_unit = [&](const std::string& path, const std::string& unit) {
    return unit.empty() ? path : fmt::format("{} [{}]", path, units.name_of(unit));
  };
  print(fmt::format("\n  {:<32} {}\n", "feedback", "follows, by gains that formulas give units to"));
  for (std::size_t i = 0; i < std::min(most_rows, feedback.size()); ++i) {
    std::string follows;
    for (const auto& [path, unit] : feedback[i].follows)
      follows += (follows.empty() ? "" : ", ") + with_unit(path, unit);
    print(fmt::format("  {:<32} {}\n", with_unit(feedback[i].path, feedback[i].unit), follows));
  }
  print(rest_of(feedback.size()));
}

// The sizes of the model as lines of two columns: they are the output of this command, hence standard output.
void print_summary(const io::Deck& deck, const run::ModelSummary& summary) {
  print(fmt::format("{}\n", model::shown_text(deck.title.empty() ? deck.file : deck.title)));
  print(fmt::format("  nodes                {}\n", summary.nodes));
  for (const auto& [kind, count] : summary.kinds) print(fmt::format("  {:<20} {}\n", kind, count));
  print(fmt::format("  unknowns             {}\n", summary.unknowns));
  print(fmt::format("  constraints          {} rows, rank {}\n", summary.constraint_rows, summary.constraint_rank));
  if (!summary.redundant.empty()) print(fmt::format("                       {}\n", summary.redundant));
  print(fmt::format("  degrees of freedom   {}\n", summary.unknowns - summary.constraint_rank));
  print(fmt::format("  size                 {:.6g} {}\n", summary.length, deck.units.length));
  if (!summary.start.empty()) print(fmt::format("  start                {}\n", summary.start));
  const char* some = summary.states_are_guessed ? "some " : "";
  const char* guess = summary.states_are_guessed ? " (a guess: steps are under control)" : "";
  print(fmt::format("  results              about {:.3g} MB, {} histories, {}{:.0f} states{}\n",
                    summary.result_bytes * 1e-6, summary.histories, some, summary.states, guess));
  print_masses(summary.masses, deck.units);
  print_joints(summary.joints);
  print_feedback(summary.feedback, deck.units);
}

// Problems of the model end the command as problems of the deck do; results that `run` would refuse end it as they end
// `run`.
class CheckCommand final : public Command {
 public:
  void declare(Options& options) override {
    options.required({"deck", "the deck (YAML)", "DECK"}, files_.deck);
    options.text({"-o,--output",
                  "results file that `run` is to write, which is refused as by `run`; default: as of `run`", "FILE"},
                 files_.output);
    options.flag({"--expand", "print the deck with instances of parts as entries of their own, and no summary"},
                 expand_);
    options.repeated({"--set", "replace a value of the deck (repeatable), as in parameters.N=1000", "PATH=VALUE"},
                     set_);
    includes_.declare(options);
    options.flag({"--force", "as of `run`: files of others and results that do not fit on the disk are no error"},
                 force_);
  }

  int run(run::Messages& messages) override {
    if (const std::string clash = files_.clash(force_); !clash.empty()) {
      messages.error(clash);
      return wrong_usage;
    }
    io::DeckSource source(files_.deck, includes_.value());
    for (const std::string& setting : set_) source.set(setting);
    if (expand_) {
      print(source.flat_text());
      return done;
    }
    const io::Deck deck = source.read();
    if (const std::string clash = files_.clash_with(deck); !clash.empty()) {
      messages.error(clash);
      return wrong_usage;
    }
    const run::ModelSummary summary = run::check_deck(deck);
    io::throw_problems(deck, summary.problems);
    for (const std::string& warning : summary.warnings) messages.warning(warning);
    if (!messages.is_quiet()) print_summary(deck, summary);
    const int status = check_space(summary, messages);
    if (status == done) io::check_results_place(files_.results());
    return status;
  }

 private:
  // As `run`: a size that is guessed from the first step under control refuses nothing, states at given times do.
  int check_space(const run::ModelSummary& summary, run::Messages& messages) const {
    const std::string file = files_.results();
    const std::string known = run::known_shortage_of_space(summary, file);
    const std::string shortage = known.empty() ? run::shortage_of_space(summary, file) : known;
    if (shortage.empty()) return done;
    if (force_ || known.empty()) {
      messages.warning(shortage);
      return done;
    }
    messages.error(shortage + run::shortage_remedy);
    return files_failed;
  }

  RunFiles files_;
  IncludeOption includes_;
  std::vector<std::string> set_;
  bool force_ = false;
  bool expand_ = false;
};

}  // namespace

extern const CommandType check_command{"check", "read and validate a deck only; print a summary of the model",
                                       make_command<CheckCommand>};

}  // namespace polhode::cli
