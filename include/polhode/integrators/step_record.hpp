// SPDX-License-Identifier: BSD-3-Clause
// What led to the present state, for those who watch a run.
#pragma once
#include "polhode/integrators/integrator.hpp"

namespace polhode::integrators {

struct StepRecord {
  // Invariants, dense output, residual of the last step
  Integrator& integrator;
  // Of the step, or of the sub-steps it was subdivided into; empty at the start
  std::span<const StepReport> reports;
  // Linear solves of failed attempts before it
  int wasted_iterations = 0;
  // Where the step began; nullptr at the start
  const State* previous = nullptr;
};

}  // namespace polhode::integrators
