// SPDX-License-Identifier: BSD-3-Clause
// Accelerations and multipliers at the time of a state, for methods whose own belong to the middle of the step:
// [M B^T; B 0] [vdot; lambda] = [-g; -Gamma] at its positions and velocities. One factorization, made for states that
// are stored; of second order where velocities are, and free of the step-to-step oscillation of multipliers.
#pragma once
#include "polhode/assembly/linear/saddle.hpp"

namespace polhode::integrators {

class ConsistentAccelerations {
 public:
  // Keeps a reference.
  explicit ConsistentAccelerations(const assembly::System& system);
  // q with these values; q itself if mass matrix and constraints are singular. Good until the next call.
  const model::State& of(const model::State& q);

 private:
  const assembly::System& system_;
  assembly::Saddle saddle_;
  model::VectorX Bv_;
  model::VectorX phi_t_;
  model::VectorX gamma_;
  model::State at_;
};

}  // namespace polhode::integrators
