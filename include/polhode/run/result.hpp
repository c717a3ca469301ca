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
  // Path in the deck: "analysis", or "analysis.1" in a list.
  std::string path;
  // Name of its type: "transient".
  std::string type;
  // Simulated time at its start, s.
  double begin = 0;
  // Simulated time of its last state, s.
  double end = 0;
  analyses::AnalysisResult result;
};

// The value of one of the deck's `responses`.
struct ResponseValue {
  // Name in the deck.
  std::string name;
  // SI unit.
  std::string units;
  // What it is of: "max_abs of joints.motor.force".
  std::string description;
  // Not a number where the run gave none.
  double value = 0;
};

// Energy of the model, J: total = kinetic + strain + gravity.
struct EnergyBalance {
  // Total energy at the first state of the run.
  double first = 0;
  // Total energy at the last state.
  double last = 0;
  // Work of loads, drives and dampers since the start.
  double external_work = 0;
  // Largest kinetic energy of the stored states; 0 where no energies are stored.
  double largest_kinetic = 0;
  // What nothing accounts for: last - first - external_work; negative where a method damps.
  double gain() const { return last - first - external_work; }
};

// A momentum, or the energy that a structure-preserving method keeps, over the stored states.
struct Invariant {
  // Its name in words: "angular momentum".
  std::string name;
  // SI unit.
  std::string units;
  // Number of components: 1 or 3.
  std::size_t size = 1;
  // Values begin with the first step; the state at the start has none.
  bool from_first_step = false;
  // Values at the first and the last state that have one; extreme values component by component.
  std::array<double, 3> first{};
  std::array<double, 3> last{};
  std::array<double, 3> smallest{};
  std::array<double, 3> largest{};
};

// Processor time of the process, s, and time spent on output.
struct RunTimes {
  // Time until system and results were ready.
  double set_up = 0;
  // Time of all analyses together.
  double analyses = 0;
  // Time of output within the transient analyses, by the clock.
  double output = 0;
};

// All that is known of a run at its end.
struct RunResult {
  Status status = Status::completed;
  // What is wrong with the model; io::format_problems adds places in the deck.
  model::Problems problems;
  // Warnings in the order in which they came.
  std::vector<std::string> warnings;
  // Why the solution failed, with Status::failed.
  std::optional<analyses::Failure> failure;
  // Analyses that have begun; the last one may have failed.
  std::vector<AnalysisSummary> analyses;
  // Responses in the order of the deck.
  std::vector<ResponseValue> responses;
  // Counts of all transient analyses together.
  analyses::Counts counts;
  // Energies of a run with steps of a transient.
  std::optional<EnergyBalance> energy;
  // Invariants of such a run, where the output has them.
  std::vector<Invariant> invariants;
  // Simulated time of the last state, s.
  double end_time = 0;
  RunTimes times;
  int threads = 1;
  // Name of the file that was written; "" where there is none.
  std::string results_file;
};

// The summary of a run, one text a line, without the summaries of its analyses.
std::vector<std::string> summary_of(const RunResult& result);

}  // namespace polhode::run
