// SPDX-License-Identifier: BSD-3-Clause
// What all types of analysis share: what they get from a run, and the value that they return.
#pragma once
#include <any>
#include <optional>
#include <string>
#include <vector>

#include "polhode/analyses/static/static.hpp"
#include "polhode/analyses/transient/transient.hpp"
#include "polhode/results/channel.hpp"

namespace polhode::analyses {

// How an analysis ends. `invalid`: it could not begin; the reasons are in the problems of its context.
enum class End { done, failed, interrupted, invalid };

// Why the solution of an analysis failed.
struct Failure {
  // One line: "the step of 0.01 s to t = 0.5 s did not converge ..."
  std::string what;
  // Of the last attempt; empty where there are none
  std::vector<integrators::Iteration> iterations;
  // Equations with the largest residuals, by the names of the deck
  std::vector<std::string> worst;
  // More lines; the last ones say what to do
  std::vector<std::string> details;
};

// The failure as lines for a person: "error: ..." first, then the last iterations as a table, equations and details.
std::vector<std::string> lines_of(const Failure& failure);

// Steps and linear solves of transient analyses.
struct Counts {
  long steps = 0;
  // Linear solves of accepted steps
  long iterations = 0;
  // Linear solves of failed attempts
  long wasted = 0;
  // Of iteration matrices
  long factorizations = 0;
  // Steps that were subdivided
  long halved = 0;
  // Sub-steps that stopped at round-off
  long round_off = 0;
  Counts& operator+=(const Counts& other);
  void archive(math::Archive& a) { a(steps, iterations, wasted, factorizations, halved, round_off); }
};

// What an analysis returns to the run.
struct AnalysisResult {
  End end = End::done;
  // With End::done: no analysis follows
  bool ends_run = false;
  // With End::failed
  std::optional<Failure> failure;
  // Lines for a person, after the analysis
  std::vector<std::string> summary;
  // Lines of the monitors, which a run without a summary leaves out.
  std::vector<std::string> monitors;
  // The same, for the log only
  std::vector<std::string> monitor_notes;
  // More lines, for the log only
  std::vector<std::string> notes;
  Counts counts;
  // Of its type: TransientResult, StaticResult, ModalResult, LinearModel, InitialResult
  std::any data;
};

// Takes what an analysis gives while it goes: states, steps, warnings. Asks for interrupts in return.
class AnalysisObserver : public Observer, public StaticObserver {
 public:
  using Observer::observe;
  using StaticObserver::observe;
  // The one state of an analysis that has no steps. `external_work` in J since the start of the run.
  virtual void observe(const model::State& q, double external_work) = 0;
  // Numbers apart from histories; they replace those of the same path.
  virtual void store(const std::vector<results::StaticData>& data) = 0;
  // Whether a state has been observed, by this analysis or by one before.
  virtual bool has_begun() const = 0;
  // Work of loads and drives up to the last static state, J since the start of the run.
  virtual double external_work() const = 0;
  bool interrupted() const override = 0;
  void warn(const std::string& message) override = 0;
};

// What a run hands to each of its analyses, and what goes on from one to the next.
struct AnalysisContext {
  const assembly::System& system;
  AnalysisObserver& observer;
  // Of the start of an analysis
  model::Problems& problems;
  // Where the analysis before ended; at first the state of the deck
  model::State q;
  // J, since the start of the run
  double external_work = 0;
  // Loads act since an analysis before
  bool loaded = false;
  // Of the analysis, in the order of the deck
  int index = 0;
  // Of the analysis in the deck: "analysis.1"
  std::string path = {};
  // So far, of all transients
  std::vector<EventRecord> events = {};
  // What modal analyses of the run found so far (modal/analysis.cpp)
  std::any modes = {};
};

}  // namespace polhode::analyses
