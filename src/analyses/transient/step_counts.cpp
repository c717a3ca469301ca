// SPDX-License-Identifier: BSD-3-Clause
// Totals of an analysis from the reports of its steps.
#include "analyses/transient/step_counts.hpp"

#include <algorithm>
#include <utility>

namespace polhode::analyses {

void StepCounts::book_step(integrators::StepAttempts& step, Progress& progress) {
  integrators::StepReport& last = step.last_report();
  last.rejected_for_error += std::exchange(rejected_for_error_, 0);
  last.rejected_by_newton += std::exchange(rejected_by_newton_, 0);

  ++progress.step;
  progress.wasted += wasted_;
  progress.halved += step.reports().size() > 1;
  for (const integrators::StepReport& report : step.reports()) {
    progress.iterations += report.iterations;
    progress.factorizations += report.factorizations;
    progress.round_off += report.outcome == integrators::Outcome::round_off;
    progress.rejected_for_error += report.rejected_for_error;
    progress.rejected_by_newton += report.rejected_by_newton;
    progress.shortest = std::min(progress.shortest, report.h);
    progress.longest = std::max(progress.longest, report.h);
  }
}

}  // namespace polhode::analyses
