// SPDX-License-Identifier: BSD-3-Clause
// What the loops of fixed and of controlled steps share.
#pragma once
#include <string>

#include "polhode/analyses/redundancy.hpp"
#include "polhode/analyses/transient.hpp"

namespace polhode::analyses {

struct TransientRun {
  assembly::System& system;
  const TransientSettings& settings;
  State& q;
  Observer& observer;
  TransientResult& result;
  Redundancy& redundancy;
  integrators::Stepper& stepper;
  model::Problems& problems;
  double power = 0;  // at q, W

  bool tell(const std::string& text) const;  // false if there is nothing to tell
  bool start(double h);                      // the method's start for a first step of h
  void begin();                              // the first state
  // Of a step of size `step` that led to q; `t` is the time that q gets.
  void finish_step(double step, double t, bool project_velocities, bool last);
  TransientResult::End fail();
};

TransientResult::End run_controlled(TransientRun& run);

}  // namespace polhode::analyses
