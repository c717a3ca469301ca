// SPDX-License-Identifier: BSD-3-Clause
// A transient analysis: its start, and the loop of fixed steps.
#include "polhode/analyses/transient/transient.hpp"

#include <cmath>
#include <cstdio>

#include "transient_run.hpp"

namespace polhode::analyses {
namespace {

// A drive that jumps: constraints that no motion can follow, at times that only functions of time decide.
void tell_jumps(const assembly::System& system, const State& q, double duration, Observer& observer) {
  const std::vector<double> times = system.breakpoints(q.t, q.t + duration);
  if (system.rows() == 0 || times.size() > 1000) return;  // so many are knots of tables, which do not jump
  assembly::Residual before = system.make_residual();
  assembly::Residual after = system.make_residual();
  State at = q;
  const double aside = 1e-9 * duration;
  for (const double t : times) {
    at.t = t - aside;
    system.set_residual(at, before, {false, false, true});
    at.t = t + aside;
    system.set_residual(at, after, {false, false, true});
    for (int row = 0; row < system.rows(); ++row) {
      const double jump = after.phi[row] - before.phi[row];
      const bool length = system.row_is_length(row);
      if (std::abs(jump) <= 1e-6 * (length ? system.length() : 1)) continue;
      char text[120];
      std::snprintf(text, sizeof text, " jumps by %.3g %s at t = %.6g s, and no motion follows it; give it time",
                    std::abs(jump), length ? "m" : "rad", t);
      observer.warn("the drive of " + names_of_rows(system, {row}) + text);
    }
  }
}

TransientResult::End run_fixed(TransientRun& run) {
  const Grid grid(run.q.t, run.settings);
  Progress& progress = run.result.progress;
  progress.steps = grid.steps;
  tell_shorter_last_step(grid, run.observer);
  if (!run.start(grid.size(1))) return TransientResult::End::invalid;
  run.begin();
  const std::vector<double>& times = run.settings.integrator.velocity_projection;
  auto projection = times.begin();
  for (long n = 1; n <= grid.steps; ++n) {
    if (run.observer.interrupted()) return TransientResult::End::interrupted;
    const double step = grid.size(n);
    const double t_next = grid.end(n);
    if (!run.stepper.advance(run.q, step, t_next) &&
        !(run.tell(run.redundancy.after_failure(run.q)) && run.stepper.advance(run.q, step, t_next)))
      return run.fail();
    bool project = false;
    for (; projection != times.end() && *projection <= t_next + 1e-9 * grid.h; ++projection) project = true;
    run.finish_step(step, t_next, project, n == grid.steps);
  }
  return TransientResult::End::done;
}

}  // namespace

void tell_shorter_last_step(const Grid& grid, Observer& observer) {
  if (grid.whole) return;
  char text[160];
  std::snprintf(text, sizeof text, "the duration is no whole number of steps: the last step is shorter, %.6g s",
                grid.size(grid.steps));
  observer.warn(text);
}

bool TransientRun::tell(const std::string& text) const {
  if (!text.empty()) observer.warn(text);
  return !text.empty();
}

bool TransientRun::start(double h) {
  using Settings = integrators::IntegratorSettings;
  stepper.start(q);
  const bool corrected = settings.integrator.start == Settings::Start::corrected;
  if (settings.integrator.initial == Settings::Initial::consistent && !corrected) return true;
  // Small against the step, so that stiff vibrations which the step passes over do not spoil the differences.
  std::vector<model::Vec6> vddot;
  return set_acceleration_rates(system, q, 1e-3 * h, vddot, problems) &&
         (corrected ? stepper.start_corrected(q, h, vddot) : stepper.start_perturbed(q, h, vddot));
}

void TransientRun::begin() {
  observer.observe(q, stepper, result.progress, false);
  power = system.power(q);
}

void TransientRun::finish_step(double step, double t, bool project, bool last) {
  tell(redundancy.after_step(q, stepper.linear_solver().smallest_pivot_ratio()));
  if (stepper.reports().size() > 1 || stepper.reports().back().rejected_by_newton > 0)
    tell(redundancy.after_trouble(q));
  if (project) stepper.project_velocities(q);
  Progress& progress = result.progress;
  const double power_next = system.power(q);
  progress.external_work += stepper.work().value_or(0.5 * step * (power + power_next));
  power = power_next;
  q.t = t;
  ++progress.step;
  progress.wasted += stepper.wasted_iterations();
  progress.halved += stepper.reports().size() > 1;
  progress.factorizations_with_new_pivots = stepper.linear_solver().pivot_choices();
  for (const auto& report : stepper.reports()) {
    progress.iterations += report.iterations;
    progress.factorizations += report.factorizations;
    progress.round_off += report.outcome == integrators::Outcome::round_off;
    progress.rejected_for_error += report.rejected_for_error;
    progress.rejected_by_newton += report.rejected_by_newton;
  }
  observer.observe(q, stepper, progress, last);
}

TransientResult::End TransientRun::fail() {
  tell(redundancy.after_trouble(q));
  result.progress.wasted += stepper.wasted_iterations();
  result.failure = stepper.reports().back();
  return TransientResult::End::failed;
}

TransientResult run_transient(assembly::System& system, const TransientSettings& settings, State& q,
                              double external_work, Observer& observer, model::Problems& problems) {
  TransientResult result;
  result.progress.external_work = external_work;
  Redundancy redundancy(system);
  const auto check = [&] {
    if (!settings.control) check_structure(system, settings.integrator, settings.path, q, settings.step, problems);
  };
  if (problems.empty()) check();
  if (!problems.empty()) {
    result.end = TransientResult::End::invalid;
    return result;
  }
  const std::string over_constrained = redundancy.begin(q);
  result.start = meet_constraints(system, q, settings.duration, problems);
  if (problems.empty() && set_accelerations(system, q, problems)) check();  // drives may turn bodies faster
  if (!problems.empty()) {
    result.end = TransientResult::End::invalid;
    return result;
  }
  if (result.start.largest_move > 1e-12 * system.length() || result.start.largest_velocity_change > 0) {
    char text[160];
    std::snprintf(
        text, sizeof text,
        "initial state corrected to meet the constraints: positions by up to %.2g m, velocities by up to %.2g m/s",
        result.start.largest_move, result.start.largest_velocity_change);
    if (result.start.largest_velocity_change > 1e-12 || result.start.largest_move > 1e-12 * system.length())
      observer.warn(text);
  }

  tell_jumps(system, q, settings.duration, observer);
  if (!over_constrained.empty()) observer.warn(over_constrained);
  redundancy.after_step(q, 0);

  if (settings.integrator.method == "lie_alpha_index2" && system.rows() == 0)
    observer.warn("lie_alpha_index2 is the same as lie_alpha here, since the model has no constraints");
  const bool own_steps = settings.integrator.in_state_space();
  integrators::Stepper stepper(system, own_steps ? integrators::IntegratorSettings{} : settings.integrator,
                               settings.newton);
  TransientRun run{system, settings, q, observer, result, redundancy, stepper, problems};
  result.end = settings.integrator.is_of_sundials() ? run_sundials(run)
               : own_steps                          ? run_state_space(run)
               : settings.control                   ? run_controlled(run)
                                                    : run_fixed(run);
  return result;
}

}  // namespace polhode::analyses
