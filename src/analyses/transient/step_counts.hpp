// SPDX-License-Identifier: BSD-3-Clause
// Attempts of steps, and what they cost: from the last accepted step to the totals of the analysis.
#pragma once
#include "polhode/analyses/transient/transient.hpp"
#include "polhode/integrators/step_attempts.hpp"

namespace polhode::analyses {

class StepCounts {
 public:
  // Linear solves of attempts that came to nothing.
  void add_wasted(int iterations) { wasted_ += iterations; }
  // An attempt under control whose error was too large, or that did not converge.
  void add_rejected(bool inaccurate) { ++(inaccurate ? rejected_for_error_ : rejected_by_newton_); }

  // Since the last accepted step.
  int wasted() const { return wasted_; }
  bool had_trouble() const { return rejected_by_newton_ > 0; }

  // The step that was accepted last: attempts that were rejected go into the report of its last part, and the reports
  // of all parts into `progress`.
  void book_step(integrators::StepAttempts& step, Progress& progress);
  // After the observer has seen wasted().
  void forget_wasted() { wasted_ = 0; }

 private:
  int wasted_ = 0;
  int rejected_for_error_ = 0;
  int rejected_by_newton_ = 0;
};

}  // namespace polhode::analyses
