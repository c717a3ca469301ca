// SPDX-License-Identifier: BSD-3-Clause
// The loop of steps that SUNDIALS chooses. Breakpoints of functions of time are hit, and the solver starts anew behind
// them; else only where rows are left out anew, or where y has gone far from the constraints.
#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/integrators/sundials.hpp"
#include "transient_run.hpp"

namespace polhode::analyses {
namespace {

using integrators::Outcome;
using integrators::StepReport;
using integrators::Sundials;
using End = TransientResult::End;

constexpr double far = 1e-2;  // off the constraints, relative to the model

class SundialsRun {
 public:
  explicit SundialsRun(TransientRun& run);
  End steps();
  int size() const { return method_.size(); }

 private:
  bool start(double first);
  void accept(const StepReport& report, bool last);

  TransientRun& run_;
  double duration_;
  double end_;
  std::vector<Stop> stops_;
  std::vector<Stop>::const_iterator stop_;
  Sundials method_;
  State next_;
};

SundialsRun::SundialsRun(TransientRun& run)
    : run_(run),
      duration_(run.settings.duration),
      end_(run.q.t + duration_),
      stops_(find_stops(run.system, run.settings, run.q.t, end_)),
      stop_(stops_.begin()),
      method_(run.system, run.settings.integrator.method, *run.settings.control,
              run.settings.control->min.value_or(1e-12 * duration_),
              run.settings.control->max.value_or(std::max(duration_ / 5, run.settings.control->initial.value_or(0))),
              duration_),
      next_(run.q) {}

// From run_.q, which is made consistent with loads and drives behind its time.
bool SundialsRun::start(double first) {
  const double instant = 1e-12 * duration_;
  if (!method_.make_consistent(run_.q, instant)) return false;
  method_.start(run_.q, run_.result.progress.external_work, first, stop_->t, instant);
  return true;
}

void SundialsRun::accept(const StepReport& report, bool last) {
  next_ = method_.state();
  next_.t = last || report.t == stop_->t ? stop_->t : report.t;
  next_.last_step = report.h;
  run_.system.update_history(next_);
  std::swap(run_.q, next_);
  run_.tell(run_.redundancy.after_step(run_.q, method_.form().pivot_ratio()));
  run_.stepper.record(report, next_, 0, &method_);
  Progress& progress = run_.result.progress;
  progress.external_work = method_.work();
  ++progress.step;
  progress.iterations += report.iterations;
  progress.factorizations += report.factorizations;
  progress.rejected_for_error += report.rejected_for_error;
  progress.rejected_by_newton += report.rejected_by_newton;
  progress.shortest = std::min(progress.shortest, report.h);
  progress.longest = std::max(progress.longest, report.h);
  run_.observer.observe(run_.q, run_.stepper, progress, last);
  method_.remember(run_.q);
}

End SundialsRun::steps() {
  run_.result.progress.shortest = std::numeric_limits<double>::infinity();
  if (!start(run_.settings.control->initial.value_or(0))) {
    run_.problems.push_back(
        {"joints", "the positions at the start are singular: " + run_.redundancy.after_trouble(run_.q)});
    return End::invalid;
  }
  run_.begin();
  int revision = run_.system.revision();
  bool again = false;  // after a failure, with other rows left out
  while (stop_ != stops_.end()) {
    if (run_.observer.interrupted()) return End::interrupted;
    const StepReport report = method_.step();
    if (!report.succeeded()) {
      if (!again && run_.tell(run_.redundancy.after_failure(run_.q)) && start(0)) {
        again = true;
        revision = run_.system.revision();
        continue;
      }
      run_.stepper.record(report, next_, report.iterations);
      return run_.fail();
    }
    again = false;
    const bool drifted = method_.form().drift() > far;
    const bool hits = report.t >= stop_->t * (1 - 4 * std::numeric_limits<double>::epsilon());
    accept(report, hits && stop_ + 1 == stops_.end());
    if (hits && ++stop_ == stops_.end()) break;
    if (!hits && !drifted && revision == run_.system.revision()) continue;
    revision = run_.system.revision();
    if (!start(0)) {
      StepReport singular;
      singular.t = run_.q.t;
      singular.outcome = Outcome::singular;
      run_.stepper.record(singular, next_, 0);
      return run_.fail();
    }
  }
  return End::done;
}

}  // namespace

End run_sundials(TransientRun& run) {
  if (!run.settings.control) {
    run.problems.push_back({run.settings.path + ".step", "`" + run.settings.integrator.method +
                                                             "` chooses its steps itself; give {tolerance: 1.0e-4}"});
    return End::invalid;
  }
  constexpr int most_rows = 3000;  // of the dense matrix, 70 MB
  SundialsRun steps(run);
  if (run.settings.integrator.method == "bdf" && steps.size() > most_rows) {
    run.problems.push_back({run.settings.path + ".integrator.method",
                            "`bdf` factorizes a dense matrix, here of " + std::to_string(steps.size()) +
                                " rows (at most " + std::to_string(most_rows) +
                                "); take `rosenbrock4` or `lie_alpha`"});
    return End::invalid;
  }
  return steps.steps();
}

}  // namespace polhode::analyses
