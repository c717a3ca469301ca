// SPDX-License-Identifier: BSD-3-Clause
// Newton's iteration onto the constraints, as the initial analysis and given coordinates use it.
#pragma once
#include "polhode/analyses/initial/start.hpp"

namespace polhode::analyses {

// Moves `q` to Phi = 0 by steps that are each the least in the norm of M; dropped equations do not count. False where it
// does not get there in a hundred steps, where the matrix is singular (`problems` then name nodes without inertia), or
// where `stop` asks for it; `q` stands anywhere then. `slowest`: the largest ratio of a step to the one before; steps that
// shrink less (or would have to be cut) end the search, as they may lead to another branch. 0: any may.
bool project(const assembly::System& system, assembly::Saddle& saddle, State& q, model::Problems& problems,
             const math::StopRequest& stop, double slowest = 0);

}  // namespace polhode::analyses
