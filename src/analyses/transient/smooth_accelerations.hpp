// SPDX-License-Identifier: BSD-3-Clause
// Accelerations that a fixed step resolves.
//
// A blow, or a load that jumps, gives stiff and damped parts accelerations that last far shorter than a step. A step
// that takes them for those of its begin goes h^2 vdot too far, and Newton's method finds no way back. Those of a
// linearly implicit step,
//
//   (M + h/2 C + h^2/4 K) a + B^T mu = M vdot,   B a = B vdot,
//
// are vdot but for O(h) in all motions that the step resolves, and what the step moves in all others.
#pragma once
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::analyses {

// Makes those of a step of h, s, of the consistent accelerations of `q`; multipliers go with them. Only where less than
// the part `resolved` of vdot is left, a^T M vdot of vdot^T M vdot; 1: in any case. False, and nothing is changed,
// where more is left or the matrix is singular.
bool smooth_accelerations(const assembly::System& system, double h, double resolved, model::State& q);

// The same of rates of accelerations, m/s^3 and rad/s^3 as vdot: those that a step of h, s, resolves, where less than
// half of them is left. False, and nothing is changed, where more is left or the matrix is singular.
bool smooth_rates(const assembly::System& system, double h, const model::State& q, std::vector<model::Vec6>& vddot);

}  // namespace polhode::analyses
