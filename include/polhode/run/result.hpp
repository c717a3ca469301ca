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
  // All analyses are done
  completed,
  // The model, or the start of an analysis, is wrong: see RunResult::problems
  invalid,
  // The solution of an analysis failed: see RunResult::failure; states up to there are kept
  failed,
  // At the request of the caller; states up to there are kept
  interrupted,
};

// One analysis of the deck, as far as it went.
struct AnalysisSummary {
  // In the deck: "analysis", or "analysis.1" in a list
  std::string path;
  // "transient"
  std::string type;
  // s, time at its start
  double begin = 0;
  // s, time of its last state
  double end = 0;
  analyses::AnalysisResult result;
};

// The value of one of the deck's `responses`.
struct ResponseValue {
  // Of the deck
  std::string name;
  // SI
  std::string units;
  // "max_abs of joints.motor.force"
  std::string description;
  // Not a number where the run gave none
  double value = 0;
};

// Energy of the model, J: total = kinetic + strain + gravity.
struct EnergyBalance {
  // Total, at the first state of the run
  double first = 0;
  // Total, at the last one
  double last = 0;
  // Of loads, drives and dampers since the start
  double external_work = 0;
  // Of the stored states; 0 where no energies are stored
  double largest_kinetic = 0;
  // What nothing accounts for: last - first - external_work; negative where a method damps.
  double gain() const { return last - first - external_work; }
};

// A momentum, or the energy that a structure-preserving method keeps, over the stored states.
struct Invariant {
  // "angular momentum"
  std::string name;
  // SI
  std::string units;
  // Components: 1 or 3
  std::size_t size = 1;
  // The state at the start has none
  bool from_first_step = false;
  // Values at the first and the last state that have one; extreme values component by component.
  std::array<double, 3> first{};
  std::array<double, 3> last{};
  std::array<double, 3> smallest{};
  std::array<double, 3> largest{};
};

// Processor time of the process, s, and time spent on output.
struct RunTimes {
  // System and results made ready
  double set_up = 0;
  // All analyses together
  double analyses = 0;
  // Of the clock, within the transient analyses
  double output = 0;
};

// All that is known of a run at its end.
struct RunResult {
  Status status = Status::completed;
  // With Status::invalid; io::format_problems adds their places
  model::Problems problems;
  // In the order in which they came
  std::vector<std::string> warnings;
  // With Status::failed
  std::optional<analyses::Failure> failure;
  // Those that have begun; the last one may have failed
  std::vector<AnalysisSummary> analyses;
  // In the order of the deck
  std::vector<ResponseValue> responses;
  // Of all transient analyses
  analyses::Counts counts;
  // Of runs with steps of a transient
  std::optional<EnergyBalance> energy;
  // Of such runs, where the output has them
  std::vector<Invariant> invariants;
  // s, of the last state
  double end_time = 0;
  RunTimes times;
  int threads = 1;
  // "" where none was written
  std::string results_file;
};

// The summary of a run, one text a line, without the summaries of its analyses.
std::vector<std::string> summary_of(const RunResult& result);

}  // namespace polhode::run
