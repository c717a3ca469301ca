// SPDX-License-Identifier: BSD-3-Clause
// Transient analysis: from a state over a duration, with fixed steps t_n = t_0 + n h or with steps under control.
#pragma once
#include <string>
#include <vector>

#include "polhode/analyses/initial/start.hpp"
#include "polhode/analyses/restart_points.hpp"
#include "polhode/analyses/settings.hpp"
#include "polhode/analyses/transient/event_record.hpp"
#include "polhode/integrators/step_record.hpp"
#include "polhode/results/monitors.hpp"

namespace polhode::analyses {

// Of one analysis with fixed steps: they are counted in 32 bits.
inline constexpr double most_transient_steps = 2e9;

struct Progress {
  long step = 0;   // steps done
  long steps = 0;  // steps of the analysis; 0 under step-size control, which cannot know it
  long iterations = 0;
  long wasted = 0;
  long factorizations = 0;
  long factorizations_with_new_pivots = 0;
  long halved = 0;     // steps that were subdivided
  long round_off = 0;  // sub-steps that stopped at round-off
  // attempts, under step-size control
  long rejected_for_error = 0;
  long rejected_by_newton = 0;
  double shortest = 0;       // s; of the steps so far, under step-size control
  double longest = 0;        // s; of the steps so far, under step-size control
  double external_work = 0;  // J, since the start of the run

  // But for `steps`, which the settings say.
  void archive(math::Archive& a) {
    a(step, iterations, wasted, factorizations, factorizations_with_new_pivots, halved, round_off, rejected_for_error,
      rejected_by_newton, shortest, longest, external_work);
  }
};

// Watches a transient. Called after the start (step 0, no reports) and after each step.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void observe(const State& q, const integrators::StepRecord& step, const Progress& progress, bool last) = 0;
  virtual bool interrupted() const { return false; }
  virtual void warn(const std::string& message) = 0;
  // Where the run may be taken up again; nullptr: nowhere.
  virtual RestartPoints* restart_points() { return nullptr; }
};

struct TransientResult {
  enum class End { done, failed, interrupted, invalid } end = End::done;
  integrators::StepReport failure;  // of the step that failed
  StartReport start;
  Progress progress;
  results::MonitorExtremes monitors;
  // What the method did that is no trouble, such as another choice of independent unknowns; the first few
  std::vector<std::string> notices;
  // In the order in which they happened
  std::vector<EventRecord> events;
  // An event has ended the run
  bool ends_run = false;
  // What no step can go on from: an event, or a signal without a value. Empty: nothing has
  struct Stop {
    std::string what;
    std::string remedy;  // empty: that of events
  };
  Stop stopped_by;
};

// Reports settings that the method cannot work with, in an analysis that begins at the time `begin`, s. Decks have been
// checked so when they were read.
void check_transient_settings(const TransientSettings& settings, double begin, model::Problems& problems);

// Reports what the method of `settings` cannot do with the model, or with a motion that starts from `q`.
void check_transient(const assembly::System& system, const TransientSettings& settings, const State& q,
                     model::Problems& problems);

// Starts from consistent accelerations (problems of the start, if any, in `problems`: End::invalid) and integrates.
TransientResult run_transient(const assembly::System& system, const TransientSettings& settings, State& q,
                              double external_work, Observer& observer, model::Problems& problems);

}  // namespace polhode::analyses
