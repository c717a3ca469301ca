// SPDX-License-Identifier: BSD-3-Clause
// A transient analysis: its start, and what the loop over time works with.
#include "polhode/analyses/transient/transient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "analyses/transient/features.hpp"
#include "analyses/transient/functions_of_time.hpp"
#include "analyses/transient/time_loop.hpp"
#include "polhode/integrators/catalog.hpp"

namespace polhode::analyses {
namespace {

// Phi, Phi_t and the part of Gamma that drives have, a little before or after a time.
struct DriveValues {
  explicit DriveValues(const assembly::System& system)
      : phi(system.make_residual()), rate(system.rows()), acceleration(system.rows()), Bv_(system.rows()) {}
  void set(const assembly::System& system, const State& q) {
    system.set_residual(q, phi, {false, false, true});
    system.set_rates(q, Bv_, rate, acceleration);
  }
  assembly::Residual phi;       // m and rad
  model::VectorX rate;          // m/s and rad/s
  model::VectorX acceleration;  // m/s^2 and rad/s^2

 private:
  model::VectorX Bv_;
};

// What a smooth drive changes by from `before` to `after`, a time of `span`, s, with the rates at both ends; a fast
// shaft turns by more than a jump is.
double smooth_change(double rate_before, double rate_after, double span) {
  return span * std::max(std::abs(rate_before), std::abs(rate_after));
}

// Warns of drives that jump: constraints that no motion can follow, at times that only functions of time decide.
// Phi and Phi_t a little before and after each time at which a function of time has a breakpoint, at the configuration
// of the start. Returns the times at which Phi or Phi_t jumps: the impulses there do work that no balance books.
// All breakpoints where there are many, which are knots of tables: they do not jump, and most have a kink.
std::vector<double> find_impulses(const assembly::System& system, const State& q, double duration, Observer& observer) {
  constexpr double smallest = 1e-6;  // jump: of the size of the model, in rad, or of the rate
  const std::vector<double> times = system.breakpoints(q.t, q.t + duration);
  if (system.rows() == 0) return {};
  if (times.size() > 1000) return times;
  std::vector<double> impulses;
  DriveValues before(system);
  DriveValues after(system);
  State at = q;
  const double aside = 1e-9 * duration;
  for (const double t : times) {
    at.t = t - aside;
    before.set(system, at);
    at.t = t + aside;
    after.set(system, at);
    const double fastest = std::max(before.rate.lpNorm<Eigen::Infinity>(), after.rate.lpNorm<Eigen::Infinity>());
    // Angles are known to the last bits of the turns so far.
    const double round_off = 4 * std::numeric_limits<double>::epsilon() * fastest * std::abs(t);
    bool jumps = false;
    for (int row = 0; row < system.rows(); ++row) {
      const double kink = std::abs(after.rate[row] - before.rate[row]);
      jumps = jumps ||
              kink > smallest * fastest + smooth_change(before.acceleration[row], after.acceleration[row], 2 * aside);
      const bool length = system.row_is_length(row);
      const double change = after.phi.phi[row] - before.phi.phi[row];
      // Angles are known but for whole turns.
      const double jump = length ? change : std::remainder(change, 2 * std::numbers::pi);
      const double smooth = smooth_change(before.rate[row], after.rate[row], 2 * aside) + round_off;
      if (std::abs(jump) <= smallest * (length ? system.length() : 1) + 1.01 * smooth) continue;
      jumps = true;
      observer.warn(
          fmt::format("the drive of {} jumps by {:.3g} {} at t = {:.6g} s, and no motion follows it; give it time",
                      names_of_rows(system, {row}), std::abs(jump), length ? "m" : "rad", t));
    }
    if (jumps) impulses.push_back(t);
  }
  return impulses;
}

// Whether the start was changed by more than the rounding errors of its positions, which grow with their distance from
// the origin, and of its velocities.
bool is_corrected(const assembly::System& system, const State& q, const StartReport& start) {
  constexpr double round_off = 1e-12;
  constexpr double last_bits = 16 * std::numeric_limits<double>::epsilon();
  double farthest = 0;
  double fastest = system.length();  // at least a size a second
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    farthest = std::max(farthest, q.x[i].norm());
    fastest = std::max({fastest, q.v[i].head<3>().norm(), q.v[i].tail<3>().norm() * system.length()});
  }
  return start.largest_move > std::max(round_off * system.length(), last_bits * farthest) ||
         start.largest_velocity_change > round_off * fastest;
}

// A shorter step is another discretization, and shows in multipliers of index 3.
void warn_of_shorter_last_step(const Grid& grid, Observer& observer) {
  if (grid.whole) return;
  observer.warn(fmt::format("the duration is no whole number of steps: the last step is shorter, {:.6g} s",
                            grid.size(grid.steps)));
}

// Energy that nothing took. What a method may lose, numerical damping and errors within its tolerance, is known to it.
void warn_of_lost_energy(const TimeLoop& loop, const TransientSettings& settings, Observer& observer) {
  const EnergyWatch& energies = loop.energies();
  const double lost = -energies.unexplained() - loop.uncertainty_of_work();
  const integrators::StepControlSettings* control = settings.control ? &*settings.control : nullptr;
  const double allowed = integrators::allowed_loss(settings.integrator, control);
  if (!(lost > allowed * energies.scale())) return;
  observer.warn(fmt::format(
      "the model has lost {:.3g} J, {:.2g} % of its largest energy, that no load, drive or damper took; `{}` may lose "
      "{:.2g} %: the results are wrong or inaccurate; use a smaller `step` or `tolerance`",
      -energies.unexplained(), -100 * energies.unexplained() / energies.scale(), settings.integrator.method,
      100 * allowed));
}

// Energy that nothing gave is an error of the solution: above 5 % of the largest energy of the analysis, and of what
// dampers, loads and drives did in it.
void warn_of_gained_energy(const TimeLoop& loop, Observer& observer) {
  constexpr double allowed = 0.05;
  const EnergyWatch& energies = loop.energies();
  const double gained = energies.unexplained() - energies.overcounted() - loop.uncertainty_of_work();
  const double scale = std::max(
      {energies.scale(), std::abs(energies.first_energy()), std::abs(energies.last_energy() - energies.unexplained())});
  if (!(gained > allowed * scale)) return;
  observer.warn(
      "the model has gained energy that nothing gave it: the results are wrong or inaccurate; use a smaller `step` or "
      "`tolerance`, or, of generalized-alpha methods, more numerical damping (a smaller `rho_infinity`)");
}

// A failure by energy has said so.
void warn_of_energies(const TimeLoop& loop, const TransientSettings& settings, const TransientResult& result,
                      TransientResult::End end, bool impulses, Observer& observer) {
  using integrators::Outcome;
  using End = TransientResult::End;
  const Outcome outcome = result.failure.outcome;
  if (end == End::invalid || result.progress.step == 0) return;
  if (end == End::failed && (outcome == Outcome::not_finite || outcome == Outcome::unbounded)) return;
  warn_of_gained_energy(loop, observer);
  // Vibrations after an impulse are damped, as they should be.
  if (end != End::failed && !impulses) warn_of_lost_energy(loop, settings, observer);
}

struct Plan {
  std::unique_ptr<StepPlan> steps;
  double first_step;  // s, for the method's start; 0: its own choice
};

// Fixed steps know no stops: breakpoints lie within them, but for jumps where they end. A library has its own first
// step.
Plan make_plan(const assembly::System& system, const TransientSettings& settings, const integrators::StepRule& rule,
               const integrators::Integrator& integrator, double begin, Observer& observer) {
  const std::span<const double> projections = integrator.projection_times();
  if (!settings.control) {
    const Grid grid(begin, settings.step, settings.duration);
    warn_of_shorter_last_step(grid, observer);
    warn_of_passed_features(system, grid, observer);
    const std::vector<double> jumps = find_jumps(system, begin, grid.end(grid.steps));
    return {make_fixed_plan(grid, projections, jumps), grid.size(1)};
  }
  const double end = begin + settings.duration;
  std::vector<Stop> stops = find_stops(system.breakpoints(begin, end), projections, begin, end);
  // Breakpoints at the end are none of the run; the last step sees no load that jumps there.
  const std::vector<double> jumps = find_jumps(system, begin, end);
  const double same = 1e-12 * std::max(std::abs(begin), std::abs(end));
  if (!jumps.empty() && jumps.back() >= end - same) stops.back().breakpoint = true;
  const integrators::StepSizes sizes = step_sizes(*settings.control, rule, settings.duration, stops.front().t - begin);
  std::unique_ptr<StepPlan> steps =
      make_controlled_plan(std::move(stops), make_step_control(*settings.control, rule, sizes));
  const bool own = rule.kind == integrators::StepRule::Kind::own;
  const double first = own ? sizes.initial : steps->next(begin).h;
  return {std::move(steps), first};
}

// Controlled steps are not subdivided: the controller has smaller ones.
TransientResult::End run_loop(const assembly::System& system, const TransientSettings& settings, State& q,
                              const std::vector<double>& impulses, Redundancy& redundancy, Observer& observer,
                              model::Problems& problems, TransientResult& result) {
  const integrators::Method& method = method_of(settings.integrator);
  const bool controlled = settings.control.has_value();
  const int halvings = settings.newton.halvings.value_or(integrators::NewtonSettings::default_halvings);
  const std::unique_ptr<integrators::Integrator> integrator =
      integrators::make_integrator({.system = system,
                                    .settings = settings.integrator,
                                    .newton = settings.newton,
                                    .control = controlled ? &*settings.control : nullptr,
                                    .duration = settings.duration});
  const Plan plan = make_plan(system, settings, method.rule, *integrator, q.t, observer);
  TimeLoop loop({.system = system,
                 .integrator = *integrator,
                 .plan = *plan.steps,
                 .redundancy = redundancy,
                 .observer = observer,
                 .problems = problems,
                 .duration = settings.duration,
                 .halvings = controlled || !method.may_subdivide ? 0 : halvings,
                 .controlled = controlled,
                 .restarts_at_breakpoints = method.rule.restarts_at_breakpoints,
                 .impulses = impulses},
                result);
  const TransientResult::End end = loop.run(q, plan.first_step);
  result.monitors = loop.monitors();
  warn_of_energies(loop, settings, result, end, !impulses.empty(), observer);
  return end;
}

}  // namespace

