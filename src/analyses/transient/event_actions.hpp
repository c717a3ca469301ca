// SPDX-License-Identifier: BSD-3-Clause
// What events do to a state, and analyses at their start.
//
// Velocities change by impulses: [M B^T; B 0] [dv; mu] = [p; -(B v + Phi_t)], with the locks that hold from here on among
// the rows of B and p the impulses on nodes. Impulses mu of joints are equal and opposite, so that without p linear and
// angular momentum stay, and kinetic energy falls. A joint that comes apart changes no velocity. Accelerations and
// multipliers are then made consistent.
#pragma once
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "polhode/analyses/initial/start.hpp"
#include "polhode/analyses/transient/event_record.hpp"

namespace polhode::analyses {

class EventActions {
 public:
  // Keeps a reference.
  explicit EventActions(const assembly::System& system) : system_(system) {}
  // Does what these events say, first actions of all of them at once, then their second ones, and adds a record of
  // each; the change of energy stands with the first. Why it cannot be done, in words that follow the event's name;
  // else "".
  std::string act(State& q, const std::vector<int>& events, std::vector<EventRecord>& records,
                  model::Problems& problems);
  bool ends_run(const std::vector<int>& events) const;
  // The same for an analysis, whose accelerations are set later: of a state at rest velocities are not looked at.
  std::string begin(State& q, const model::Event& start, double& energy_change);

 private:
  using Events = std::vector<const model::Event*>;
  using Actions = std::vector<const model::Action*>;
  using VectorX = model::VectorX;
  // Adds the impulses of all constraint equations to mu.
  std::string act_in_turn(const Events& events, bool at_start, State& q, VectorX& mu) const;
  std::string act_at_once(const Actions& actions, bool at_start, State& q, VectorX& mu) const;
  // Which constraint equations hold from here on. True where a joint is closed that was apart.
  bool set_rows(const model::Action& action, State& q) const;
  // Of models with `constraints: {redundant: resolve}`, where other equations hold from here on.
  void choose_redundant(const Actions& actions, State& q) const;
  // Joints that are closed: their positions meet, within the tolerance of a start.
  std::string close(const Actions& actions, State& q) const;
  // Signals and what they become.
  using Settings = std::vector<std::pair<std::size_t, double>>;
  Settings settings(const Actions& actions, const State& q) const;
  std::string without_value(const Actions& actions, const Settings& set, const State& q) const;
  // False where mass matrix and constraints are singular.
  bool change_velocities(const Actions& actions, State& q, VectorX& mu) const;
  // Kinetic energy, and that of springs, which joints take along that come apart, J.
  double energy(const State& q) const;

  const assembly::System& system_;
};

}  // namespace polhode::analyses
