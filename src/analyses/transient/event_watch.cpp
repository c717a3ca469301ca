// SPDX-License-Identifier: BSD-3-Clause
// Crossings of zero in a step.
#include "analyses/transient/event_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "polhode/analyses/transient/dense_output.hpp"

namespace polhode::analyses {

using model::Event;
using model::State;

namespace {

// Of a step. The first ones show the side behind an event, also where the next one follows soon.
constexpr std::array looks{1e-7, 1e-5, 1e-3, 0.25, 0.5, 0.75, 1.0};
// Of the largest value so far
constexpr double same_as_zero = 1e-12;
// Of times that a switch changes within hardly any time.
constexpr int most_successive = 25;
// Of times that an event happens within less than a step, each time sooner than before, and its function returns in
// between. If it goes on across zero behind the last one, what is left of such a series is below round-off.
constexpr int few_successive = 2;
// Of a step
constexpr double few_of_step = 1e-6;
constexpr double rest_of_series = 1e-4;

}  // namespace

EventWatch::EventWatch(const assembly::System& system)
    : system_(system),
      values_(system.events().size(), 0),
      side_(system.events().size(), 0),
      scale_(system.events().size(), 0),
      came_from_(system.events().size(), 0),
      last_(system.events().size(), -std::numeric_limits<double>::infinity()),
      interval_(system.events().size(), std::numeric_limits<double>::infinity()),
      successive_(system.events().size(), 0),
      returned_(system.events().size(), 0),
      returns_(system.events().size(), 0) {}

// A constant is a time.
double EventWatch::value(int event, const State& q) const {
  const model::TimeFunction& when = at(event).when;
  if (when.is_constant()) return q.t - when(0).value;
  return when.value(q.t, system_.signals().values(q)) - at(event).level;
}

// The scale is the largest value of the function so far: a function has no other size.
int EventWatch::side_of(int event, double value) {
  double& scale = scale_[static_cast<std::size_t>(event)];
  scale = std::max(scale, std::abs(value));
  if (!(std::abs(value) > same_as_zero * scale)) return 0;
  return value > 0 ? 1 : -1;
}

bool EventWatch::counts(int event, int side) const {
  const Event::Direction wanted = at(event).direction;
  return wanted == Event::Direction::both || (wanted == Event::Direction::up) == (side < 0);
}

namespace {

// Whether all signals that it sets are what they would be.
bool has_values(const assembly::SignalNetwork& signals, const Event& event, const State& q) {
  for (const model::Action& action : event.actions)
    for (std::size_t i = 0; i < action.set.size(); ++i)
      if (q.signals.held[signals.place_of_held(action.set[i])] != action.values[i].value(q.t, signals.values(q)))
        return false;
  return true;
}

}  // namespace

// What is locked already cannot be locked again; what holds nothing cannot be released. Equations of a joint hold all
// or none.
bool EventWatch::is_idle(int event, const State& q) const {
  const Event& e = at(event);
  if (e.only_changes) return has_values(system_.signals(), e, q);
  if (e.end) return false;
  const auto open = [&](int lock) { return q.dropped.is_open(system_.locks()[static_cast<std::size_t>(lock)].row()); };
  const auto apart = [&](int joint) { return q.dropped.is_open(system_.rows_of_joint(joint).front()); };
  return std::all_of(e.actions.begin(), e.actions.end(), [&](const model::Action& action) {
    return !action.acts() && std::none_of(action.lock.begin(), action.lock.end(), open) &&
           std::all_of(action.release.begin(), action.release.end(), open) &&
           std::none_of(action.close.begin(), action.close.end(), apart) &&
           std::all_of(action.open.begin(), action.open.end(), apart);
  });
}

// A switch changes wherever its input is beyond the threshold, also where it has come back to it from the other side.
int EventWatch::side_before(int event, int side, const State& q) const {
  if (!at(event).only_changes || is_idle(event, q)) return side;
  return at(event).direction == Event::Direction::up ? -1 : 1;
}

// At the start nothing is crossed.
void EventWatch::begin(const State& q) {
  for (int i = 0; i < static_cast<int>(side_.size()); ++i) side_[static_cast<std::size_t>(i)] = side_of(i, value(i, q));
}

// Sides are those of the end where nothing happens; arrive() sets them elsewhere.
std::optional<EventCrossing> EventWatch::first_in(const State& a, const State& b) {
  std::vector<int>& side = new_side_;
  side = side_;
  double before = a.t;
  for (const double look : looks) {
    const double t = look == 1 ? b.t : a.t + look * (b.t - a.t);
    if (look < 1) interpolate(system_, a, b, t, between_);
    const State& q = look < 1 ? between_ : b;
    std::optional<EventCrossing> first;
    for (std::size_t i = 0; i < side.size(); ++i) values_[i] = value(static_cast<int>(i), q);
    known_side_ = side;
    for (std::size_t i = 0; i < side.size(); ++i) {
      const int event = static_cast<int>(i);
      const int now = side_of(event, values_[i]);
      if (now == 0) {
        // The end of the step is the crossing; between the looks zeros are found with what follows them
        const bool arrives = look == 1 && side[i] != 0 && slope(event, a, b) * side[i] < 0;
        if (arrives && counts(event, side[i]) && !is_idle(event, a) && !first) first = {event, t, side[i]};
        continue;
      }
      const int was = side_before(event, std::exchange(side[i], now), a);
      if (was == 0 && now == came_from_[i]) returned_[i] = 1;
      if ((was == 0 || was == now) && now == -came_from_[i] && goes_on(event, a)) {
        going_on_ = event;
        return EventCrossing{event, a.t, came_from_[i]};
      }
      if (was == 0 || was == now || !counts(event, was) || is_idle(event, a)) continue;
      const double crossing = bisect(event, was, a, b, before, t);
      if (!first || crossing < first->t) first = EventCrossing{event, crossing, was};
    }
    if (first) {
      // Behind events of the last step others may be due with this one
      for (std::size_t i = 0; i < side.size(); ++i)
        if (side_[i] == 0) side_[i] = known_side_[i];
      return first;
    }
    before = t;
  }
  side_ = side;
  const auto undefined = std::find_if(values_.begin(), values_.end(), [](double v) { return std::isnan(v); });
  without_value_ = undefined == values_.end() ? -1 : static_cast<int>(undefined - values_.begin());
  return std::nullopt;
}

// Though it has always returned before, and sooner each time.
bool EventWatch::goes_on(int event, const State& a) const {
  const auto i = static_cast<std::size_t>(event);
  return !at(event).only_changes && returned_[i] == 0 && successive_[i] >= few_successive &&
         returns_[i] >= few_successive && std::abs(values_[i]) > std::abs(value(event, a)) + same_as_zero * scale_[i];
}

// Down to the last bits of the step; the time is that behind the crossing.
double EventWatch::bisect(int event, int side, const State& a, const State& b, double t0, double t1) {
  while (t1 - t0 > 1e-12 * (b.t - a.t)) {
    const double t = 0.5 * (t0 + t1);
    if (t <= t0 || t >= t1) break;
    interpolate(system_, a, b, t, between_);
    (value(event, between_) * side > 0 ? t0 : t1) = t;
  }
  return t1;
}

// From within the step: behind it forces may be others.
double EventWatch::slope(int event, const State& a, const State& b) {
  const double dt = 1e-3 * (b.t - a.t);
  interpolate(system_, a, b, b.t - dt, between_);
  const double earlier = value(event, between_);
  return (value(event, b) - earlier) / dt;
}

// One step of Newton's method; none where the function does not go across.
double EventWatch::corrected(const EventCrossing& crossing, const State& a, const State& b) {
  const double rate = slope(crossing.event, a, b);
  return rate * crossing.side < 0 ? b.t - value(crossing.event, b) / rate : b.t;
}

// On the other side, at zero, or as near to it as its slope says.
bool EventWatch::is_at(const EventCrossing& crossing, const State& a, const State& b, double same_time) {
  constexpr double near = 10;
  if (side_of(crossing.event, value(crossing.event, b)) != crossing.side) return true;
  const double t = corrected(crossing, a, b);
  return t != b.t && std::abs(t - b.t) <= near * same_time;
}

// An event counts as one at the same time where its function has just crossed zero, or is about to by its slope.
void EventWatch::arrive(const EventCrossing& crossing, const State& a, const State& b, double same_time) {
  due_.clear();
  for (int i = 0; i < static_cast<int>(side_.size()); ++i) {
    int& side = side_[static_cast<std::size_t>(i)];
    if (i == crossing.event) {
      due_.push_back(i);
      came_from_[static_cast<std::size_t>(i)] = crossing.side;
      side = 0;
      continue;
    }
    const int was = side;
    const int now = side_of(i, value(i, b));
    const bool crosses = was != 0 && now != was && now != 0;
    const EventCrossing one{i, b.t, was};
    const bool is_near =
        was != 0 && (crosses || slope(i, a, b) * was < 0) && std::abs(corrected(one, a, b) - b.t) <= 10 * same_time;
    if ((crosses || is_near) && counts(i, was) && !is_idle(i, a)) {
      due_.push_back(i);
      came_from_[static_cast<std::size_t>(i)] = was;
      side = 0;
    } else if (now != 0) {
      side = now;
    }
  }
}

std::vector<int> EventWatch::take_due() { return std::exchange(due_, {}); }

// Functions of velocities jump with them; those that are at zero show their side later.
void EventWatch::pass(const State& q) {
  for (int i = 0; i < static_cast<int>(side_.size()); ++i) {
    int& side = side_[static_cast<std::size_t>(i)];
    const int now = side_of(i, value(i, q));
    if (side == 0 || now == 0) continue;
    if (now != side && counts(i, side) && !is_idle(i, q)) due_.push_back(i);
    side = now;
  }
}

// Intervals that shrink without end sum up to a finite time, which no run gets beyond: that of a geometric series. The
// longest step so far is the measure, since steps begin small behind events.
std::string EventWatch::endless(double t, double h) {
  longest_step_ = std::max(longest_step_, h);
  for (const int event : due_) {
    const auto i = static_cast<std::size_t>(event);
    const double interval = t - std::exchange(last_[i], t);
    const double before = std::exchange(interval_[i], interval);
    returns_[i] = std::exchange(returned_[i], 0) != 0 ? returns_[i] + 1 : 0;
    const bool goes_on = going_on_ == event;
    // A switch that holds its input at the threshold changes at once, each time
    const bool at_once = at(event).only_changes && interval < few_of_step * longest_step_;
    const bool sooner = at_once || (interval <= before && interval < longest_step_);
    successive_[i] = sooner ? successive_[i] + 1 : 0;
    const bool ends = at(event).only_changes
                          ? successive_[i] >= most_successive
                          : goes_on || (successive_[i] > few_successive &&
                                        interval * interval < rest_of_series * longest_step_ * (before - interval));
    if (ends) return endless_text(event, t);
  }
  return "";
}

// Switches have a remedy of their own.
std::string EventWatch::endless_text(int event, double t) const {
  const model::Entry& entry = system_.model().entries[static_cast<std::size_t>(at(event).entry)];
  if (at(event).only_changes)
    return fmt::format(
        "{} switches for ever: it keeps its input at the threshold, at t = {:.9g} s; put `off_below` "
        "further below `on_above`",
        entry.path(), t);
  return fmt::format("{} happens for ever: again and again, each time sooner, up to t = {:.9g} s", entry.path(), t);
}

// Steps between them are then too short for any method.
std::string EventWatch::crowded(double t) const {
  constexpr int several = 5;
  for (int event = 0; event < static_cast<int>(last_.size()); ++event) {
    const auto i = static_cast<std::size_t>(event);
    if (successive_[i] >= several && t - last_[i] < few_of_step * longest_step_) return endless_text(event, t);
  }
  return "";
}

}  // namespace polhode::analyses
