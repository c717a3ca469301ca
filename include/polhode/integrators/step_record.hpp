// SPDX-License-Identifier: BSD-3-Clause
// What led to the present state, for those who watch a run.
#pragma once
#include "polhode/integrators/integrator.hpp"

namespace polhode::integrators {

struct StepRecord {
  Integrator& integrator;               // invariants, dense output, residual of the last step
  std::span<const StepReport> reports;  // of the step, or of the sub-steps it was subdivided into; empty at the start
  int wasted_iterations = 0;            // linear solves of failed attempts before it
  const State* previous = nullptr;      // where the step began; nullptr at the start
};

}  // namespace polhode::integrators
