// SPDX-License-Identifier: BSD-3-Clause
// States as numbers one after the other (math/archive.hpp).
#pragma once
#include "polhode/math/archive.hpp"
#include "polhode/model/state.hpp"

namespace polhode::model {

inline void archive(math::Archive& a, SignalState& s) {
  a(s.z, s.rate, s.mean_rate, s.held, s.values, s.base, s.gain, s.past);
}

// All of a state, to the last bit.
inline void archive(math::Archive& a, State& q) {
  a(q.t, q.x, q.quat, q.R, q.v, q.vdot, q.lambda, q.history, q.signals, q.memory, q.last_step, q.load_factor,
    q.dropped.rows, q.dropped.open, q.dropped.revision);
}

}  // namespace polhode::model
