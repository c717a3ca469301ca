// SPDX-License-Identifier: BSD-3-Clause
// A transient analysis: its start, and what the loop over time works with.
#include "polhode/analyses/transient/transient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analyses/transient/drive_impulses.hpp"
#include "analyses/transient/energy_warnings.hpp"
#include "analyses/transient/features.hpp"
#include "analyses/transient/functions_of_time.hpp"
#include "analyses/transient/narrow_features.hpp"
#include "analyses/transient/time_loop.hpp"
#include "polhode/analyses/transient/steps.hpp"
#include "polhode/integrators/catalog.hpp"

namespace polhode::analyses {
namespace {

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
  if (grid.steps == 1) {
    observer.warn(fmt::format("`step` is longer than the duration: the run is one step of {:.6g} s", grid.size(1)));
    return;
  }
  observer.warn(fmt::format("the duration is no whole number of steps: the last step is shorter, {:.6g} s",
                            grid.size(grid.steps)));
}

struct Plan {
  std::unique_ptr<StepPlan> steps;
  double first_step;  // s, for the method's start; 0: its own choice
};

// Both ascend.
void add_sorted(const std::vector<double>& more, std::vector<double>& times) {
  const auto middle = static_cast<std::ptrdiff_t>(times.size());
  times.insert(times.end(), more.begin(), more.end());
  std::inplace_merge(times.begin(), times.begin() + middle, times.end());
}

// Fixed steps know no stops, but for jumps where they end; breakpoints lie within them, or cut them. A library has its
// own first step. `notices`: of stops that no breakpoint asks for.
Plan make_plan(const assembly::System& system, const TransientSettings& settings, integrators::StepRule rule,
               const integrators::Integrator& integrator, double begin, Observer& observer,
               std::vector<std::string>& notices) {
  const std::span<const double> projections = integrator.projection_times();
  if (!settings.control) {
    const Grid grid(begin, settings.step, settings.duration);
    warn_of_shorter_last_step(grid, observer);
    const double last = grid.end(grid.steps);
    std::vector<double> jumps = find_jumps(system, begin, last);
    // They come out later, as jumps of forces then
    const std::vector<double> late = system.signals().jumps_into_delays(begin, last);
    add_sorted(late, jumps);
    const bool cut = settings.integrator.breakpoints == integrators::IntegratorSettings::Breakpoints::hit;
    const std::vector<double> breakpoints = system.breakpoints(begin, last);
    // Samples are taken at their moments
    std::vector<double> hits = cut ? breakpoints : system.signals().samples(begin, last);
    add_sorted(late, hits);
    warn_of_passed_features(system, grid, cut, observer);
    std::unique_ptr<StepPlan> steps =
        make_fixed_plan(grid, {.projections = projections, .jumps = jumps, .hits = hits, .breakpoints = breakpoints});
    const double first = steps->next(begin).h;
    return {std::move(steps), first};
  }
  rule.later_growth = std::min(rule.later_growth, integrator.lasting_growth());
  const double end = begin + settings.duration;
  const double longest_step = step_sizes(*settings.control, rule, settings.duration, settings.duration).max;
  const FeatureSteps features = plan_feature_steps(system, begin, settings.duration, longest_step);
  notices = features.notices;
  std::vector<Stop> stops = find_stops(system.breakpoints(begin, end), projections, begin, end, features.spans);
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

}  // namespace

// What a method asks of a model is known to its family.
void check_transient(const assembly::System& system, const TransientSettings& settings, const State& q,
                     model::Problems& problems) {
  integrators::check_method_model({.system = system,
                                   .settings = settings.integrator,
                                   .controlled = settings.control.has_value(),
                                   .path = settings.path,
                                   .q = q,
                                   .h = settings.step,
                                   .least_step = settings.control ? settings.control->min.value_or(0) : settings.step},
                                  problems);
  // Steps end at each sample
  constexpr double most_samples = 1e7;
  for (const model::SignalEntry& signal : system.signals().signals()) {
    const double period = signal.block ? signal.block->period() : 0;
    if (!(period > 0) || settings.duration / period <= most_samples) continue;
    problems.push_back({system.model().entries[static_cast<std::size_t>(signal.entry)].path("period"),
                        fmt::format("is taken {:.3g} times in {:.6g} s, more than ten million; give a longer one, or "
                                    "leave out the sampling, which hardly shows",
                                    settings.duration / period, settings.duration)});
  }
}

// What the functions work with, and what they make for the steps.
struct TransientSteps::Impl {
  Impl(const assembly::System& of_system, const TransientSettings& of_settings, State& of_state, Observer& of_observer,
       model::Problems& of_problems)
      : system(of_system),
        settings(of_settings),
        q(of_state),
        observer(of_observer),
        problems(of_problems),
        redundancy(of_system) {}

  // The start of the model. False where the analysis ends here.
  bool prepare();
  void make_loop();
  // Whether there is one, which then is that of the result.
  bool take_end(const std::optional<TransientResult::End>& end) {
    if (end) result.end = *end;
    return end.has_value();
  }

