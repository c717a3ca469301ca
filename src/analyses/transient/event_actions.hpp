// SPDX-License-Identifier: BSD-3-Clause
// What events do to a state.
//
// Velocities change by impulses: [M B^T; B 0] [dv; mu] = [p; -(B v + Phi_t)], with the locks that hold from here on among
// the rows of B and p the impulses on nodes. Impulses mu of joints are equal and opposite, so that without p linear and
// angular momentum stay, and kinetic energy falls. Accelerations and multipliers are then made consistent.
#pragma once
#include <utility>
#include <vector>

#include "polhode/analyses/initial/start.hpp"
#include "polhode/analyses/transient/event_record.hpp"

namespace polhode::analyses {

class EventActions {
 public:
  // Keeps a reference.
  explicit EventActions(const assembly::System& system) : system_(system) {}
  // Does what these events say, all at once, and adds a record of each; the change of energy stands with the first.
  // False if mass matrix and constraints are singular.
  bool act(State& q, const std::vector<int>& events, std::vector<EventRecord>& records, model::Problems& problems);
  bool ends_run(const std::vector<int>& events) const;

 private:
  void set_locks(const model::Event& event, State& q) const;
  // Signals and what they become.
  using Settings = std::vector<std::pair<std::size_t, double>>;
  Settings settings(const std::vector<int>& events, const State& q) const;
  // Sets mu and changes velocities. False as above.
  bool change_velocities(const std::vector<int>& events, State& q, model::VectorX& mu) const;

  const assembly::System& system_;
};

}  // namespace polhode::analyses
