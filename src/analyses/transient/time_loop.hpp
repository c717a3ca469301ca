// SPDX-License-Identifier: BSD-3-Clause
// The loop over time, once for all methods and for fixed, controlled and library-chosen steps: stops, jumps and the
// restarts behind them, redundant constraints, records of steps, progress.
#pragma once
#include <optional>
#include <string>

#include "analyses/transient/breakpoint.hpp"
#include "analyses/transient/energy_watch.hpp"
#include "analyses/transient/monitors.hpp"
#include "analyses/transient/power_integral.hpp"
#include "analyses/transient/step_counts.hpp"
#include "analyses/transient/stops.hpp"
#include "analyses/transient/turn_watch.hpp"
#include "polhode/analyses/redundancy.hpp"
#include "polhode/analyses/transient/transient.hpp"
#include "polhode/integrators/step_attempts.hpp"

namespace polhode::analyses {

// What the loop works with; references are kept.
struct TimeLoopParts {
  const assembly::System& system;
  integrators::Integrator& integrator;
  StepPlan& plan;
  Redundancy& redundancy;
  Observer& observer;
  model::Problems& problems;
  double duration;                    // s
  int halvings;                       // of failed steps; 0: never
  bool controlled;                    // attempts that are rejected count in the reports
  bool restarts_at_breakpoints;       // and the method makes the state consistent by itself
  std::vector<double> impulses = {};  // s, ascending: where drives jump, in value or in rate
};

class TimeLoop {
 public:
  TimeLoop(const TimeLoopParts& parts, TransientResult& result);
  // From `q` to the end of the plan; `h`: s, of the first step, 0: the method's own choice. `q` is the last good state
  // when it returns.
  TransientResult::End run(State& q, double h);
  // Of the states so far.
  const EnergyBalance& energy_balance() const { return energies_.balance(); }
  // Of all steps.
  const results::MonitorExtremes& monitors() const { return monitors_.extremes(); }
  // Of the external work, J.
  double uncertainty_of_work() const { return work_.uncertainty(); }

 private:
  bool start(State& q, double h);
  // The next step of the plan, with others in its place until one is accepted. False if there is none.
  bool advance(State& q, Arrival& arrival);
  bool take_up_new_rows(State& q);
  // False if the state is none to go on from; `q` is then the one before the step.
  bool finish_step(State& q, const Arrival& arrival);
  void project_and_add_work(State& q, const Arrival& arrival);
  // Behind the stop that the last step arrived at.
  bool pass_breakpoint(State& q);
  // Behind a jump of a load at the end of a fixed step, where loads are those at `behind`, s.
  bool pass_jump(State& q, double behind);
  bool start_behind_jump(State& q);
  TransientResult::End fail(const State& q);
  TransientResult::End fail_to_start(const State& q);
  // By the state at t, s, that a step of h, s, led to; 0: the start.
  TransientResult::End fail_by_energy(double t, double h);
  bool warn(const std::string& text);  // false if there is no text
  void take_notice();

  TimeLoopParts parts_;
  TransientResult& result_;
  integrators::StepAttempts attempts_;
  EnergyWatch energies_;
  TurnWatch turns_;
  StepMonitors monitors_;
  std::optional<BreakpointProbe> probe_;
  PowerIntegral work_;  // where the method does not count it
  StepCounts counts_;
  double h_ = 0;            // s, of the last step of the plan
  double pivot_ratio_ = 0;  // of the last step
};

}  // namespace polhode::analyses
