// SPDX-License-Identifier: BSD-3-Clause
// States between the ends of a step.
//
//   positions, velocities     cubic by Hermite, from (x, u) and (v, vdot) at both ends: error O(h^4)
//   rotations                 R_n exp(h (s - 2 s^2 + s^3) Omega_n + (3 s^2 - 2 s^3) p + h (s^3 - s^2) w): O(h^4),
//                             p = log(R_n^T R_{n+1}), w = T(p)^-1 Omega_{n+1}, s = (t - t_n)/h
//   accelerations, multipliers   linear, O(h^2): higher ones would overshoot where vibrations are passed over
//
// What elements say (forces, coordinates, energies) is evaluated at that state. Joints hold to O(h^4) between steps.
#pragma once
#include "polhode/assembly/system.hpp"

namespace polhode::analyses {

// Makes `between` the state at time t of the step from `a` to `b`, a.t <= t <= b.t. Its history is that of counted
// angles and the like; it has no memory of a method. Allocates nothing when `between` has the sizes of `a`.
void interpolate(const assembly::System& system, const model::State& a, const model::State& b, double t,
                 model::State& between);

}  // namespace polhode::analyses