  const assembly::System& system;
  const TransientSettings& settings;
  State& q;
  Observer& observer;
  model::Problems& problems;
  TransientResult result;
  Redundancy redundancy;
  std::vector<double> impulses;
  std::unique_ptr<integrators::Integrator> integrator;
  std::unique_ptr<StepPlan> plan;
  double first_step = 0;  // s
  std::optional<TimeLoop> loop;
};

// Checked twice: as it is, and once accelerations and drives have set the speeds.
// Corrections of a start that are above round-off are reported, since the run then begins elsewhere than the
// deck says. Behind another transient they are what its method leaves of the constraints.
bool TransientSteps::Impl::prepare() {
  const bool goes_on = q.t > 0;  // from another transient
  const auto check = [&] { check_transient(system, settings, q, problems); };
  if (problems.empty()) check();
  result.end = TransientResult::End::invalid;  // unless it goes on from here
  if (!problems.empty()) return false;
  const std::string over_constrained = redundancy.begin(q);
  redundancy.check_measured(problems);
  if (!problems.empty()) return false;
  result.start = meet_constraints(system, q, settings.duration, problems, Violations::within_tolerance,
                                  [this] { return observer.interrupted(); });
  if (result.start.interrupted) {
    result.end = TransientResult::End::interrupted;
    return false;
  }
  // What is sampled at the start acts on its accelerations, and may be a reaction or an acceleration; behind another transient the moment
  // may have been met
  if (problems.empty() && system.signals().reads_dynamics()) set_accelerations(system, q, problems);
  system.signals().settle(q);
  system.signals().enter(q);
  system.signals().sample(q);
  if (problems.empty() && set_accelerations(system, q, problems)) check();  // drives may turn bodies faster
  if (!problems.empty()) return false;
  if (is_corrected(system, q, result.start)) {
    const std::string sizes = fmt::format("positions by up to {:.2g} m, velocities by up to {:.2g} m/s",
                                          result.start.largest_move, result.start.largest_velocity_change);
    if (goes_on)
      result.notices.push_back(
          fmt::format("state at t = {:.6g} s corrected to meet the constraints, which the method of "
                      "the analysis before meets within its accuracy: {}",
                      q.t, sizes));
    else
      observer.warn("initial state corrected to meet the constraints: " + sizes);
  }

  impulses = find_impulses(system, q, settings.duration, observer);
  if (!over_constrained.empty()) observer.warn(over_constrained);
  redundancy.after_step(q, 0);
  return true;
}

// Controlled steps are not subdivided: the controller has smaller ones.
void TransientSteps::Impl::make_loop() {
  const integrators::Method& method = method_of(settings.integrator);
  const bool controlled = settings.control.has_value();
  using Signals = integrators::MethodFamily::Signals;
  constexpr double never = std::numeric_limits<double>::infinity();
  const bool chooses_steps = method.rule.kind == integrators::StepRule::Kind::own;
  const bool within_delays = method.family->signals == Signals::steps_within_delays;
  const int halvings = settings.newton.halvings.value_or(integrators::NewtonSettings::default_halvings);
  integrator = integrators::make_integrator({.system = system,
                                             .settings = settings.integrator,
                                             .newton = settings.newton,
                                             .control = controlled ? &*settings.control : nullptr,
                                             .duration = settings.duration});
  Plan made = make_plan(system, settings, method.rule, *integrator, q.t, observer, result.notices);
  plan = std::move(made.steps);
  first_step = made.first_step;
  loop.emplace(TimeLoopParts{.system = system,
                             .integrator = *integrator,
                             .plan = *plan,
                             .redundancy = redundancy,
                             .observer = observer,
                             .problems = problems,
                             .duration = settings.duration,
                             .halvings = controlled || !method.may_subdivide ? 0 : halvings,
                             .controlled = controlled,
                             .restarts_at_breakpoints = method.rule.restarts_at_breakpoints,
                             .impulses = impulses,
                             .shortest_delay = within_delays ? system.signals().shortest_delay().time : never,
                             .longest_step = within_delays ? system.signals().longest_step() : never,
                             .ends_at_kinks = within_delays && !chooses_steps,
                             .chooses_steps = chooses_steps},
               result);
}

TransientSteps::TransientSteps(const assembly::System& system, const TransientSettings& settings, State& q,
                               double external_work, Observer& observer, model::Problems& problems)
    : impl_(std::make_unique<Impl>(system, settings, q, observer, problems)) {
  impl_->result.progress.external_work = external_work;
}

// References in the loop are to the Impl, which stays where it is.
TransientSteps::TransientSteps(TransientSteps&&) noexcept = default;
TransientSteps::~TransientSteps() = default;

bool TransientSteps::start() {
  if (!impl_->prepare()) return false;
  impl_->make_loop();
  return !impl_->take_end(impl_->loop->begin(impl_->q, impl_->first_step));
}

bool TransientSteps::step() { return !impl_->take_end(impl_->loop->step(impl_->q)); }

void TransientSteps::note_inputs() { impl_->loop->note_inputs(); }

// Warnings of the run as a whole are given here, behind those of its steps.
TransientResult TransientSteps::finish() {
  if (!impl_->loop) return std::move(impl_->result);
  const TimeLoop& loop = *impl_->loop;
  const TransientSettings& settings = impl_->settings;
  impl_->result.monitors = loop.monitors().extremes();
  if (!settings.control) warn_of_unresolved_motion(loop.monitors().motion(), impl_->observer);
  warn_of_energies({.system = impl_->system,
                    .settings = settings,
                    .energies = loop.energy_balance(),
                    .uncertainty = loop.uncertainty_of_work(),
                    .impulses = !impl_->impulses.empty()},
                   impl_->q, impl_->observer, impl_->result);
  return std::move(impl_->result);
}

TransientResult run_transient(const assembly::System& system, const TransientSettings& settings, State& q,
                              double external_work, Observer& observer, model::Problems& problems) {
  TransientSteps steps(system, settings, q, external_work, observer, problems);
  if (steps.start())
    while (steps.step()) continue;
  return steps.finish();
}

}  // namespace polhode::analyses
