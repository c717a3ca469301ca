// SPDX-License-Identifier: BSD-3-Clause
// Points of the path: the first one, acceptance, the last one.
#include "path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/analyses/motion/free_motion.hpp"
#include "polhode/model/state_archive.hpp"

namespace polhode::analyses {

Path::Path(const assembly::System& system, const StaticSettings& settings, bool loaded, const State& start,
           Redundancy& redundancy, StaticObserver& observer, StaticResult& result)
    : equations_(system, settings, loaded, start),
      stability_(equations_),
      redundancy_(redundancy),
      record_(observer, result) {
  equations_.set_stop([&observer] { return observer.interrupted(); });
  here_.q = start;
  equations_.loads().set_parameter(here_.q, 0);
  if (const RestartPoints* points = observer.restart_points())
    restart_every_ = points->every(load_steps_between_points);
}

bool Path::is_point() const {
  return restart_every_ > 0 && here_.s < 1 && record_.result().steps % restart_every_ == 0;
}

// Paths have no duration.
void Path::keep_point(std::vector<double> way) {
  math::Archive a;
  archive(a);
  a(way);
  record_.restart_points()->keep({record_.result().steps, here_.q.t, true}, a.words());
}

bool Path::take_up(std::vector<double>& way) {
  RestartPoints* points = record_.restart_points();
  const auto words = points ? points->take() : std::nullopt;
  if (!words) return false;
  math::Archive a(*words);
  archive(a);
  a(way);
  points->taken(a.is_at_end());
  return true;
}

void Path::archive(math::Archive& a) {
  stability_.start_anew();
  for (Point* point : {&here_, &before_}) a(point->q, point->s, point->tangent, point->smallest_pivot);
  a(equations_, redundancy_, record_, first_size_, counted_, flutter_noted_);
}

// First without the shift: loads may hold by now what was free to move.
bool Path::set_tangent(Point& point) {
  equations_.evaluate(point.q, point.s);
  const double shift = equations_.stiffness().shift();
  equations_.stiffness().set_shift(0);
  const bool regular = equations_.linearize(point.q);
  point.smallest_pivot = regular ? equations_.stiffness().pivot_ratio() : 0;
  if (shift > 0 && !(point.smallest_pivot > least_pivot)) {  // the loads do not hold the free motion yet
    equations_.stiffness().set_shift(shift);
    point.smallest_pivot = 0;
    if (!equations_.linearize(point.q)) return false;
  } else if (!regular) {
    return false;
  }
  equations_.set_tangent(point.q, point.s, point.tangent);
  return point.tangent.allFinite();
}

bool Path::set_tangent_held(Point& point) {
  if (set_tangent(point)) return true;
  equations_.stiffness().set_shift(small_shift);
  return set_tangent(point);
}

// Where stiff elements are curved, round-off of their elimination may look like the stiffness of a free motion.
bool Path::hides_free_motion() {
  constexpr double doubtful = 1e-6;  // pivot ratio
  return here_.smallest_pivot < doubtful &&
         !free_motions(system(), here_.q, equations_.stiffness().matrix(), equations_.displacements().metric()).empty();
}

// A free motion that loads drive has no equilibrium nearby at a small load, and none at all where nothing can stop it;
// one that they do not drive may be held by them later (a cable, a pendulum), and gets a small stiffness until then.
bool Path::begin() {
  const bool regular = set_tangent(here_) && here_.smallest_pivot > least_pivot && !hides_free_motion();
  record_.observe(here_.q, {here_.s, 0, here_.smallest_pivot, false}, false);
  if (!regular) {
    equations_.stiffness().set_shift(small_shift);
    const bool solved = set_tangent(here_);
    equations_.stiffness().set_shift(0);
    equations_.evaluate(here_.q, here_.s);
    equations_.linearize(here_.q);
    if (std::optional<Driven> driven = driven_motions("the model is free to move")) {
      if (!driven->falls && settings().control == StaticSettings::Control::load && relax()) return true;
      if (!record_.end_if_interrupted()) record_.fail(std::move(driven->reason));
      return false;
    }
    if (!solved) {
      record_.fail("the tangent stiffness is singular at the start");
      return false;
    }
    equations_.stiffness().set_shift(small_shift);
  }
  first_size_ = equations_.displacements().norm(here_.tangent);
  return true;
}

// Redundant constraint equations may be others from here on.
void Path::accept(Point&& point, int iterations, bool last) {
  if (system().model().resolve_redundant)
    if (const std::string text = redundancy_.after_step(point.q, 0); !text.empty()) record_.warn(text);
  std::swap(before_, here_);
  here_ = std::move(point);
  const StaticStep step{here_.s, iterations, here_.smallest_pivot, false};
  record_.add_step(step);
  watch_stability();
  here_.q.signals.gain = 0;
  record_.observe(here_.q, step, last);
}

// Steps ten times as long each time: what is left of a rate falls faster and faster. A state whose rate stays goes on for
// ever; where no force follows it (the integral of an error, for a response), it is not waited for, and stays as it was.
// The last step is a shorter one: round-off of the mechanism is in z by the length of a step. Free motions are held, as on
// the way of load steps.
bool Path::rest_signals(const VectorX& start) {
  constexpr double settled = 1e-9;     // change of a step, relative to the largest value of a state so far
  constexpr double round_off = 1e-10;  // of a rate, against what motions of the size of the model make of it
  constexpr int most_rounds = 25;
  const assembly::SignalNetwork& network = system().signals();
  if (network.states() == 0) return true;
  here_.q.signals.gain = 0;
  const VectorX sizes = network.linearize(here_.q).sizes(here_.q.signals.z, system().length());
  VectorX largest = start.cwiseAbs();
  std::vector<int> restless;
  Correction correction;
  bool is_last = false;
  Point next;
  next.s = 1;
  for (int round = 0; round < most_rounds && !record_.end_if_interrupted(); ++round) {
    if (!(here_.smallest_pivot > least_pivot)) equations_.stiffness().set_shift(small_shift);
    correction = solve_at(equations_, here_.q, 1, next.q);
    if (!correction.converged() || !set_tangent_held(next)) {
      record_.add_wasted(correction.solves());
      break;
    }
    const VectorX change = (next.q.signals.z - here_.q.signals.z).cwiseAbs();
    largest = largest.cwiseMax(next.q.signals.z.cwiseAbs());
    restless.clear();
    for (int i = 0; i < network.states(); ++i)
      if (change[i] > settled * largest[i] && std::abs(next.q.signals.rate[i]) > round_off * sizes[i])
        restless.push_back(i);
    std::swap(here_, next);
    record_.add_rest(correction.solves());
    here_.q.signals.gain = 0;
    if (is_last) break;
    is_last = std::none_of(restless.begin(), restless.end(), [&](int i) { return network.acts(i); });
    equations_.loads().set_signal_step((is_last ? 1e-2 : 10) * equations_.loads().signal_step());
  }
  if (record_.result().end != StaticResult::End::done) return false;
  if (is_last)
    if (std::vector<int> moving = changing_states(); !moving.empty()) {
      restless = std::move(moving);
      is_last = false;
    }
  // What no force follows has not been waited for: a filter of a measurement that has settled is at rest, what still
  // grows gets its value before the analysis back.
  if (is_last) {
    for (const int i : restless)
      if (!network.acts(i)) here_.q.signals.z[i] = start[i];
    network.settle(here_.q);
    record_.observe(here_.q, {here_.s, 0, here_.smallest_pivot, false}, true);
    return true;
  }
  fail_at_rest(correction, restless);
  return false;
}

// A step that a pole makes singular may look like the last one.
std::vector<int> Path::changing_states() const {
  constexpr double at_rest = 1e-6;  // of what a rate would be if nothing cancelled
  const assembly::SignalNetwork& network = system().signals();
  const assembly::SignalLinearization now = network.linearize(here_.q);
  const VectorX sizes = now.sizes(here_.q.signals.z, system().length());
  std::vector<int> found;
  for (int i = 0; i < network.states(); ++i)
    if (network.acts(i) && !(std::abs(now.rates[i]) <= at_rest * sizes[i])) found.push_back(i);
  return found;
}

// The first of the states that go on; where the mechanism does not follow the first step, none is known.
void Path::fail_at_rest(const Correction& last, const std::vector<int>& restless) {
  const assembly::SignalNetwork& network = system().signals();
  const auto acting = std::find_if(restless.begin(), restless.end(), [&](int i) { return network.acts(i); });
  const std::string end =
      fmt::format("the equilibrium behind a step of theirs {}", last.converged() ? "is singular" : text_of(last.end));
  if (acting == restless.end())
    return record_.fail(
        "states of signals do not come to rest: " + end,
        {"to go on: a `transient` with damping that ends at rest, or gains at which the loop is stable"});
  const auto entry = static_cast<std::size_t>(network.entry_of_state(*acting));
  record_.fail(system().model().entries[entry].path() + " finds no rest: its state goes on to change" +
                   (last.converged() ? " at any equilibrium" : ", and " + end),
               {"an integral comes to rest where its input is zero: look for the sign of a gain, a limit behind it, "
                "or an input that nothing in the machine can change"});
}

// Asked before each step.
bool Path::stopped() {
  if (record_.end_if_interrupted()) return true;
  if (record_.result().steps < settings().max_steps) return false;
  record_.fail(fmt::format("the path of equilibria has not reached its end after {} load steps, at load factor {:.6g}",
                           settings().max_steps, here_.s),
               {"to go on: a larger `max_steps`"});
  return true;
}

// Along a motion without stiffness that no load drives one equilibrium is as good as another: that of the start stays.
void Path::finish() {
  constexpr double held = 1e-11;  // relative to the largest pivot
  if (record_.result().end != StaticResult::End::done || here_.smallest_pivot > held) return;
  equations_.stiffness().set_shift(0);
  equations_.evaluate(here_.q, here_.s);
  equations_.linearize(here_.q);
  const auto motions =
      free_motions(system(), here_.q, equations_.stiffness().matrix(), equations_.displacements().metric());
  for (const std::string& text : describe_held_motions(system(), here_.q, motions)) record_.warn(text);
}

}  // namespace polhode::analyses
