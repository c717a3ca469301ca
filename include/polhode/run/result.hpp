// SPDX-License-Identifier: BSD-3-Clause
// What a run gives back: a value from which a program learns how it ended, and why.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "polhode/analyses/analysis.hpp"
#include "polhode/model/problem.hpp"

namespace polhode::run {

// How a run ended.
enum class Status {
  completed,    // all analyses are done
  invalid,      // the model, or the start of an analysis, is wrong: see RunResult::problems
  failed,       // the solution of an analysis failed: see RunResult::failure; states up to there are kept
  interrupted,  // at the request of the caller; states up to there are kept
};

// One analysis of the deck, as far as it went.
struct AnalysisSummary {
  std::string path;  // in the deck: "analysis", or "analysis.1" in a list
  std::string type;  // "transient"
  double begin = 0;  // s, time at its start
  double end = 0;    // s, time of its last state
  analyses::AnalysisResult result;
};

// The value of one of the deck's `responses`.
struct ResponseValue {
  std::string name;         // of the deck
  std::string units;        // SI
  std::string description;  // "max_abs of joints.motor.force"
  double value = 0;         // not a number where the run gave none
};

// Energy of the model, J: total = kinetic + strain + gravity.
struct EnergyBalance {
  double first = 0;            // total, at the first state of the run
  double last = 0;             // total, at the last one
  double external_work = 0;    // of loads, drives and dampers since the start
  double largest_kinetic = 0;  // of the stored states; 0 where no energies are stored
  // What nothing accounts for: last - first - external_work; negative where a method damps.
  double gain() const { return last - first - external_work; }
};

// A momentum, or the energy that a structure-preserving method keeps, over the stored states.
struct Invariant {
  std::string name;                           // "angular momentum"
  std::string units;                          // SI
  std::size_t size = 1;                       // components: 1 or 3
  bool from_first_step = false;               // the state at the start has none
  // Values at the first and the last state that have one; extreme values component by component.
  std::array<double, 3> first{};
  std::array<double, 3> last{};
  std::array<double, 3> smallest{};
  std::array<double, 3> largest{};
};

// Processor time of the process, s, and time spent on output.
struct RunTimes {
  double set_up = 0;    // system and results made ready
  double analyses = 0;  // all analyses together
  double output = 0;    // of the clock, within the transient analyses
};

// All that is known of a run at its end.
struct RunResult {
  Status status = Status::completed;
  model::Problems problems;                  // with Status::invalid; io::format_problems adds their places
  std::vector<std::string> warnings;         // in the order in which they came
  std::optional<analyses::Failure> failure;  // with Status::failed
  std::vector<AnalysisSummary> analyses;     // those that have begun; the last one may have failed
  std::vector<ResponseValue> responses;      // in the order of the deck
  analyses::Counts counts;                   // of all transient analyses
  std::optional<EnergyBalance> energy;       // of runs with steps of a transient
  std::vector<Invariant> invariants;         // of such runs, where the output has them
  double end_time = 0;                       // s, of the last state
  RunTimes times;
  int threads = 1;
  std::string results_file;  // "" where none was written
};

// The summary of a run, one text a line, without the summaries of its analyses.
std::vector<std::string> summary_of(const RunResult& result);

}  // namespace polhode::run
