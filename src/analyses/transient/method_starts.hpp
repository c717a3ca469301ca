// SPDX-License-Identifier: BSD-3-Clause
// Where a method starts, and starts anew: at the begin, behind breakpoints of functions of time, behind jumps of loads.
#pragma once
#include <optional>

#include "analyses/transient/breakpoint.hpp"
#include "analyses/transient/monitors.hpp"
#include "analyses/transient/power_integral.hpp"
#include "analyses/transient/time_loop_parts.hpp"

namespace polhode::analyses {

class MethodStarts {
 public:
  // Keeps references; `work` and `monitors` go on behind a jump from what is there, `progress` has the work so far.
  MethodStarts(const TimeLoopParts& parts, const Progress& progress, PowerIntegral& work, StepMonitors& monitors)
      : parts_(parts), progress_(progress), work_(work), monitors_(monitors) {}

  // From `q`; `h`: s, of the first step, 0: the method's own choice. False, perhaps with problems, if the position is
  // singular; so do the others.
  bool start(State& q, double h);
  // Behind the stop that a step of h, s, arrived at.
  bool pass_breakpoint(State& q, double h);
  // Behind a jump of a load at the end of a fixed step, where loads are those at `behind`, s.
  bool pass_jump(State& q, double behind);
  // Behind a change of external signals of `q`.
  bool pass_inputs(State& q);
  // Behind an event, whose velocities and accelerations `q` has; `h`: s, of the step that it ended.
  bool pass_event(State& q, double h);

  // Behind a part of a step whose length makes accelerations and multipliers round-off of positions: they are found anew.
  bool renew(State& q);

  // The method has begun less than two steps of h, s, before q, and its step fails: it begins from q with accelerations
  // that the step resolves. False where it has not, or where they change nothing; once a start.
  bool smooth(State& q, double h);
  // Whether that has happened behind the last event.
  bool has_smoothed() const { return started_smooth_; }

  // A run of another duration may have made other numbers of these starts.
  bool used_duration() const { return used_duration_; }
  void archive(math::Archive& a) { a(used_duration_, started_, may_smooth_); }

 private:
  // Of fixed steps, and methods that begin with the accelerations of the state.
  bool takes_smooth() const;
  // `instant_later`: forces are those an instant later, behind what jumps at q.t.
  bool start(State& q, double h, bool instant_later);
  bool start_behind_jump(State& q);
  void record_jump(State& q);

  const TimeLoopParts& parts_;
  const Progress& progress_;
  PowerIntegral& work_;
  StepMonitors& monitors_;
  std::optional<BreakpointProbe> probe_;
  bool used_duration_ = false;
  double started_ = 0;  // s, last time
  bool may_smooth_ = false;
  bool started_smooth_ = false;
};

}  // namespace polhode::analyses
