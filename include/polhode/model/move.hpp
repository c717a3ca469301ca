// SPDX-License-Identifier: BSD-3-Clause
// States beside a state: positions by increments, and along the motion for a short time.
#pragma once
#include <vector>

#include "polhode/math/so3.hpp"
#include "polhode/model/state.hpp"

namespace polhode::model {

// Adds dx, m and rad, to the position of node i; rotations in the node's frame, R exp(theta~). Renormalized: many small
// increments would let the quaternion drift.
inline void move(State& q, std::size_t i, const Vec6& dx) {
  q.x[i] += dx.head<3>();
  q.set_rotation(i, (q.quat[i] * math::so3::exp_quaternion(dx.tail<3>())).normalized());
}

// Of all nodes.
inline void move(State& q, const std::vector<Vec6>& dx) {
  for (std::size_t i = 0; i < dx.size(); ++i) move(q, i, dx[i]);
}

// Time, positions and velocities a time t, s, later, but for O(t^3) and O(t^2). All else is left as it is.
inline void follow_motion(State& q, double t) {
  q.t += t;
  for (std::size_t i = 0; i < q.x.size(); ++i) {
    move(q, i, t * q.v[i] + t * t / 2 * q.vdot[i]);
    q.v[i] += t * q.vdot[i];
  }
}

}  // namespace polhode::model
