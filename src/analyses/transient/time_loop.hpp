// SPDX-License-Identifier: BSD-3-Clause
// The loop over time, once for all methods and for fixed, controlled and library-chosen steps: stops, jumps and the
// restarts behind them, redundant constraints, records of steps, progress.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "analyses/transient/energy_watch.hpp"
#include "analyses/transient/event_actions.hpp"
#include "analyses/transient/event_watch.hpp"
#include "analyses/transient/method_starts.hpp"
#include "analyses/transient/monitors.hpp"
#include "analyses/transient/power_integral.hpp"
#include "analyses/transient/step_counts.hpp"
#include "analyses/transient/time_loop_parts.hpp"
#include "analyses/transient/turn_watch.hpp"
#include "polhode/integrators/step_attempts.hpp"

namespace polhode::analyses {

class TimeLoop {
 public:
  TimeLoop(const TimeLoopParts& parts, TransientResult& result);
  TimeLoop(const TimeLoop&) = delete;
  // The start, from the begin or from a restart point; `h`: s, of the first step, 0: the method's own choice. How the
  // analysis ends, where it ends here.
  std::optional<TransientResult::End> begin(State& q, double h);
  // The next step of the plan. `q` is then the state that was observed; where the analysis has ended the last good one.
  std::optional<TransientResult::End> step(State& q);
  // External signals of `q` have been changed since the last step.
  void note_inputs() { has_inputs_ = true; }
  // Of the states so far.
  const EnergyBalance& energy_balance() const { return energies_.balance(); }
  // Of all steps.
  const StepMonitors& monitors() const { return monitors_; }
  // Of the external work, J.
  double uncertainty_of_work() const { return work_.uncertainty(); }

 private:
  // The next step of the plan, with others in its place until one is accepted. False if there is none.
  bool advance(State& q, Arrival& arrival);
  bool take_up_new_rows(State& q);
  void note_smoothed(double t, double h);  // both in s
  // Whether a delay's output jumps at the end of the step, and whether the step was cut, there or at a kink.
  struct DelayedStop {
    bool jumps = false;
    bool is_cut = false;
  };
  DelayedStop cut_at_delayed(const State& q, integrators::Step& step) const;
  // Behind the last step, what the events that are due do among it. Nothing where the run goes on.
  std::optional<TransientResult::End> pass_arrival(State& q);
  // Where events happen in the step that led to q: repeats it up to the first of them, and sets `is_cut`. False if that
  // fails; `q` is then the state before the step.
  bool stop_at_event(State& q, const integrators::Step& step, bool& is_cut);
  bool step_to(EventCrossing& crossing, const State& before, State& q, const integrators::Step& step);
  bool repeat_until(double t, const State& before, State& q, const integrators::Step& step);
  // Whether this is far less than the longest step so far; `part`: s.
  bool is_tiny(double part);
  // Before a part, s, of a whole step: velocities of methods of index 3 are consistent for a short one.
  void begin_part(State& q, double part, double whole);
  std::optional<TransientResult::End> pass_events(State& q);
  // Goes on from `words` of a restart point.
  void take_up(State& q, const std::vector<double>& words);
  // The restart point behind the last step, if there is one.
  void leave_point(State& q);
  // What counts from here on but for the method and `q`.
  void archive(math::Archive& a);
  // False if the state is none to go on from; `q` is then the one before the step.
  bool finish_step(State& q, const Arrival& arrival);
  // What stops a run beside steps that fail: signals and functions of events without a value. False, and told.
  bool has_values(const State& q);
  // Of signals that had none behind t, s, if there are such.
  void tell_lost(double t);
  void tell_no_value(const std::string& path, double t);
  void project_and_add_work(State& q, const Arrival& arrival);
  // By the report of the last attempt, which may have been interrupted.
  TransientResult::End fail(const State& q);
  TransientResult::End fail_to_start(const State& q);
  // By the state at t, s, that a step of h, s, led to; 0: the start.
  TransientResult::End fail_by_energy(double t, double h);
  bool warn(const std::string& text);  // false if there is no text
  void take_notice();

  TimeLoopParts parts_;
  TransientResult& result_;
  math::StopRequest stop_;  // of the observer, for steps that take long
  integrators::StepAttempts attempts_;
  EventWatch events_;
  EventActions actions_;
  EnergyWatch energies_;
  TurnWatch turns_;
  StepMonitors monitors_;
  PowerIntegral work_;  // where the method does not count it
  MethodStarts starts_;
  StepCounts counts_;
  double h_ = 0;            // s, of the last step of the plan
  double longest_ = 0;      // s, step so far
  double pivot_ratio_ = 0;  // of the last step
  long restart_every_ = 0;  // steps; 0: there are no restart points
  // Of the last step, once this loop has done one
  Arrival arrival_{};
  bool has_arrived_ = false;
  // Which no step has seen
  bool has_inputs_ = false;
};

}  // namespace polhode::analyses
