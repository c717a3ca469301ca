// SPDX-License-Identifier: BSD-3-Clause
// The end of a Radau step: velocities that meet the constraints, and accelerations and multipliers that are consistent
// with them,
//
//   [ M B^T ; B 0 ] [ dv    ; mu      ] = [ 0                              ; -(B v + Phi_t)    ],
//   [ M B^T ; B 0 ] [ dvdot ; dlambda ] = [ r(v, vdot, lambda) - r(v + dv, vdot, lambda) ; -(B vdot + Gamma) ]
//
// The last stage meets the constraints of positions; its velocities miss theirs by O(h^3), its multipliers are of order
// 2, as those of index 3 are. Its accelerations meet the equations of motion as well as the iteration leaves them: they
// are not made anew from forces, of which stiff elements would make noise out of that.
#pragma once
#include "polhode/assembly/linear/saddle.hpp"
#include "polhode/assembly/system.hpp"

namespace polhode::integrators {

class RadauEnd {
 public:
  // Keeps a reference.
  explicit RadauEnd(const assembly::System& system);
  // Of the last stage; nothing without constraints. False if mass matrix and constraints are singular.
  bool finish(model::State& q);
  // Velocities, and accelerations and multipliers from forces. False as above.
  bool make_consistent(model::State& q);
  // Accelerations and multipliers alone. False as above.
  bool set_dynamics(model::State& q);
  // Positions, by the least change in the norm of M, to the last bits. False as above, or if none are near.
  bool project_positions(model::State& q);
  // Velocities alone. False as above.
  bool project_velocities(model::State& q);
  // Of the last factorization; 1 before the first.
  double pivot_ratio() const { return factorized_ ? saddle_.smallest_pivot_ratio() : 1; }

 private:
  void project(model::State& q);
  bool accelerate(model::State& q);

  const assembly::System& system_;
  assembly::Saddle saddle_;
  bool factorized_ = false;
  model::VectorX Bv_;
  model::VectorX phi_t_;
  model::VectorX gamma_;
  model::VectorX vector_;
  std::vector<model::Vec6> dv_;
  assembly::Residual residual_;
  assembly::Residual before_;
};

}  // namespace polhode::integrators
