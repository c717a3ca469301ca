// SPDX-License-Identifier: BSD-3-Clause
// Locks, impulses, and a consistent state behind them.
#include "analyses/transient/event_actions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "polhode/assembly/constraint_rank.hpp"
#include "polhode/assembly/linear/saddle.hpp"

namespace polhode::analyses {

using model::Action;
using model::Event;
using model::Vec3;
using model::Vec6;
using model::VectorX;

namespace {

constexpr const char* singular =
    "leaves no motion that is unique: what it locks is held by other constraint equations already, or what it takes "
    "apart has no mass of its own";

}  // namespace

std::string EventRecord::text() const {
  std::string text = fmt::format("event {} at t = {:.9g} s: {}", name, t, what);
  if (impulse != 0) text += fmt::format(", impulse {:.6g}", impulse);
  if (energy_change != 0) text += fmt::format(", energy {:+.6g} J", energy_change);
  return text;
}

// What is held is the coordinate as it is here. Multipliers of equations that do not hold are zero.
bool EventActions::set_rows(const Action& action, State& q) const {
  const auto drop = [&](int row) {
    q.dropped.drop(row);
    q.lambda[row] = 0;
  };
  const auto lock = [&](int number) -> const model::Lock& { return system_.locks()[static_cast<std::size_t>(number)]; };
  for (const int joint : action.open)
    for (const int row : system_.rows_of_joint(joint)) drop(row);
  for (const int number : action.release)
    for (int i = 0; i < lock(number).rows(); ++i) drop(lock(number).row() + i);
  bool closes = false;
  for (const int joint : action.close)
    for (const int row : system_.rows_of_joint(joint)) closes = q.dropped.hold(row) || closes;
  for (const int number : action.lock) {
    bool holds = false;
    for (int i = 0; i < lock(number).rows(); ++i) holds = q.dropped.hold(lock(number).row() + i) || holds;
    if (holds) lock(number).hold_value(q.history);
  }
  ++q.dropped.revision;
  return closes;
}

// Equations that followed from others may be needed from here on, and others follow.
void EventActions::choose_redundant(const Actions& actions, State& q) const {
  const auto changes = [](const Action* action) {
    return !action->lock.empty() || !action->release.empty() || !action->close.empty() || !action->open.empty();
  };
  if (system_.model().resolve_redundant && std::any_of(actions.begin(), actions.end(), changes))
    q.dropped.choose(constraint_rank(system_, q).redundant);
}

// Positions that are off by less than the tolerance move as at a start, with the least change in the norm of M;
// velocities change by impulses alone.
std::string EventActions::close(const Actions& actions, State& q) const {
  assembly::Residual residual = system_.make_residual();
  system_.set_residual(q, residual, {false, false, true});
  for (const Action* action : actions)
    for (const int joint : action->close) {
      std::string gaps;
      for (const int row : system_.rows_of_joint(joint)) {
        const bool length = system_.row_is_length(row);
        const double gap = residual.phi[row];
        if (std::abs(gap) <= system_.model().position_tolerance * (length ? system_.length() : 1)) continue;
        const std::string name = system_.name_of(system_.free_unknowns() + row);
        gaps += fmt::format("{}{} by {:.3g}{}", gaps.empty() ? "" : ", ", name.substr(name.find(": ") + 2), gap,
                            length ? " m" : " rad");
      }
      if (!gaps.empty())
        return fmt::format("cannot close {}, which is apart: {}; let it happen where both sides meet",
                           system_.model().entries[static_cast<std::size_t>(joint)].path(), gaps);
    }
  const std::vector<Vec6> v = q.v;
  model::Problems problems;
  meet_constraints(system_, q, 1, problems, Violations::any);
  q.v = v;
  return problems.empty() ? "" : singular;
}

namespace {

// None given: zero.
Vec3 components(const std::vector<model::TimeFunction>& functions, double t, std::span<const double> signals) {
  if (functions.empty()) return Vec3::Zero();
  return {functions[0].value(t, signals), functions[1].value(t, signals), functions[2].value(t, signals)};
}

}  // namespace

// Twice: the second pass removes the round-off of the first.
bool EventActions::change_velocities(const Actions& actions, State& q, VectorX& mu) const {
  VectorX of_all = VectorX::Zero(system_.rows());
  assembly::Residual impulses = system_.make_residual();
  const std::span<const double> signals = system_.signals().values(q);
  for (const Action* action : actions) {
    const auto node = static_cast<std::size_t>(action->node);
    impulses.force[node].head<3>() += components(action->impulse, q.t, signals);
    impulses.force[node].tail<3>() += q.R[node].transpose() * components(action->moment, q.t, signals);
  }
  // Rows of locks that hold from here on are in the matrix
  assembly::Saddle saddle(system_);
  if (!saddle.factorize(q)) return false;
  VectorX Bv(system_.rows());
  VectorX phi_t(system_.rows());
  VectorX vector(system_.size());
  std::vector<Vec6> dv(system_.nodes(), Vec6::Zero());
  for (int pass = 0; pass < 2; ++pass) {
    system_.set_velocity_rates(q, Bv, phi_t);
    impulses.phi = -(Bv + phi_t);
    system_.gather(impulses, q.dropped, 1, vector);
    saddle.solve(vector);
    if (!vector.allFinite()) return false;
    system_.scatter(vector, dv);
    for (std::size_t i = 0; i < dv.size(); ++i) q.v[i] += dv[i];
    of_all += vector.tail(system_.rows());
    for (Vec6& force : impulses.force) force.setZero();
  }
  // Like multipliers, impulses of joints that hold the same are those of least norm
  if (q.dropped.redundant_count() > 0) reduce_to_least_norm(constraint_rank(system_, q), of_all);
  mu += of_all;
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
EventActions::Settings EventActions::settings(const Actions& actions, const State& q) const {
  Settings all;
  for (const Action* action : actions)
    for (std::size_t i = 0; i < action->set.size(); ++i)
      all.emplace_back(action->set[i], action->values[i].value(q.t, system_.signals().values(q)));
  return all;
}

// Positions stay, so that gravity and beams keep theirs.
double EventActions::energy(const State& q) const {
  const model::Energies energies = system_.energies(q);
  return energies.kinetic + energies.strain;
}

// Of impulses and signals, in words that follow the event's name.
std::string EventActions::without_value(const Actions& actions, const Settings& set, const State& q) const {
  for (const auto& [signal, value] : set)
    if (!std::isfinite(value)) {
      const auto entry = static_cast<std::size_t>(system_.signals().signals()[signal].entry);
      return fmt::format("sets {} to {}, which is no number", system_.model().entries[entry].path(), value);
    }
  const std::span<const double> signals = system_.signals().values(q);
  for (const Action* action : actions)
    if (!components(action->impulse, q.t, signals).allFinite() || !components(action->moment, q.t, signals).allFinite())
      return "has an impulse that is no number";
  return "";
}

namespace {

bool is_at_rest(const State& q) {
  return std::all_of(q.v.begin(), q.v.end(), [](const Vec6& v) { return v.isZero(0); });
}

}  // namespace

// Velocities first: impulses are functions of the signals before. Without impulses they stay as they are, to the bit.
std::string EventActions::act_at_once(const Actions& actions, bool at_start, State& q, VectorX& mu) const {
  bool closes = false;
  for (const Action* action : actions) closes = set_rows(*action, q) || closes;
  choose_redundant(actions, q);
  if (closes) {
    if (std::string why = close(actions, q); !why.empty()) return why;
    choose_redundant(actions, q);
  }
  const Settings set = settings(actions, q);
  if (std::string why = without_value(actions, set, q); !why.empty()) return why;
  const bool moves =
      std::any_of(actions.begin(), actions.end(), [](const Action* action) { return action->moves(); }) &&
      !(at_start && is_at_rest(q));
  if (moves && !change_velocities(actions, q, mu)) return singular;
  for (const auto& [signal, value] : set) system_.signals().hold(signal, value, q);
  system_.signals().settle(q);
  return "";
}

// The first actions of all events, then their second ones.
std::string EventActions::act_in_turn(const Events& events, bool at_start, State& q, VectorX& mu) const {
  mu = VectorX::Zero(system_.rows());
  for (std::size_t turn = 0;; ++turn) {
    Actions actions;
    for (const Event* event : events)
      if (turn < event->actions.size()) actions.push_back(&event->actions[turn]);
    if (actions.empty()) return "";
    if (std::string why = act_at_once(actions, at_start, q, mu); !why.empty()) return why;
  }
}

std::string EventActions::act(State& q, const std::vector<int>& events, std::vector<EventRecord>& records,
                              model::Problems& problems) {
  const EventRecord::Momenta before = momenta(system_, q);
  const double energy_before = energy(q);
  Events due;
  for (const int number : events) due.push_back(&system_.events()[static_cast<std::size_t>(number)]);
  VectorX mu;
  if (std::string why = act_in_turn(due, false, q, mu); !why.empty()) return why;
  double change = energy(q) - energy_before;
  const EventRecord::Momenta behind = momenta(system_, q);
  for (const Event* event : due) {
    const std::string& name = system_.model().entries[static_cast<std::size_t>(event->entry)].name;
    EventRecord record{q.t, name, event->what, 0, change, before, behind};
    const auto locks =
        std::find_if(event->actions.begin(), event->actions.end(), [](const Action& one) { return !one.lock.empty(); });
    if (locks != event->actions.end())
      record.impulse = mu[system_.locks()[static_cast<std::size_t>(locks->lock.front())].row()];
    records.push_back(std::move(record));
    change = 0;
  }
  return set_accelerations(system_, q, problems) ? "" : singular;
}

std::string EventActions::begin(State& q, const Event& start, double& energy_change) {
  const double energy_before = energy(q);
  VectorX mu;
  if (std::string why = act_in_turn({&start}, true, q, mu); !why.empty()) return why;
  energy_change = energy(q) - energy_before;
  return "";
}

bool EventActions::ends_run(const std::vector<int>& events) const {
  return std::any_of(events.begin(), events.end(),
                     [&](int number) { return system_.events()[static_cast<std::size_t>(number)].end; });
}

}  // namespace polhode::analyses
