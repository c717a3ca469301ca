// SPDX-License-Identifier: BSD-3-Clause
// Starts of a method, and what is made new before them.
#include "analyses/transient/method_starts.hpp"

#include <limits>

#include "analyses/transient/smooth_accelerations.hpp"

namespace polhode::analyses {

namespace {

constexpr double instant = 1e-12;  // of the duration: so far behind a jump, loads and drives have jumped

}  // namespace

// Fixed steps begin behind jumps that are known (pass_jump).
bool MethodStarts::start(State& q, double h) { return start(q, h, parts_.controlled); }

// Rates of accelerations for methods that ask for them.
bool MethodStarts::start(State& q, double h, bool instant_later) {
  std::vector<model::Vec6> vddot;
  started_ = q.t;
  may_smooth_ = true;
  used_duration_ = used_duration_ || instant_later;
  // Small against the step, so that stiff vibrations which the step passes over do not spoil the differences.
  const double dt = 1e-3 * h;
  if (parts_.integrator.wants_rates()) {
    if (!set_acceleration_rates(parts_.system, q, dt, vddot, parts_.problems)) return false;
    smooth_rates(parts_.system, h, q, vddot);
  }
  return parts_.integrator.start(q, {.h = h,
                                     .instant = instant_later ? instant * parts_.duration : 0,
                                     .stop = parts_.plan.stop(),
                                     .longest = parts_.plan.longest(),
                                     .external_work = progress_.external_work,
                                     .vddot = vddot});
}

// Control of the step follows all accelerations. Rates of them would be those of what is smoothed away.
bool MethodStarts::takes_smooth() const {
  const integrators::Integrator& method = parts_.integrator;
  return !parts_.controlled && method.remembers_accelerations() && !method.wants_rates();
}

bool MethodStarts::smooth(State& q, double h) {
  constexpr double soon = 2;  // steps
  if (!may_smooth_ || q.t - started_ > soon * h) return false;
  may_smooth_ = false;
  if (!takes_smooth() || !smooth_accelerations(parts_.system, h, 1, q)) return false;
  monitors_.forget_oscillation();
  return parts_.integrator.start(q, {.h = h});
}

// A jump needs new accelerations; a kink is only passed on to the method, and a pulse that follows limits
// the next step, so that none passes over it.
bool MethodStarts::pass_breakpoint(State& q, double h) {
  const double stop = parts_.plan.stop();
  // Twenty steps see the shape of what happens up to the next breakpoint.
  const double part_of_pulse = (stop - q.t) / 20;
  // A sample is a jump of what it drives
  const bool sampled = parts_.system.signals().sample(q);
  if (sampled || parts_.restarts_at_breakpoints)
    parts_.plan.restart(sampled ? std::numeric_limits<double>::infinity() : part_of_pulse);
  if (parts_.restarts_at_breakpoints) return start(q, 0, true);
  if (sampled) return start_behind_jump(q);
  record_jump(q);
  using Kind = BreakpointProbe::Kind;
  if (!probe_) probe_.emplace(parts_.system);
  const Kind kind = probe_->kind(q, h);
  if (kind == Kind::smooth) return true;
  const bool even = kind == Kind::kink && !probe_->more_than_linear(q, stop);
  parts_.plan.restart(even ? std::numeric_limits<double>::infinity() : part_of_pulse);
  if (kind == Kind::jump) return start_behind_jump(q);
  parts_.integrator.pass_kink(q);
  return true;
}

// What jumps into a delay acts later, and on nothing here.
void MethodStarts::record_jump(State& q) {
  if (!parts_.system.signals().has_delays()) return;
  const double t = q.t;
  used_duration_ = true;
  q.t = t + instant * parts_.duration;
  parts_.system.signals().record(q, true);
  q.t = t;
}

// What a host program sets is a jump of what it drives, wherever the step ended.
bool MethodStarts::pass_inputs(State& q) {
  parts_.system.signals().settle(q);
  parts_.plan.restart(std::numeric_limits<double>::infinity());
  return parts_.restarts_at_breakpoints ? start(q, 0, true) : start_behind_jump(q);
}

// Fixed steps go on to their grid: by the rest of the step, and by whole ones behind it.
bool MethodStarts::pass_event(State& q, double h) {
  constexpr double resolved = 0.5;
  parts_.plan.restart(std::numeric_limits<double>::infinity());
  monitors_.forget_oscillation();
  started_smooth_ = takes_smooth() && smooth_accelerations(parts_.system, h + parts_.plan.next(q.t).h, resolved, q);
  const bool good = start(q, parts_.chooses_steps ? 0 : parts_.plan.next(q.t).h);
  work_.begin(parts_.system.power(q));
  return good;
}

// By the equations of motion, as at a start; behind the last step nothing starts.
bool MethodStarts::renew(State& q) {
  if (parts_.chooses_steps || !parts_.integrator.remembers_accelerations()) return true;
  parts_.integrator.project_velocities(q);
  monitors_.forget_oscillation();
  if (!set_accelerations(parts_.system, q, parts_.problems)) return false;
  return parts_.plan.done() || start(q, parts_.plan.next(q.t).h);
}

// Loads of the step that ended here had not jumped yet; those of the next one have. The grid stays.
bool MethodStarts::pass_jump(State& q, double behind) {
  const bool sampled = parts_.system.signals().sample(q);
  q.t = behind;
  if (sampled || parts_.integrator.remembers_accelerations()) return start_behind_jump(q);
  work_.begin(parts_.system.power(q));
  return true;
}

// From consistent accelerations, behind the jump.
bool MethodStarts::start_behind_jump(State& q) {
  const double t = q.t;
  parts_.integrator.project_velocities(q);
  q.t = t + instant * parts_.duration;
  used_duration_ = true;
  const double h = parts_.plan.next(t).h;
  monitors_.forget_oscillation();
  const bool good = set_accelerations(parts_.system, q, parts_.problems) && start(q, h);
  q.t = t;
  work_.begin(parts_.system.power(q));
  return good;
}

}  // namespace polhode::analyses
