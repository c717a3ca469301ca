// SPDX-License-Identifier: BSD-3-Clause
// What the loop over time is made from.
#pragma once
#include <limits>
#include <vector>

#include "analyses/transient/stops.hpp"
#include "polhode/analyses/redundancy.hpp"
#include "polhode/analyses/transient/transient.hpp"
#include "polhode/integrators/integrator.hpp"

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
  // Of methods that want to know what delays give before a step begins: the shortest one, and no longer steps than these
  // under control, s; whether steps end at kinks that come out.
  double shortest_delay = std::numeric_limits<double>::infinity();
  double longest_step = std::numeric_limits<double>::infinity();
  bool ends_at_kinks = false;
  // The method, by itself
  bool chooses_steps = false;
};

}  // namespace polhode::analyses
