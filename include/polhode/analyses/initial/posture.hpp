// SPDX-License-Identifier: BSD-3-Clause
// Coordinates of joints as initial values (`initial` of joints that have coordinates): the state of the deck is moved to
// where they have the values and rates that are given.
#pragma once
#include <string>
#include <vector>

#include "polhode/analyses/initial/initial.hpp"

namespace polhode::analyses {

// What became of the coordinates that a deck gives; all empty where it gives none.
struct PostureReport {
  // Nodes that were moved, or have other velocities
  std::vector<NodeChange> changes;
  // Lines for a person: what was given, how much moved, the nodes that moved farthest
  std::vector<std::string> summary;
  // All nodes, for the log
  std::vector<std::string> notes;
};

// True if any joint of the model has `initial`.
bool gives_coordinates(const model::Model& model);

// Moves `q`, the state of the deck (System::initial_state), to the coordinates c of its joints that are given.
//   Trees: what hangs on a joint is moved as a rigid body, beams with all of their nodes, so that nothing is strained:
//     x = g x_0 with g = g_inboard exp(xi c), xi the axis of the joint in the deck's configuration.
//   Loops: joints without a given coordinate follow. The coordinates go from zero to their values in steps, each a rigid
//     motion along the tree and then Newton's iteration on Phi = 0 and c = given, with the least change in the norm of M.
//     Where several are given of one loop and have no way in common, fewer are driven, and the others have to fit.
// Velocities are those of the deck with what hangs on a joint moving at its rate in addition, then those next to them in
// the norm of M with B v + Phi_t = 0 and cdot = given; a coordinate without a rate is free. Angles are counted along.
// Accelerations are left to the analyses. False, with `q` unchanged, where problems name the loop that does not close
// and how far it comes, or, without problems, where `stop` has ended the search.
bool set_coordinates(const assembly::System& system, State& q, PostureReport& report, model::Problems& problems,
                     const math::StopRequest& stop = {});

// Gives the model the motion of the deck once more, where an analysis before has left it at rest: `initial_motion` at the
// places where nodes are now, and the rates of joints. Positions stay, deformed as they are, and what hangs on a joint
// moves as a rigid body in addition to what it does. Nothing happens to a state that moves, but to rates that are given.
// False where rates contradict each other; `q` is unchanged then.
bool set_motion_again(const assembly::System& system, State& q, model::Problems& problems);

}  // namespace polhode::analyses
