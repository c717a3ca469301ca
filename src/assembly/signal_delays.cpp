// SPDX-License-Identifier: BSD-3-Clause
// Delays of a network: what they are given, and the jumps of it that come out later.
#include "polhode/assembly/signal_network.hpp"
#include "signal_nodes.hpp"
#include "signal_past.hpp"

namespace polhode::assembly {

using Past = SignalPast;

// Nothing has been given yet, and nothing jumps.
void SignalNetwork::start_delays(State& q) const {
  q.signals.past.clear();
  for (const int n : delays_) {
    double* held = q.signals.held.data() + nodes_[n].first_held;
    held[Past::passed] = -Past::never;
    held[Past::ahead] = Past::never;
  }
}

// Once for all evaluations of a step the same numbers, but for the part of the present input, which follows the time.
void SignalNetwork::find_delayed(const State& q) const {
  const Past past(q.signals.past, delays_.size());
  for (std::size_t k = 0; k < delays_.size(); ++k) {
    const Node& node = nodes_[delays_[k]];
    const std::span<const double> held{q.signals.held.data() + node.first_held, Past::held_size};
    const auto [rest, part] = past.output(k, q.t, node.delay.time, held, node.delay.initial);
    node.delayed = {rest, part};
  }
}

// The inputs before the start are the initial values, from which they jump. A jump is one at the time of the state before,
// although what jumps has been found a moment later.
void SignalNetwork::record(State& q, bool at_start) const {
  if (delays_.empty()) return;
  find(q);
  std::vector<double>& rows = q.signals.past;
  const auto add_row = [&](double t, Past::Mark mark, const auto& input) {
    rows.push_back(t);
    rows.push_back(mark);
    for (const int n : delays_) rows.push_back(input(nodes_[n]));
  };
  const auto given = [&](const Node& node) { return node.inputs.front().value(q.t, values_); };
  if (rows.empty()) {
    add_row(q.t, Past::plain, [](const Node& node) { return node.delay.initial; });
    at_start = true;
  }
  const Past before(rows, delays_.size());
  if (!at_start) {
    if (const std::size_t front = before.dispensable(q.t, longest_delay_))
      rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(front));
    return add_row(q.t, Past::plain, given);
  }
  std::vector<double> u;
  for (const int n : delays_) u.push_back(given(nodes_[n]));
  if (!before.jumps_to(u)) {
    if (before.last_mark() == Past::plain) rows[before.place_of_last_mark()] = Past::kink;
    return;
  }
  add_row(before.last_time(), Past::jump, given);
  const Past past(rows, delays_.size());
  for (std::size_t k = 0; k < delays_.size(); ++k) {
    double* held = q.signals.held.data() + nodes_[delays_[k]].first_held;
    if (held[Past::ahead] == Past::never) held[Past::ahead] = past.jump_behind(held[Past::passed], k);
  }
}

// Whether a value jumps is seen just before and at the time, with the same signals.
std::vector<double> SignalNetwork::jumps_into_delays(double t0, double t1) const {
  constexpr double instant = 1e-13;
  std::vector<double> times;
  for (const int n : before_delays_)
    for (const model::TimeFunction& input : signals_[nodes_[n].signal].inputs)
      for (const double t : input.breakpoints(t0, t1)) {
        const double before = input.value(t - instant * std::max(1.0, std::abs(t)), values_);
        const double behind = input.value(t, values_);
        if (std::abs(behind - before) > 1e-9 * (std::abs(before) + std::abs(behind))) times.push_back(t);
      }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

// Linear in the number of delays, once a step.
double SignalNetwork::next_jump(const State& q) const {
  double next = Past::never;
  for (const int n : delays_)
    next = std::min(next, q.signals.held[nodes_[n].first_held + static_cast<int>(Past::ahead)] + nodes_[n].delay.time);
  return next;
}

// Only rows whose inputs come out in between are looked at.
double SignalNetwork::next_kink(const State& q, double from, double to) const {
  double next = Past::never;
  const Past past(q.signals.past, delays_.size());
  for (const int n : delays_) {
    const double time = nodes_[n].delay.time;
    next = std::min(next, past.kink_between(from - time, to - time) + time);
  }
  return next;
}

int SignalNetwork::steps_since_start(const State& q, int most) const {
  return delays_.empty() ? most : Past(q.signals.past, delays_.size()).rows_behind_mark(most);
}

// Steps end at jumps but for round-off.
bool SignalNetwork::pass_jumps(State& q) const {
  constexpr double same_time = 1e-8;  // of the last step
  bool any = false;
  const Past past(q.signals.past, delays_.size());
  for (std::size_t k = 0; k < delays_.size(); ++k) {
    const Node& node = nodes_[delays_[k]];
    double* held = q.signals.held.data() + node.first_held;
    while (held[Past::ahead] + node.delay.time <= q.t + same_time * q.last_step) {
      held[Past::passed] = held[Past::ahead];
      held[Past::ahead] = past.jump_behind(held[Past::passed], k);
      any = true;
    }
  }
  return any;
}

}  // namespace polhode::assembly
