// SPDX-License-Identifier: BSD-3-Clause
// The model with given coordinates as drives: what is solved for a posture is a mechanism whose joints are driven there.
#pragma once
#include "posture_tree.hpp"

namespace polhode::analyses {

// Which coordinates become drives: those with a value, or those with a rate.
enum class Driven { values, rates };

// The model of `system` with c = value + rate t as the drive of each given coordinate; joints with drives lose their
// laws, since they have one or the other, events are dropped, and redundant equations resolved. Nodes are the same.
model::Model posture_model(const assembly::System& system, const std::vector<GivenJoint>& joints, Driven driven);

// Whether the same coordinates have values as have rates: one model serves both.
bool same_drives(const std::vector<GivenJoint>& joints);

// Velocities that the deck's `initial_motion` gives are those of the places where nodes are now; others stay.
void follow_motions(const assembly::System& system, const model::State& deck, model::State& q);

}  // namespace polhode::analyses
