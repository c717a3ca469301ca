// SPDX-License-Identifier: BSD-3-Clause
// States between the ends of a step.
//
//   positions, velocities     cubic by Hermite, from (x, u) and (v, vdot) at both ends: error O(h^4)
//   rotations                 R_n exp(h (s - 2 s^2 + s^3) w_n + (3 s^2 - 2 s^3) p + h (s^3 - s^2) w_{n+1}): O(h^4),
//                             p = log(R_n^T R_{n+1}), s = (t - t_n)/h, w = Omega_n and T(p)^-1 Omega_{n+1}
//   accelerations, multipliers   linear, O(h^2): higher ones would overshoot where vibrations are passed over
//
// Velocities of generalized-alpha methods are off the rates of positions by some d = O(h^2) at both ends where
// constraints, drives or stiffness hold, so that u - d and w - d are taken with
//
//   d = (u_n + u_{n+1})/2 - h/12 (udot_{n+1} - udot_n) - (x_{n+1} - x_n)/h
//
// What elements say (forces, coordinates, energies) is evaluated at that state. Joints hold to O(h^4) between steps.
#pragma once
#include "polhode/assembly/system.hpp"
#include "polhode/integrators/integrator.hpp"

namespace polhode::analyses {

enum class Velocities { rates_of_positions, with_offsets };
inline Velocities velocities_of(const integrators::Integrator& method) {
  return method.has_velocity_offsets() ? Velocities::with_offsets : Velocities::rates_of_positions;
}

// Makes `between` the state at time t of the step from `a` to `b`, a.t <= t <= b.t. Its history is that of counted
// angles and the like; it has no memory of a method. Allocates nothing when `between` has the sizes of `a`.
void interpolate(const assembly::System& system, const model::State& a, const model::State& b, double t,
                 model::State& between, Velocities velocities = Velocities::rates_of_positions);

}  // namespace polhode::analyses
