// SPDX-License-Identifier: BSD-3-Clause
// Velocities of given momenta that meet the constraints, and the accelerations and multipliers that go with them:
//   [ M B^T ; B 0 ] [ v    ; mu     ] = [ momenta ; -Phi_t ]
//   [ M B^T ; B 0 ] [ vdot ; lambda ] = [ -g      ; -Gamma ]
// mu is the part of the momenta that is an impulse of the node's own constraints, as RATTLE takes it away.
#pragma once
#include <optional>
#include <vector>

#include "polhode/assembly/linear/saddle.hpp"
#include "polhode/integrators/structure/structure_method.hpp"

namespace polhode::integrators {

class MomentumVelocities {
 public:
  // Keeps a reference.
  explicit MomentumVelocities(const StructureMethod& method);

  // v, vdot and lambda of a state from the momenta (p, Pi) of the centers of mass in its `memory`. One factorization.
  // False if mass matrix and constraints are singular together.
  [[nodiscard]] bool set(State& q);
  // Makes Phi_t that of the state, as set() does too.
  void update_rates(const State& q);
  // lambda . Phi_t, W, by the Phi_t of the last state.
  double drive_power(const State& q) const { return q.lambda.dot(phi_t_); }
  // So that the next factorization does not depend on the pivots of those before.
  void forget_factorization() { saddle_.reset(); }

 private:
  const StructureMethod& method_;
  // Made when it is first needed
  std::optional<assembly::Saddle> saddle_;
  // Momenta about the nodes, and -Phi_t
  assembly::Residual momenta_;
  std::vector<Vec6> v_;
  VectorX vector_;
  VectorX Bv_;
  VectorX phi_t_;
  VectorX gamma_;
};

}  // namespace polhode::integrators
