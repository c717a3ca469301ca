// SPDX-License-Identifier: BSD-3-Clause
// A deck's analyses in turn: what the command line, studies and bindings call.
//
//   const io::Deck deck = io::read_deck("four_bar.yaml");
//   const run::RunResult result = run::run_deck(deck, {.results_file = "four_bar.h5"});
//
// Each analysis starts where the one before ended. Nothing is printed but what the caller's messages pass on. Runs in
// one process do not know of each other: number of threads and floating-point mode are restored at the end.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "polhode/io/deck/deck.hpp"
#include "polhode/run/messages.hpp"
#include "polhode/run/result.hpp"

namespace polhode::run {

// A run that goes on from the results of another one, which was cut or is to be longer.
struct RestartFrom {
  std::string file = {};
  // s: from the last restart point up to there; else the last one of all
  std::optional<double> at = std::nullopt;
};

struct RunSettings {
  // Results file (HDF5), which replaces an older one; "": none is written.
  std::string results_file = {};
  // Message at the first state; "": title and sizes of the model.
  std::string headline = {};
  // Number of threads, on which results do not depend; 0: chosen by the size of the model.
  int threads = 0;
  // Summary, energy balance and host in the messages; studies of many runs do without.
  bool summarize = true;
  // Results that do not fit on the disk are refused before anything is written (io::ResultsError); what steps under
  // control leave open of their size does not count.
  bool must_fit = true;
  // Version text for the log; "": none.
  std::string program = {};
  // Processor time that reading the deck took, s; for the summary.
  double reading_seconds = 0;
  // The results become those of a run that was never cut, to the bit. Another deck, apart from longer durations, is an
  // io::DeckError, a file that cannot be gone on from an io::FileError, before anything is written.
  std::optional<RestartFrom> restart = std::nullopt;
};

// How far the present analysis is.
struct RunProgress {
  // Index of the analysis in the deck.
  int analysis = 0;
  // Simulated time at its start, s.
  double begin = 0;
  // Simulated time at its end, s; as `begin` where it takes no time.
  double end = 0;
  // Simulated time of the state that was reached, s.
  double time = 0;
  // Steps of this analysis so far.
  long steps = 0;
  // Linear solves of these steps.
  long linear_solves = 0;
};

// What a run calls while it goes. All are optional.
struct RunCallbacks {
  // Receives messages; /log of the results gets them in any case.
  Messages* messages = nullptr;
  // Called with the assembled model, before all others; it lives until the run ends.
  std::function<void(const assembly::System&)> assembled;
  // Called when the set-up is done, before the first analysis.
  std::function<void()> begin;
  // Called before the first state is stored: deck and model are valid, and no file has been touched.
  std::function<void()> first_state;
  // Asked before each step and within long ones, between two factorizations at the latest; true, which it has to stay,
  // ends the run.
  std::function<bool()> interrupted;
  // Called after the start and after each step of a transient.
  std::function<void(const RunProgress&)> progress;
  // Called then, too, with the state that was reached.
  std::function<void(const model::State&, const RunProgress&)> step;
};

// Runs all analyses of `deck`. A wrong model, or a failed or interrupted solution, is a status of the result; what was
// computed until then is in the results file. Throws io::ResultsError where the results file cannot be written.
RunResult run_deck(const io::Deck& deck, const RunSettings& settings = {}, const RunCallbacks& callbacks = {});

// What is wrong with settings of the analyses can be known before the first one runs: reported in `problems`.
void check_analyses(const assembly::System& system, const io::Deck& deck, model::Problems& problems);

// Processor time of this process so far, s.
double cpu_seconds();

}  // namespace polhode::run
