// SPDX-License-Identifier: BSD-3-Clause
// The loop of Rosenbrock-Nystrom methods in state-space form: fixed steps, or steps by their embedded error.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "polhode/integrators/rosenbrock.hpp"
#include "transient_run.hpp"

namespace polhode::analyses {
namespace {

using integrators::Outcome;
using integrators::Rosenbrock;
using End = TransientResult::End;

constexpr double least_factor = 0.2;  // facmin of eq. (7)

// Nodes whose rotation about exactly one axis is removed: no chart of the group has such coordinates.
void check_rotations(const assembly::System& system, model::Problems& problems) {
  for (std::size_t i = 1; i < system.nodes(); ++i) {
    const auto& removed = system.node(i).removed;
    if (removed[3] + removed[4] + removed[5] == 1)
      problems.push_back({system.node(i).label(),
                          "a single fixed rotation is no holonomic constraint, which state-space methods need; fix two "
                          "or three, use a joint, or take lie_alpha"});
  }
}

class StateSpaceRun {
 public:
  explicit StateSpaceRun(TransientRun& run)
      : run_(run),
        method_(run.system, run.settings.integrator,
                run.settings.newton.jacobian == integrators::NewtonSettings::Jacobian::kept),
        next_(run.q) {}

  End fixed();
  End controlled();

 private:
  bool make_consistent(double ahead) { return method_.space().make_consistent(run_.q, run_.q.t + ahead); }
  // Tries a step; its end stands in next_ if that is good.
  Outcome attempt(double h, double t_next, double limit, double tolerance, double& error);
  void accept(double h, double t, double error, bool last);
  End fail(double h, double t_next, Outcome outcome, double error, double tolerance);
  End invalid() {
    run_.problems.push_back(
        {"joints", "the positions at the start are singular: " + run_.redundancy.after_trouble(run_.q)});
    return End::invalid;
  }

