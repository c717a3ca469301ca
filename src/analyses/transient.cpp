// SPDX-License-Identifier: BSD-3-Clause
// The time loop of a transient analysis.
#include "polhode/analyses/transient.hpp"

#include <cmath>
#include <cstdio>

#include "polhode/analyses/redundancy.hpp"

namespace polhode::analyses {
namespace {

// A drive that jumps: constraints that no motion can follow, at times that only functions of time decide.
void tell_jumps(const assembly::System& system, const State& q, double duration, Observer& observer) {
  const std::vector<double> times = system.breakpoints(q.t, q.t + duration);
  if (system.rows() == 0 || times.size() > 1000) return;  // so many are knots of tables, which do not jump
  assembly::Residual before = system.make_residual(), after = system.make_residual();
  State at = q;
  const double aside = 1e-9 * duration;
  for (const double t : times) {
    at.t = t - aside, system.set_residual(at, before, {false, false, true});
    at.t = t + aside, system.set_residual(at, after, {false, false, true});
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

}  // namespace

namespace {

// The method's start for a first step of h.
bool start(const assembly::System& system, const TransientSettings& settings, double h, integrators::Stepper& stepper,
           State& q, model::Problems& problems) {
  stepper.start(q);
  if (settings.integrator.initial == integrators::IntegratorSettings::Initial::consistent) return true;
  // Small against the step, so that stiff vibrations which the step passes over do not spoil the differences.
  std::vector<model::Vec6> vddot;
  return set_acceleration_rates(system, q, 1e-3 * h, vddot, problems) && stepper.start_perturbed(q, h, vddot);
}

}  // namespace

TransientResult run_transient(assembly::System& system, const TransientSettings& settings, State& q,
                              double external_work, Observer& observer, model::Problems& problems) {
  TransientResult result;
  result.progress.external_work = external_work;
  Redundancy redundancy(system);
  const auto tell = [&](const std::string& text) {
    if (!text.empty()) observer.warn(text);
    return !text.empty();
  };
  const std::string over_constrained = redundancy.begin(q);
  result.start = meet_constraints(system, q, settings.duration, problems);
  if (!problems.empty() || !set_accelerations(system, q, problems)) {
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
  tell(over_constrained);
  redundancy.after_step(q, 0);

  if (settings.integrator.method == "lie_alpha_index2" && system.rows() == 0)
    observer.warn("lie_alpha_index2 is the same as lie_alpha here, since the model has no constraints");
  integrators::Stepper stepper(system, settings.integrator, settings.newton);
  const double t0 = q.t, h = settings.step, ratio = settings.duration / h;
  const double nearest = std::round(ratio);
  const bool whole = nearest >= 1 && std::abs(ratio - nearest) < 1e-6;
  Progress& progress = result.progress;
  progress.steps = static_cast<long>(whole ? nearest : std::ceil(ratio));
  if (!whole) {
    char text[160];
    std::snprintf(text, sizeof text, "the duration is no whole number of steps: the last step is shorter, %.6g s",
                  settings.duration - h * static_cast<double>(progress.steps - 1));
    observer.warn(text);
  }
  if (!start(system, settings, whole || progress.steps > 1 ? h : settings.duration, stepper, q, problems)) {
    result.end = TransientResult::End::invalid;
    return result;
  }
  observer.observe(q, stepper, progress, false);
  double power = system.power(q);
  const std::vector<double>& times = settings.integrator.velocity_projection;
  auto projection = times.begin();

  for (long n = 1; n <= progress.steps; ++n) {
    if (observer.interrupted()) {
      result.end = TransientResult::End::interrupted;
      return result;
    }
    const bool shorter = !whole && n == progress.steps;
    const double t_next = shorter ? t0 + settings.duration : t0 + static_cast<double>(n) * h;
    const double step = shorter ? settings.duration - static_cast<double>(n - 1) * h : h;
    if (!stepper.advance(q, step, t_next) && !(tell(redundancy.after_failure(q)) && stepper.advance(q, step, t_next))) {
      tell(redundancy.after_trouble(q));
      progress.wasted += stepper.wasted_iterations();
      result.failure = stepper.reports().back();
      result.end = TransientResult::End::failed;
      return result;
    }
    tell(redundancy.after_step(q, stepper.linear_solver().smallest_pivot_ratio()));
    if (stepper.reports().size() > 1) tell(redundancy.after_trouble(q));
    bool project = false;
    for (; projection != times.end() && *projection <= t_next + 1e-9 * h; ++projection) project = true;
    if (project) stepper.project_velocities(q);
    const double power_next = system.power(q);
    progress.external_work += 0.5 * step * (power + power_next);
    power = power_next;
    progress.step = n;
    progress.wasted += stepper.wasted_iterations();
    progress.halved += stepper.reports().size() > 1;
    progress.factorizations_with_new_pivots = stepper.linear_solver().pivot_choices();
    for (const auto& report : stepper.reports()) {
      progress.iterations += report.iterations;
      progress.factorizations += report.factorizations;
      progress.round_off += report.outcome == integrators::Outcome::round_off;
    }
    observer.observe(q, stepper, progress, n == progress.steps);
  }
  return result;
}

}  // namespace polhode::analyses
