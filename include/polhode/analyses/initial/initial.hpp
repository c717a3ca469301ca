// SPDX-License-Identifier: BSD-3-Clause
// Initial analysis: positions and velocities that meet all constraints, with the least change.
#pragma once
#include "polhode/analyses/initial/start.hpp"

namespace polhode::analyses {

// What a node was moved by.
struct NodeChange {
  int node = 0;
  double move = 0;              // m
  double turn = 0;              // rad
  double velocity = 0;          // m/s
  double angular_velocity = 0;  // rad/s
};

// Those above round-off, largest first: by position (turns count as turns of a metre per metre of the model's size),
// then by velocity.
std::vector<NodeChange> changes_between(const assembly::System& system, const State& before, const State& after);
// A table for a person to read, one line a node, at most `most` lines.
std::vector<std::string> table_of(const assembly::System& system, const std::vector<NodeChange>& changes,
                                  std::size_t most);

// Changes positions until Phi = 0 and velocities until B v + Phi_t = 0, each with the least change in the norm of M:
//   min 1/2 w^T M w  subject to Phi = 0,  w the way from the start:
// first onto the constraints by Newton's method, then along them downhill, projected again after each step.
// Drives beyond half a turn are followed from zero, so that springs and couplings count their turns; not where the model
// is `loaded`: an analysis before has counted them. Accelerations and multipliers follow. False, with `q` unchanged,
// where problems name what stands in the way, or, without problems, where `stop` has ended the search.
bool meet_all_constraints(const assembly::System& system, State& q, std::vector<NodeChange>& changes,
                          std::string& redundant, model::Problems& problems, const math::StopRequest& stop = {},
                          bool loaded = false);

}  // namespace polhode::analyses
