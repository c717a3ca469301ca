// SPDX-License-Identifier: BSD-3-Clause
// What led to the present state, for those who watch a run.
#pragma once
#include "polhode/integrators/integrator.hpp"

namespace polhode::integrators {

// Numbers of a step, whole, that the loop over time sees and monitors show.
struct WatchedStep {
  // Largest rotation of a node, rad
  double turn = 0;
  // Energy that nothing accounts for, J
  double energy_balance = 0;
  // Part of the multipliers that changes sign from step to step, over the largest ones so far
  double oscillation = 0;
  // Of the last factorization
  double pivot_ratio = 0;
  // Largest rotation between the ends of a beam's element, rad; NaN: there is none
  double twist = 0;
  // Step times angular frequency of the fastest motion that there is; NaN: it is not known
  double motion = 0;
};

struct StepRecord {
  // Invariants, dense output, residual of the last step
  Integrator& integrator;
  // Of the step, or of the sub-steps it was subdivided into; empty at the start
  std::span<const StepReport> reports;
  // Linear solves of failed attempts before it
  int wasted_iterations = 0;
  // Where the step began; nullptr at the start
  const State* previous = nullptr;
  WatchedStep watched = {};
};

}  // namespace polhode::integrators
