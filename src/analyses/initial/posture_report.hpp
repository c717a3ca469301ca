// SPDX-License-Identifier: BSD-3-Clause
// What a person reads of given coordinates: what moved, which loop does not close, which rates contradict each other.
#pragma once
#include "polhode/analyses/initial/posture.hpp"
#include "posture_tree.hpp"

namespace polhode::analyses {

// "joints.crank at 0.3 rad with 2 rad/s".
std::string text_of(const GivenJoint& joint);

// Summary and notes of `report` from its changes.
void write_report(const assembly::System& system, const std::vector<GivenJoint>& joints, PostureReport& report);

// Entries of the loop whose equations are open farthest in `open`; empty where all are closed.
std::set<int> open_loop(const assembly::System& driven, const PostureTree& tree, const State& open);

// A problem at a given joint of the loop that does not close: how far it comes (`reached`, the part of all coordinates),
// and the equations that are open in `open`, the state that was tried beyond. `blamed`: entry of a joint of that loop, or
// -1: the loop whose equations are open farthest.
void report_open(const assembly::System& driven, const std::vector<GivenJoint>& joints, const PostureTree& tree,
                 double reached, const State& open, int blamed, model::Problems& problems);

// Rates of constraints (m/s, rad/s, one an equation) that are left become problems of their joints. True without any.
bool check_rates(const assembly::System& driven, const std::vector<GivenJoint>& joints, const State& q,
                 const model::VectorX& left, model::Problems& problems);

}  // namespace polhode::analyses
