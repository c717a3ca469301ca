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
#include <string>
#include <vector>

#include "polhode/io/deck/deck.hpp"
#include "polhode/run/messages.hpp"
#include "polhode/run/result.hpp"

namespace polhode::run {

struct RunSettings {
  std::string results_file;  // HDF5, replaced where it exists; "" = none is written
  std::string headline;      // message at the first state; "" = title and sizes of the model
  int threads = 0;           // 0 = chosen by the size of the model; results do not depend on it
  // Summary, energy balance and host in the messages; studies of many runs do without.
  bool summarize = true;
  std::string program;         // version text for the log; "" = none
  double reading_seconds = 0;  // processor time that reading the deck took, for the summary
};

// How far the present analysis is.
struct RunProgress {
  int analysis = 0;        // index
  double begin = 0;        // s
  double end = 0;          // s; as `begin` where the analysis takes no time
  double time = 0;         // s, of the state that was reached
  long steps = 0;          // of this analysis
  long linear_solves = 0;  // of these steps
};

// What a run calls while it goes. All are optional.
struct RunCallbacks {
  Messages* messages = nullptr;                      // receives messages; /log of the results gets them in any case
  std::function<void()> begin;                       // the set-up is done, and the first analysis begins
  std::function<bool()> interrupted;                 // true: the run ends after the present step
  std::function<void(const RunProgress&)> progress;  // after each step of a transient
  std::function<void(const model::State&, const RunProgress&)> step;  // the same, with the state that was reached
};

// Runs all analyses of `deck`. A wrong model, or a failed or interrupted solution, is a status of the result; what was
// computed until then is in the results file. Throws io::ResultsError where the results file cannot be written.
RunResult run_deck(const io::Deck& deck, const RunSettings& settings = {}, const RunCallbacks& callbacks = {});

// What is wrong with settings of the analyses can be known before the first one runs: reported in `problems`.
void check_analyses(const assembly::System& system, const io::Deck& deck, model::Problems& problems);

// Processor time of this process so far, s.
double cpu_seconds();

}  // namespace polhode::run
