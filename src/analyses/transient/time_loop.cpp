// SPDX-License-Identifier: BSD-3-Clause
// The loop over time.
#include "analyses/transient/time_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "polhode/model/state_archive.hpp"

namespace polhode::analyses {

using integrators::Outcome;
using integrators::StepReport;

namespace {

constexpr double same_time = 1e-9;       // of the step, of jumps that come out of delays
constexpr double same_crossing = 1e-10;  // of the step

}  // namespace

TimeLoop::TimeLoop(const TimeLoopParts& parts, TransientResult& result)
    : parts_(parts),
      result_(result),
      stop_([&observer = parts.observer] { return observer.interrupted(); }),
      attempts_(parts.integrator, parts.halvings),
      events_(parts.system),
      actions_(parts.system),
      energies_(parts.system, parts.duration, parts.impulses),
      turns_(parts.system, parts.controlled),
      monitors_(parts.system),
      starts_(parts_, result.progress, work_, monitors_) {
  result_.progress.steps = parts.plan.steps();
  result_.progress.shortest = std::numeric_limits<double>::infinity();
  if (const RestartPoints* points = parts.observer.restart_points())
    restart_every_ = points->every(steps_between_points);
}

// One order for all methods: the start is observed, then steps until the plan is done;
// after each the observer sees the state, and only the next one changes it behind breakpoints, for events and restarts.
std::optional<TransientResult::End> TimeLoop::step(State& q) {
  if (has_arrived_)
    if (const auto end = pass_arrival(q)) return end;
  if (std::exchange(has_inputs_, false) && !starts_.pass_inputs(q)) return fail_to_start(q);
  if (parts_.plan.done()) return TransientResult::End::done;
  if (parts_.observer.interrupted()) return TransientResult::End::interrupted;
  const double begin = q.t;
  if (!advance(q, arrival_)) return fail(q);
  has_arrived_ = true;
  if (!parts_.controlled && is_tiny(q.t - begin) && !starts_.renew(q)) return fail_to_start(q);
  if (!finish_step(q, arrival_)) return fail_by_energy(arrival_.t, h_);
  return std::nullopt;
}

// Errors of positions by round-off are divided by the square of the length.
bool TimeLoop::is_tiny(double part) {
  constexpr double tiny = 1e-3;  // of the longest step so far
  longest_ = std::max(longest_, part);
  return part < tiny * longest_;
}

// From the state that was observed to the one that the next step begins with.
std::optional<TransientResult::End> TimeLoop::pass_arrival(State& q) {
  if (arrival_.last && events_.due().empty()) return TransientResult::End::done;
  if (arrival_.breakpoint && !starts_.pass_breakpoint(q, h_)) return fail_to_start(q);
  if (arrival_.behind_jump && !starts_.pass_jump(q, *arrival_.behind_jump)) return fail_to_start(q);
  while (!events_.due().empty())
    if (const auto end = pass_events(q)) return end;
  if (arrival_.last) return TransientResult::End::done;
  leave_point(q);
  if (parts_.integrator.wants_start(q) && !starts_.start(q, 0)) return fail_to_start(q);
  return std::nullopt;
}

// A run that is taken up has been observed up to there.
std::optional<TransientResult::End> TimeLoop::begin(State& q, double h) {
  RestartPoints* points = parts_.observer.restart_points();
  if (const auto words = points ? points->take() : std::nullopt) {
    take_up(q, *words);
    if (parts_.integrator.wants_start(q) && !starts_.start(q, 0)) return fail_to_start(q);
    return std::nullopt;
  }
  if (!starts_.start(q, h)) return fail_to_start(q);
  events_.begin(q);
  take_notice();
  parts_.observer.observe(q, {parts_.integrator, {}}, result_.progress, false);
  if (!energies_.begin(q, result_.progress.external_work)) return fail_by_energy(q.t, 0);
  if (!parts_.integrator.external_work(0)) work_.begin(parts_.system.power(q));
  return std::nullopt;
}

// What a method learned from its factorizations is dropped here and there alike.
void TimeLoop::leave_point(State& q) {
  if (restart_every_ == 0 || result_.progress.step % restart_every_ != 0) return;
  std::vector<double> of_method;
  parts_.integrator.save(q, of_method);
  math::Archive a;
  a(q, of_method);
  archive(a);
  const RestartPlace place{result_.progress.step, q.t, !parts_.controlled && !starts_.used_duration()};
  parts_.observer.restart_points()->keep(place, a.words());
}

void TimeLoop::take_up(State& q, const std::vector<double>& words) {
  math::Archive a(words);
  std::vector<double> of_method;
  State there = q;
  a(there, of_method);
  archive(a);
  const bool fits = there.x.size() == q.x.size() && there.lambda.size() == q.lambda.size() &&
                    there.history.size() == q.history.size() && there.signals.z.size() == q.signals.z.size() &&
                    there.signals.held.size() == q.signals.held.size() &&
                    there.signals.values.size() == q.signals.values.size();
  const bool good = a.is_at_end() && fits && parts_.integrator.load(there, of_method);
  parts_.observer.restart_points()->taken(good);
  q.swap(there);
}

void TimeLoop::archive(math::Archive& a) {
  a(parts_.plan, parts_.redundancy, result_.progress, result_.notices, result_.events, events_, energies_, turns_,
    monitors_, work_, starts_, has_inputs_, longest_);
}

// A failed attempt may be due to constraint equations that have become dependent or independent:
// another choice is tried before a smaller step, unless the step was merely inaccurate.
bool TimeLoop::advance(State& q, Arrival& arrival) {
  if (parts_.controlled) parts_.plan.bound(std::min(turns_.longest_step(q), parts_.longest_step));
  for (;;) {
    integrators::Step step = parts_.plan.next(q.t);
    step.stop = stop_;
    const DelayedStop delayed = cut_at_delayed(q, step);
    h_ = step.h;
    const bool accepted = attempts_.advance(q, step);
    counts_.add_wasted(attempts_.wasted_iterations());
    bool is_cut = false;
    if (accepted && (!events_.any() || stop_at_event(q, step, is_cut))) {
      const bool arrives = !is_cut && q.t >= step.t_next - same_time * step.h;  // a library may choose a shorter step
      const bool jumps = delayed.jumps && arrives;
      is_cut = is_cut || (delayed.is_cut && arrives);
      arrival = is_cut ? parts_.plan.cut(q.t) : parts_.plan.accept(attempts_.reports().back());
      if (jumps && !arrival.behind_jump) arrival.breakpoint = true;
      return true;
    }
    const StepReport& report = attempts_.reports().back();
    if (report.outcome == Outcome::interrupted) return false;
    const bool inaccurate = report.outcome == Outcome::inaccurate;
    if (parts_.controlled) counts_.add_rejected(inaccurate);
    if (!inaccurate && take_up_new_rows(q)) continue;
    if (starts_.smooth(q, step.h)) {
      note_smoothed(q.t, step.h);
      continue;
    }
    if (parts_.plan.reject(report)) continue;
    if (!inaccurate || !take_up_new_rows(q)) return false;
  }
}

void TimeLoop::note_smoothed(double t, double h) {
  constexpr std::size_t most = 20;
  if (result_.notices.size() < most)
    result_.notices.push_back(fmt::format(
        "t = {:.9g} s: a step of {:.6g} s does not resolve the accelerations here, and begins with smoothed "
        "ones; `step: {{tolerance: 1.0e-4}}` follows them",
        t, h));
}

// What comes out of delays is known since it went in. What is at the end of the step but for round-off is there.
TimeLoop::DelayedStop TimeLoop::cut_at_delayed(const State& q, integrators::Step& step) const {
  const assembly::SignalNetwork& signals = parts_.system.signals();
  const double same = same_time * step.h;
  const double jump = signals.next_jump(q);
  double t = jump;
  // Stages beyond would ask for what has not happened
  step.limit = std::min(step.limit, q.t + parts_.shortest_delay);
  if (parts_.ends_at_kinks) t = std::min(t, signals.next_kink(q, q.t + same, step.t_next + same));
  if (!std::isfinite(t) || t > step.t_next + same) return {};
  // A polynomial through a single step between two kinks would be a straight line
  const double half = (t - q.t) / 2;
  if (parts_.ends_at_kinks && half > 2 * same && signals.steps_since_start(q, 1) == 0) {
    step.limit = std::min(step.limit, t);
    step.t_next = q.t + half;
    step.h = step.t_next - q.t;
    return {.jumps = false, .is_cut = true};
  }
  const bool jumps = jump <= t + same;
  step.limit = std::min(step.limit, t);
  if (t >= step.t_next - same) return {.jumps = jumps};
  step.t_next = std::max(t, q.t + same);
  step.h = step.t_next - q.t;
  return {.jumps = jumps, .is_cut = true};
}

// Where the step to the crossing does not lead there, the whole step has not resolved the motion: it is halved.
bool TimeLoop::stop_at_event(State& q, const integrators::Step& step, bool& is_cut) {
  constexpr int most_halvings = 6;
  const double end = q.t;
  for (int halvings = 0;; ++halvings) {
    std::optional<EventCrossing> crossing = events_.first_in(attempts_.previous(), q);
    if (!crossing) return true;
    const State before = attempts_.previous();  // steps that are repeated overwrite it
    const double h = q.t - before.t;
    if (!step_to(*crossing, before, q, step)) return false;
    is_cut = q.t < end;
    // Methods that go back are where they have looked
    const bool is_last = parts_.chooses_steps || halvings == most_halvings;
    if (is_last || events_.is_at(*crossing, before, q, same_crossing * h)) {
      events_.arrive(*crossing, before, q, same_crossing * h);
      return true;
    }
    if (!repeat_until(before.t + h / 2, before, q, step)) return false;
    is_cut = true;
  }
}

// Dense output is less exact than the step: the time is corrected by the values at the ends of the steps that are made,
// until the correction is below 1e-10 of the step.
bool TimeLoop::step_to(EventCrossing& crossing, const State& before, State& q, const integrators::Step& step) {
  constexpr int most_corrections = 20;
  const double end = q.t;
  const double h = end - before.t;
  for (int i = 0; i < most_corrections; ++i) {
    if (std::abs(crossing.t - q.t) <= same_crossing * h) break;
    const double t = std::clamp(crossing.t, before.t + 1e-9 * h, end);
    if (!repeat_until(t, before, q, step)) return false;
    crossing.t = events_.corrected(crossing, before, q);
  }
  return true;
}

// What a method of index 3 leaves in the velocities is taken out within the next step: reactions by the inverse of its
// length. Methods that choose their steps leave nothing.
void TimeLoop::begin_part(State& q, double part, double whole) {
  if (part < whole / 2 && !parts_.chooses_steps) parts_.integrator.project_velocities(q);
}

// The step from `before` to q once more, as far as t, s.
bool TimeLoop::repeat_until(double t, const State& before, State& q, const integrators::Step& step) {
  counts_.add_wasted(attempts_.reports().back().iterations);
  h_ = t - before.t;
  if (const std::optional<bool> is_back = parts_.integrator.go_back(t, q)) {
    if (!*is_back) {
      attempts_.last_report().outcome = Outcome::not_converged;
      q = before;
    }
    return *is_back;
  }
  q = before;
  begin_part(q, h_, step.h);
  return attempts_.advance(q, {.h = h_, .t_next = t, .limit = step.limit, .stop = stop_});
}

// The observer has seen the state before them.
std::optional<TransientResult::End> TimeLoop::pass_events(State& q) {
  // At the end of the plan there is no next step
  const bool is_end = parts_.plan.done();
  const double next = is_end || parts_.chooses_steps ? 0 : parts_.plan.next(q.t).h;
  const double full = !is_end && parts_.chooses_steps ? attempts_.last_report().h : std::max(h_, next);
  if (result_.stopped_by.what = events_.endless(q.t, full); !result_.stopped_by.what.empty())
    return TransientResult::End::failed;
  const std::vector<int> due = events_.take_due();
  if (!is_end) begin_part(q, next, h_ + next);
  const std::size_t problems = parts_.problems.size();
  if (const std::string why = actions_.act(q, due, result_.events, parts_.problems); !why.empty()) {
    parts_.problems.resize(problems);
    const auto entry = static_cast<std::size_t>(parts_.system.events()[static_cast<std::size_t>(due.front())].entry);
    result_.stopped_by.what =
        fmt::format("{} at t = {:.9g} s {}", parts_.system.model().entries[entry].path(), q.t, why);
    return TransientResult::End::failed;
  }
  warn(parts_.redundancy.after_event(q));
  for (std::size_t i = result_.events.size() - due.size(); i < result_.events.size(); ++i) {
    result_.progress.external_work += result_.events[i].energy_change;
    if (result_.notices.size() < 40) result_.notices.push_back(result_.events[i].text());
  }
  result_.ends_run = actions_.ends_run(due);
  if (result_.ends_run) return TransientResult::End::done;
  events_.pass(q);
  if (!is_end && !starts_.pass_event(q, h_)) return fail_to_start(q);
  if (!is_end && starts_.has_smoothed()) note_smoothed(q.t, h_ + parts_.plan.next(q.t).h);
  return std::nullopt;
}

// True if other constraint equations are dropped from here on, with which the step may succeed.
bool TimeLoop::take_up_new_rows(State& q) {
  if (!warn(parts_.redundancy.after_failure(q))) return false;
  return !parts_.integrator.wants_start(q) || starts_.start(q, 0);
}

// Numbers that are not finite are found before anything is made of them, energy that nothing gave behind it. Work and
// velocities of a step that is not accepted after all are taken back with its state.
bool TimeLoop::finish_step(State& q, const Arrival& arrival) {
  Progress& progress = result_.progress;
  const double work_before = progress.external_work;
  bool good = has_values(q) && energies_.is_finite(q);
  if (good) {
    project_and_add_work(q, arrival);
    good = energies_.add_step(q, progress.external_work, arrival.last);
  }
  if (!good) {
    progress.external_work = work_before;
    q = State(attempts_.previous());
    return false;
  }
  take_notice();
  turns_.look_at(q, attempts_.last_report().h, parts_.observer);
  counts_.book_step(attempts_, progress);
  progress.factorizations_with_new_pivots = parts_.integrator.pivot_choices();
  const State& before = attempts_.previous();
  monitors_.add(before, q, attempts_.last_report(), (q.t - before.t) * energies_.fastest_rotation(),
                energies_.balance().unexplained(), pivot_ratio_, parts_.integrator.has_middle_values());
  parts_.observer.observe(q, {parts_.integrator, attempts_.reports(), counts_.wasted(), &before, monitors_.last()},
                          progress, arrival.last);
  counts_.forget_wasted();
  return true;
}

// Signals that no force follows stop no step.
bool TimeLoop::has_values(const State& q) {
  const model::Model& model = parts_.system.model();
  // What is finite less itself is zero; asked at each step, and summed up several at a time
  const auto& values = q.signals.values;
  if (const int event = events_.without_value(); event >= 0) {
    const auto entry = static_cast<std::size_t>(parts_.system.events()[static_cast<std::size_t>(event)].entry);
    tell_no_value(model.entries[entry].path() + ".when", q.t);
  } else if ((values - values).sum() != 0) {
    tell_lost(-std::numeric_limits<double>::infinity());
  }
  return result_.stopped_by.what.empty();
}

// What was tried behind t, s, may have failed by signals.
void TimeLoop::tell_lost(double t) {
  const assembly::SignalNetwork::Lost lost = parts_.system.signals().lost();
  if (lost.entries.empty() || !(lost.t > t)) return;
  const auto entry = [this](int i) -> const model::Entry& {
    return parts_.system.model().entries[static_cast<std::size_t>(i)];
  };
  if (lost.entries.size() == 1) {
    tell_no_value(entry(lost.entries.front()).path(), lost.t);
    return;
  }
  std::string names;
  for (const int i : lost.entries) (names += names.empty() ? "" : ", ") += entry(i).name;
  result_.stopped_by.what = fmt::format(
      "{}: the signals that depend on each other without delay ({}) have no solution at t = {:.9g} s, or none that "
      "their derivatives lead to",
      entry(lost.entries.front()).path(), names, lost.t);
  result_.stopped_by.remedy = "to go on: put a low_pass or a sample_hold between them";
}

// Where a signal, a function of an event or a force has left the range of its formula.
void TimeLoop::tell_no_value(const std::string& path, double t) {
  result_.stopped_by.what = fmt::format("{} has no value at t = {:.9g} s: it is not finite there", path, t);
  result_.stopped_by.remedy =
      "to go on: look for the root of a negative number, a division by zero or what grows without bound, and bound "
      "what it takes, as by `max(x, 0)`; look at the motion up to here, which is kept";
}

// Work by the method itself where it counts it, else by the trapezoidal rule over the step.
void TimeLoop::project_and_add_work(State& q, const Arrival& arrival) {
  integrators::Integrator& integrator = parts_.integrator;
  Progress& progress = result_.progress;
  // Steps that succeeded only after trouble may be near a singular position.
  const bool trouble = attempts_.reports().size() > 1 || counts_.had_trouble();
  pivot_ratio_ = integrator.pivot_ratio();
  warn(parts_.redundancy.after_step(q, pivot_ratio_));
  if (trouble) warn(parts_.redundancy.after_trouble(q));
  if (arrival.project) integrator.project_velocities(q);
  if (const std::optional<double> work = attempts_.external_work(progress.external_work)) {
    progress.external_work = *work;
  } else {
    progress.external_work += work_.add(h_, parts_.system.power(q));
  }
  q.t = arrival.t;
  if (arrival.behind_jump) attempts_.last_report().t = arrival.t;
}

// The report of the last attempt is the failure; its worst rows are named once, here. What is said of a state that an
// interrupted step began from would be said of no trouble.
TransientResult::End TimeLoop::fail(const State& q) {
  result_.progress.wasted += counts_.wasted();
  if (attempts_.reports().back().outcome == Outcome::interrupted) return TransientResult::End::interrupted;
  tell_lost(q.t);
  if (result_.stopped_by.what.empty()) result_.stopped_by.what = events_.crowded(q.t);
  warn(parts_.redundancy.after_trouble(q));
  result_.failure = attempts_.reports().back();
  if (const int entry = result_.failure.without_value; entry >= 0 && result_.stopped_by.what.empty())
    tell_no_value("the force of " + parts_.system.model().entries[static_cast<std::size_t>(entry)].path(),
                  result_.failure.t);
  if (result_.failure.outcome == Outcome::inaccurate && result_.failure.worst.empty())
    parts_.integrator.name_worst(result_.failure);
  return TransientResult::End::failed;
}

// At the start a singular position is a fault of the deck, later a failure of the run.
TransientResult::End TimeLoop::fail_to_start(const State& q) {
  if (!parts_.problems.empty()) return TransientResult::End::invalid;
  if (result_.progress.step == 0) {
    parts_.problems.push_back(
        {"joints", "the positions at the start are singular: " + parts_.redundancy.after_trouble(q)});
    return TransientResult::End::invalid;
  }
  warn(parts_.redundancy.after_trouble(q));
  result_.failure = {};
  result_.failure.t = q.t;
  // A run that is taken up may fail before its first step.
  if (!attempts_.reports().empty()) result_.failure.h = attempts_.reports().back().h;
  result_.failure.outcome = Outcome::singular;
  return TransientResult::End::failed;
}

// The iteration has converged: what failed is the state that it led to.
TransientResult::End TimeLoop::fail_by_energy(double t, double h) {
  result_.failure = {};
  result_.failure.t = t;
  result_.failure.h = h;
  energies_.describe(result_.failure);
  return TransientResult::End::failed;
}

// No warnings: the results are right.
void TimeLoop::take_notice() {
  constexpr std::size_t most = 20;
  std::string text = parts_.integrator.notice();
  if (!text.empty() && result_.notices.size() < most) result_.notices.push_back(std::move(text));
}

bool TimeLoop::warn(const std::string& text) {
  if (!text.empty()) parts_.observer.warn(text);
  return !text.empty();
}

}  // namespace polhode::analyses
