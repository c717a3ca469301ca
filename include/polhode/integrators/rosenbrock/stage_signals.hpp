// SPDX-License-Identifier: BSD-3-Clause
// States c of signals in the stages of a Rosenbrock method, c' = g(c, q, v, t). With the derivatives at the origin of
// the chart, F of forces and Z and W of g, the stages of the whole system (stage_system.hpp) are
//
//   (rows of forces) = ... + s^2 F k,   (1 - s Z) k = gamma b + s (W (p, u) + dt g_t),   b = h g + sum c_ij k_j
//
// with p, u the changes of theta and thetadot as constraints have them. Motions answer to k by X, one solution a state:
//   (1 - s Z - s W X) k = gamma b + s (W (p_0, u_0) + dt g_t),   (p, u) = (p_0, u_0) + X k.
// Drives follow states in constraints, their rates and accelerations, of which the last follow the motion, too. Changes
// e of those accelerations, one a drive, stand behind the states in k, with answers of their own:
//   e = E k + Y (p, u)
#pragma once
#include <Eigen/LU>

#include "polhode/integrators/rosenbrock/stage_system.hpp"

namespace polhode::integrators {

class StageSignals {
 public:
  // Keeps a reference.
  explicit StageSignals(const assembly::System& system);

  bool empty() const { return system_.signals().states() == 0; }
  // At `q`, which is as before when it returns; `h`: s, the step to come, of which differences in time are a small
  // part.
  void linearize(State& q, double h);
  // Of constraint equations, there, by what states do.
  const VectorX& Phi_rates() const { return Phi_rates_; }
  // X by the present factors of `stages`. False if k has no solution.
  bool factorize(StageSystem& stages, double h, double gamma);
  // From p_0, u_0, the solution of `stages`, to the states in k; what answers are multiplied by. Allocates nothing.
  const VectorX& solve(const StageSystem& stages, const VectorX& b, double dt, VectorX& k);

 private:
  void set_units(const assembly::DriveLinearization& drives);
  // Sets along_ = (W, Y) (p, u) of the last solution.
  void set_along(const StageSystem& stages);

  const assembly::System& system_;
  // Behind its rates accelerations of drives: (Z, E) by states, (W, Y) by what is added
  assembly::SignalLinearization at_;
  std::vector<StageSystem::Unit> units_;  // by states, then drives
  VectorX Phi_rates_;
  VectorX g_t_;
  std::vector<Vec3> Omega_;
  Eigen::PartialPivLU<model::MatrixX> left_;
  double h_ = 0;
  double gamma_ = 0;
  VectorX rates_;  // over the unknowns of the system
  std::vector<Vec6> theta_;
  std::vector<Vec6> thetad_;
  std::vector<Vec6> thetadd_;
  VectorX multipliers_;
  // Where sensors look at more than the motion of a few nodes, and what is moved from there; else empty
  State origin_;
  State moved_;
  VectorX along_;
  VectorX scale_;  // s of states, 1 of drives
  VectorX rhs_;
  VectorX k_;
};

}  // namespace polhode::integrators