// What a method asks of a model is known to its family.
void check_transient(const assembly::System& system, const TransientSettings& settings, const State& q,
                     model::Problems& problems) {
  integrators::check_method_model({.system = system,
                                   .settings = settings.integrator,
                                   .controlled = settings.control.has_value(),
                                   .path = settings.path,
                                   .q = q,
                                   .h = settings.step},
                                  problems);
}

// Checked twice: as it is, and once accelerations and drives have set the speeds.
// Corrections of a start that are above round-off are reported, since the run then begins elsewhere than the
// deck says.
TransientResult run_transient(const assembly::System& system, const TransientSettings& settings, State& q,
                              double external_work, Observer& observer, model::Problems& problems) {
  TransientResult result;
  result.progress.external_work = external_work;
  Redundancy redundancy(system);
  const auto check = [&] { check_transient(system, settings, q, problems); };
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
  if (is_corrected(system, q, result.start))
    observer.warn(
        fmt::format("initial state corrected to meet the constraints: positions by up to {:.2g} m, velocities by up to "
                    "{:.2g} m/s",
                    result.start.largest_move, result.start.largest_velocity_change));

  const std::vector<double> impulses = find_impulses(system, q, settings.duration, observer);
  if (!over_constrained.empty()) observer.warn(over_constrained);
  redundancy.after_step(q, 0);

  result.end = run_loop(system, settings, q, impulses, redundancy, observer, problems, result);
  return result;
}

}  // namespace polhode::analyses
