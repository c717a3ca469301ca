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
  std::string what;                                // one line: "the step of 0.01 s to t = 0.5 s did not converge ..."
  std::vector<integrators::Iteration> iterations;  // of the last attempt; empty where there are none
  std::vector<std::string> worst;                  // equations with the largest residuals, by the names of the deck
  std::vector<std::string> details;                // more lines; the last ones say what to do
};

// The failure as lines for a person: "error: ..." first, then the last iterations as a table, equations and details.
std::vector<std::string> lines_of(const Failure& failure);

// Steps and linear solves of transient analyses.
struct Counts {
  long steps = 0;
  long iterations = 0;      // linear solves of accepted steps
  long wasted = 0;          // linear solves of failed attempts
  long factorizations = 0;  // of iteration matrices
  long halved = 0;          // steps that were subdivided
  long round_off = 0;       // sub-steps that stopped at round-off
  Counts& operator+=(const Counts& other);
};

// What an analysis returns to the run.
struct AnalysisResult {
  End end = End::done;
  std::optional<Failure> failure;    // with End::failed
  std::vector<std::string> summary;  // lines for a person, after the analysis
  std::vector<std::string> notes;    // more lines, for the log only
  Counts counts;
  std::any data;  // of its type: TransientResult, StaticResult, ModalResult, LinearModel, InitialResult
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
  assembly::System& system;
  AnalysisObserver& observer;
  model::Problems& problems;  // of the start of an analysis
  model::State q;             // where the analysis before ended; at first the state of the deck
  double external_work = 0;   // J, since the start of the run
  bool loaded = false;        // loads act since an analysis before
  int index = 0;              // of the analysis, in the order of the deck
  std::string path;           // of the analysis in the deck: "analysis.1"
  std::any modes;             // what modal analyses of the run found so far (modal/analysis.cpp)
};

}  // namespace polhode::analyses
