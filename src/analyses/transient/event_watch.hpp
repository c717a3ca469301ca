// SPDX-License-Identifier: BSD-3-Clause
// Which events of a deck happen in a step, and when.
//
// Each event has the side of zero that its function is on. A step is looked at by its dense output at seven moments; a
// change of side is a crossing, whose time is found there by bisection and then corrected by the ends of the steps that
// are made up to it. Behind an event its function is at zero, but for round-off: the side is then that a
// little later. An event with nothing left to do, such as a lock that holds, is not looked at.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "polhode/assembly/system.hpp"
#include "polhode/math/archive.hpp"

namespace polhode::analyses {

struct EventCrossing {
  int event;
  double t;  // s
  int side;  // before it, -1 or 1
};

class EventWatch {
 public:
  // Keeps a reference.
  explicit EventWatch(const assembly::System& system);
  bool any() const { return !system_.events().empty(); }
  // At the start of an analysis.
  void begin(const model::State& q);
  // The first event in the step from `a` to `b`.
  std::optional<EventCrossing> first_in(const model::State& a, const model::State& b);
  // The time of the crossing, s, by the step from `a` to `b`, which ends near it.
  double corrected(const EventCrossing& crossing, const model::State& a, const model::State& b);
  // Whether the step from `a` to `b` has led there, or beyond; `same_time`: s.
  bool is_at(const EventCrossing& crossing, const model::State& a, const model::State& b, double same_time);
  // The step from `a` to `b` ends at the crossing. Due is its event, and what happens within `same_time`, s, of it.
  void arrive(const EventCrossing& crossing, const model::State& a, const model::State& b, double same_time);
  const std::vector<int>& due() const { return due_; }
  std::vector<int> take_due();
  // Behind events: due are those whose functions have jumped across zero with the velocities.
  void pass(const model::State& q);
  // Events that are due at t, s, and were so again and again, each time sooner; `h`, s: of a full step. What to say of
  // them; else "".
  std::string endless(double t, double h);
  // The same where a step fails behind several of them at nearly one time.
  std::string crowded(double t) const;
  // The event whose function had no value at the end of the step that was looked at last; -1: all had.
  int without_value() const { return without_value_; }
  void archive(math::Archive& a) {
    a(side_, scale_, came_from_, last_, interval_, successive_, returned_, returns_, longest_step_);
  }

 private:
  double value(int event, const model::State& q) const;
  const model::Event& at(int event) const { return system_.events()[static_cast<std::size_t>(event)]; }
  // -1, 0 or 1; 0: round-off of what the function has been so far
  int side_of(int event, double value);
  bool counts(int event, int side) const;
  bool is_idle(int event, const model::State& q) const;
  // The side before a crossing, where the event was on `side`.
  int side_before(int event, int side, const model::State& q) const;
  std::string endless_text(int event, double t) const;
  // Whether it goes across zero behind the event of the state `a`, and no further one will show.
  bool goes_on(int event, const model::State& a) const;
  double bisect(int event, int side, const model::State& a, const model::State& b, double t0, double t1);
  // Of the function at the end of a step, 1/s.
  double slope(int event, const model::State& a, const model::State& b);

  const assembly::System& system_;
  model::State between_;
  std::vector<int> new_side_;    // in a step that is looked at
  std::vector<int> known_side_;  // before the last moment
  std::vector<double> values_;   // at one moment of it
  std::vector<int> side_;
  std::vector<double> scale_;     // largest value so far
  std::vector<int> came_from_;    // side before it happened last
  std::vector<double> last_;      // s, when it happened last
  std::vector<double> interval_;  // s, between the last two times
  std::vector<int> successive_;
  std::vector<int> returned_;  // since it happened last, to the side that it came from
  std::vector<int> returns_;   // times that it happened and had returned
  double longest_step_ = 0;    // s
  int without_value_ = -1;
  int going_on_ = -1;  // the event that first_in() has found so
  std::vector<int> due_;
};

}  // namespace polhode::analyses