  TransientRun& run_;
  Rosenbrock method_;
  State next_;
  int partitions_ = 0;
  int solves_ = 0;
  int factorizations_ = 0;
  int rejected_for_error_ = 0;
  int rejected_ = 0;
};

Outcome StateSpaceRun::attempt(double h, double t_next, double limit, double tolerance, double& error) {
  const Rosenbrock::Attempt attempt = method_.attempt(run_.q, h, t_next, limit);
  solves_ += method_.solves();
  factorizations_ += method_.factorizations();
  error = 0;
  if (attempt == Rosenbrock::Attempt::singular || attempt == Rosenbrock::Attempt::singular_start)
    return Outcome::singular;
  if (attempt == Rosenbrock::Attempt::no_positions) return Outcome::not_converged;
  if (tolerance > 0) {
    error = method_.error(tolerance);
    if (!(error <= 1)) return Outcome::inaccurate;
  }
  return method_.finish(next_) ? Outcome::converged : Outcome::not_converged;
}

void StateSpaceRun::accept(double h, double t, double error, bool last) {
  integrators::StepReport report;
  report.t = t;
  report.h = h;
  report.error = error;
  report.iterations = method_.solves();
  report.factorizations = factorizations_;
  report.contraction = report.order = std::numeric_limits<double>::quiet_NaN();
  report.constraint_residual = method_.space().constraint_violation() * run_.system.length();
  report.rejected_for_error = rejected_for_error_;
  report.rejected_by_newton = rejected_;
  std::swap(run_.q, next_);
  run_.q.t = t;
  method_.accepted();
  run_.tell(run_.redundancy.after_step(run_.q, method_.space().pivot_ratio()));
  run_.stepper.record(report, next_, solves_ - method_.solves());

  Progress& progress = run_.result.progress;
  progress.external_work += method_.work();
  ++progress.step;
  progress.iterations += method_.solves();
  progress.wasted += solves_ - method_.solves();
  progress.factorizations += factorizations_;
  progress.rejected_for_error += rejected_for_error_;
  progress.rejected_by_newton += rejected_;
  progress.shortest = std::min(progress.shortest, h);
  progress.longest = std::max(progress.longest, h);
  solves_ = factorizations_ = rejected_for_error_ = rejected_ = 0;
  if (const int partitions = method_.space().partitions(); partitions > std::max(partitions_, 1)) {
    char text[120];
    std::snprintf(text, sizeof text, "t = %.6g s: other unknowns are independent from here on (partition %d)", next_.t,
                  partitions);
    run_.observer.warn(text);
  }
  partitions_ = method_.space().partitions();
  run_.observer.observe(run_.q, run_.stepper, progress, last);
}

End StateSpaceRun::fail(double h, double t_next, Outcome outcome, double error, double tolerance) {
  integrators::StepReport report;
  report.t = t_next;
  report.h = h;
  report.outcome = outcome;
  report.error = error;
  report.iterations = method_.solves();
  if (outcome == Outcome::inaccurate) report.worst = method_.worst_rows(tolerance, 5);
  run_.stepper.record(report, next_, solves_);
  return run_.fail();
}

End StateSpaceRun::fixed() {
  const Grid grid(run_.q.t, run_.settings);
  tell_shorter_last_step(grid, run_.observer);
  Progress& progress = run_.result.progress;
  progress.steps = grid.steps;
  progress.shortest = std::numeric_limits<double>::infinity();
  if (!make_consistent(0)) return invalid();
  run_.begin();
  for (long n = 1; n <= grid.steps; ++n) {
    if (run_.observer.interrupted()) return End::interrupted;
    const double h = grid.size(n);
    const double t = grid.end(n);
    double error = 0;
    Outcome outcome = attempt(h, t, HUGE_VAL, 0, error);
    if (outcome != Outcome::converged && run_.tell(run_.redundancy.after_failure(run_.q))) {
      method_.accepted();
      outcome = attempt(h, t, HUGE_VAL, 0, error);
    }
    if (outcome != Outcome::converged) return fail(h, t, outcome, 0, 0);
    accept(h, t, 0, n == grid.steps);
  }
  return End::done;
}

End StateSpaceRun::controlled() {
  const integrators::StepControlSettings& settings = *run_.settings.control;
  const double duration = run_.settings.duration;
  const double end = run_.q.t + duration;
  const double safety = settings.safety.value_or(0.84);
  const double growth = settings.growth.value_or(10);
  const double power = -1.0 / (method_.coefficients().embedded_order + 1);
  const double max = settings.max.value_or(std::max(duration / 5, settings.initial.value_or(0)));
  const double min = settings.min.value_or(std::min({1e-12 * duration, max, settings.initial.value_or(max)}));
  const double instant = 1e-12 * duration;
  const std::vector<Stop> stops = find_stops(run_.system, run_.settings, run_.q.t, end);
  const auto up_to = [&](double t, const Stop& stop) { return (stop.t - t) / 20; };
  double h = std::clamp(settings.initial.value_or(std::min(1e-4 * duration, up_to(run_.q.t, stops.front()))), min, max);
  double most = growth;
  run_.result.progress.shortest = std::numeric_limits<double>::infinity();
  if (!make_consistent(instant)) return invalid();
  run_.begin();
  for (auto stop = stops.begin(); stop != stops.end();) {
    if (run_.observer.interrupted()) return End::interrupted;
    const double remaining = stop->t - run_.q.t;
    const bool hits = h >= remaining * (1 - 1e-9);
    const double step = hits ? remaining : h > remaining / 1.1 ? remaining / 2 : h;
    // Loads and drives that jump at the stop have not jumped yet at the end of the step.
    const double before = stop->t - 8 * std::numeric_limits<double>::epsilon() * std::abs(stop->t);
    const double limit = stop->breakpoint ? before : HUGE_VAL;
    const double t_next = hits ? std::min(stop->t, limit) : run_.q.t + step;
    double error = 0;
    const Outcome outcome = attempt(step, t_next, limit, settings.tolerance, error);
    if (outcome == Outcome::converged) {
      const bool last = hits && stop + 1 == stops.end();
      accept(step, hits ? stop->t : t_next, error, last);
      const double wanted = step * std::clamp(safety * std::pow(error, power), least_factor, most);
      h = std::min(step < h && wanted > step ? std::max(h, wanted) : wanted, max);
      most = growth;
      if (!hits) continue;
      const bool breakpoint = stop->breakpoint;
      if (++stop == stops.end() || !breakpoint) continue;
      if (!make_consistent(instant)) return fail(step, t_next, Outcome::singular, 0, 0);
      h = std::max(min, std::min(h, up_to(run_.q.t, *stop)));
      continue;
    }
    if (outcome == Outcome::inaccurate) {
      ++rejected_for_error_;
    } else {
      if (run_.tell(run_.redundancy.after_failure(run_.q))) {
        method_.accepted();
        continue;
      }
      ++rejected_;
    }
    if (step <= min * (1 + 1e-9)) return fail(step, t_next, outcome, error, settings.tolerance);
    const double factor = outcome == Outcome::inaccurate && std::isfinite(error) ? safety * std::pow(error, power) : 0;
    h = std::max(min, step * std::clamp(factor, least_factor, 1.0));
    most = 1;
  }
  return End::done;
}

}  // namespace

TransientResult::End run_state_space(TransientRun& run) {
  check_rotations(run.system, run.problems);
  if (!run.problems.empty()) return TransientResult::End::invalid;
  StateSpaceRun steps(run);
  return run.settings.control ? steps.controlled() : steps.fixed();
}

}  // namespace polhode::analyses
