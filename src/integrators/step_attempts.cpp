// SPDX-License-Identifier: BSD-3-Clause
// A step, subdivided where it fails.
#include "polhode/integrators/step_attempts.hpp"

#include <utility>

namespace polhode::integrators {

// Room for the reports of the finest subdivision: steps allocate nothing.
StepAttempts::StepAttempts(Integrator& integrator, int halvings) : integrator_(integrator), halvings_(halvings) {
  reports_.reserve(std::size_t{1} << halvings);
}

// Whole, then in 2, 4, ... equal parts, each time from the begin of the step:
// a method keeps its step size within a step.
bool StepAttempts::advance(State& q, const Step& step) {
  wasted_ = 0;
  subdivided_ = false;
  stopped_ = false;
  const StepReport& report = integrator_.attempt(q, step);
  if (report.succeeded()) {
    integrator_.accept(q);
    previous_ = &integrator_.previous();
    reports_.resize(1);
    reports_.front() = integrator_.report();
    return true;
  }
  wasted_ += report.iterations;
  for (int level = 1; level <= halvings_ && !is_stopped(step); ++level)
    if (subdivide(q, step, 1 << level)) return true;
  reports_.assign(1, StepReport(integrator_.report()));
  if (is_stopped(step)) reports_.front().outcome = Outcome::interrupted;
  return false;
}

// A step that fails may take as long as hundreds of good ones.
bool StepAttempts::is_stopped(const Step& step) {
  stopped_ = stopped_ || integrator_.report().outcome == Outcome::interrupted || math::is_asked_to_stop(step.stop);
  return stopped_;
}

// On a copy, which replaces q when all parts have succeeded; the last part ends at t_next itself.
// Iterations of parts that were thrown away count as wasted.
bool StepAttempts::subdivide(State& q, const Step& step, int parts) {
  const double h = step.h / parts;
  trial_ = q;
  work_ = 0;
  reports_.clear();
  for (int i = 1; i <= parts; ++i) {
    const double t = i == parts ? step.t_next : q.t + i * h;
    const Step part{.h = h, .t_next = t, .limit = step.limit, .stop = step.stop};
    const bool good = integrator_.attempt(trial_, part).succeeded();
    if (good) integrator_.accept(trial_);
    reports_.push_back(integrator_.report());
    if (good && (i == parts || !is_stopped(step))) {
      if (work_) work_ = integrator_.external_work(*work_);
      continue;
    }
    for (const StepReport& report : reports_) wasted_ += report.iterations;
    return false;
  }
  q.swap(trial_);
  previous_ = &trial_;
  subdivided_ = true;
  return true;
}

// Of all parts together; nothing where the method does not count it.
std::optional<double> StepAttempts::external_work(double before) const {
  if (!subdivided_) return integrator_.external_work(before);
  if (!work_) return std::nullopt;
  return before + *work_;
}

}  // namespace polhode::integrators
