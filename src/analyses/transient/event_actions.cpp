// SPDX-License-Identifier: BSD-3-Clause
// Locks, impulses, and a consistent state behind them.
#include "analyses/transient/event_actions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "polhode/assembly/linear/saddle.hpp"

namespace polhode::analyses {

using model::Event;
using model::Vec3;
using model::Vec6;
using model::VectorX;

std::string EventRecord::text() const {
  std::string text = fmt::format("event {} at t = {:.9g} s: {}", name, t, what);
  if (impulse != 0) text += fmt::format(", impulse {:.6g}", impulse);
  if (energy_change != 0) text += fmt::format(", energy {:+.6g} J", energy_change);
  return text;
}

// What is held is the coordinate as it is here.
void EventActions::set_locks(const Event& event, State& q) const {
  if (event.lock.empty() && event.release.empty()) return;
  std::vector<int>& dropped = q.dropped.rows;
  for (const int number : event.lock) {
    const model::Lock& lock = system_.locks()[static_cast<std::size_t>(number)];
    const auto place = std::lower_bound(dropped.begin(), dropped.end(), lock.row());
    if (place == dropped.end() || *place != lock.row()) continue;
    dropped.erase(place);
    q.history[lock.history() + 1] = q.history[lock.history()];
  }
  for (const int number : event.release) {
    const int row = system_.locks()[static_cast<std::size_t>(number)].row();
    const auto place = std::lower_bound(dropped.begin(), dropped.end(), row);
    if (place == dropped.end() || *place != row) dropped.insert(place, row);
    q.lambda[row] = 0;
  }
  ++q.dropped.revision;
}

namespace {

// None given: zero.
Vec3 components(const std::vector<model::TimeFunction>& functions, double t, std::span<const double> signals) {
  if (functions.empty()) return Vec3::Zero();
  return {functions[0].value(t, signals), functions[1].value(t, signals), functions[2].value(t, signals)};
}

}  // namespace

// Twice: the second pass removes the round-off of the first.
bool EventActions::change_velocities(const std::vector<int>& events, State& q, VectorX& mu) const {
  assembly::Residual impulses = system_.make_residual();
  const std::span<const double> signals = system_.signals().values(q);
  for (const int number : events) {
    const Event& event = system_.events()[static_cast<std::size_t>(number)];
    const auto node = static_cast<std::size_t>(event.node);
    impulses.force[node].head<3>() += components(event.impulse, q.t, signals);
    impulses.force[node].tail<3>() += q.R[node].transpose() * components(event.moment, q.t, signals);
  }
  // Rows of locks that hold from here on are in the matrix
  assembly::Saddle saddle(system_);
  if (!saddle.factorize(q)) return false;
  VectorX Bv(system_.rows());
  VectorX phi_t(system_.rows());
  VectorX vector(system_.size());
  std::vector<Vec6> dv(system_.nodes(), Vec6::Zero());
  mu = VectorX::Zero(system_.rows());
  for (int pass = 0; pass < 2; ++pass) {
    system_.set_velocity_rates(q, Bv, phi_t);
    impulses.phi = -(Bv + phi_t);
    system_.gather(impulses, q.dropped, 1, vector);
    saddle.solve(vector);
    if (!vector.allFinite()) return false;
    system_.scatter(vector, dv);
    for (std::size_t i = 0; i < dv.size(); ++i) q.v[i] += dv[i];
    mu += vector.tail(system_.rows());
    for (Vec6& force : impulses.force) force.setZero();
  }
  return true;
}

namespace {

// Summed over elements, as results have them.
EventRecord::Momenta momenta(const assembly::System& system, const State& q) {
  const model::Context c = system.context(q);
  model::Totals totals;
  for (const auto& batch : system.batches()) totals += batch->observe(0, batch->size(), q, c, nullptr, 0);
  return {totals.linear, totals.angular};
}

}  // namespace

// Of signals as they are before anything changes.
EventActions::Settings EventActions::settings(const std::vector<int>& events, const State& q) const {
  Settings all;
  for (const int number : events) {
    const Event& event = system_.events()[static_cast<std::size_t>(number)];
    for (std::size_t i = 0; i < event.set.size(); ++i)
      all.emplace_back(event.set[i], event.values[i].value(q.t, system_.signals().values(q)));
  }
  return all;
}

// Velocities first: impulses are functions of the signals before. Without impulses they stay as they are, to the bit.
bool EventActions::act(State& q, const std::vector<int>& events, std::vector<EventRecord>& records,
                       model::Problems& problems) {
  const EventRecord::Momenta before = momenta(system_, q);
  const double energy = system_.energies(q).kinetic;
  VectorX mu = VectorX::Zero(system_.rows());
  const bool moves = std::any_of(events.begin(), events.end(), [&](int number) {
    const Event& event = system_.events()[static_cast<std::size_t>(number)];
    return !event.lock.empty() || !event.impulse.empty() || !event.moment.empty();
  });
  for (const int number : events) set_locks(system_.events()[static_cast<std::size_t>(number)], q);
  const Settings set = settings(events, q);
  if (moves && !change_velocities(events, q, mu)) return false;
  for (const auto& [signal, value] : set) system_.signals().hold(signal, value, q);
  system_.signals().settle(q);
  double change = system_.energies(q).kinetic - energy;
  const EventRecord::Momenta behind = momenta(system_, q);
  for (const int number : events) {
    const Event& event = system_.events()[static_cast<std::size_t>(number)];
    const std::string& name = system_.model().entries[static_cast<std::size_t>(event.entry)].name;
    EventRecord record{q.t, name, event.what, 0, change, before, behind};
    if (!event.lock.empty()) record.impulse = mu[system_.locks()[static_cast<std::size_t>(event.lock.front())].row()];
    records.push_back(std::move(record));
    change = 0;
  }
  return set_accelerations(system_, q, problems);
}

bool EventActions::ends_run(const std::vector<int>& events) const {
  return std::any_of(events.begin(), events.end(),
                     [&](int number) { return system_.events()[static_cast<std::size_t>(number)].end; });
}

}  // namespace polhode::analyses
