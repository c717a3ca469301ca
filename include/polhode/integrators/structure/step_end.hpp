// SPDX-License-Identifier: BSD-3-Clause
// What a structure-preserving step leaves behind: velocities, momenta, accelerations, multipliers, invariants, work.
//
// energy_momentum has its (u, Omega) in v, and in vdot and lambda those of the middle of the step
// (consistent_accelerations.hpp has those of its end). They alternate about smooth ones with an amplitude of O(h),
// unless velocities start as the method itself would have them: `start: corrected`. variational has the momenta (p, Pi)
// of the centers of mass, as they arrive at the node, in `memory`; v, vdot and lambda are those of
// momentum_velocities.hpp.
#pragma once
#include <vector>

#include "polhode/integrators/integrator.hpp"
#include "polhode/integrators/structure/momentum_velocities.hpp"
#include "polhode/integrators/structure/structure_step.hpp"

namespace polhode::integrators {

class StepEnd {
 public:
  // Keeps references.
  StepEnd(const StructureMethod& method, StructureStep& step);

  // Momenta and invariants of the state that a run begins with.
  void start(State& q);
  // Goes on with the numbers that were saved.
  void resume(const Invariants& invariants, double drive_power);
  void forget_factorization() { velocities_.forget_factorization(); }
  // For positions and rotations of `next` that meet the equations. False if mass matrix and constraints are singular.
  bool finish(const State& old, State& next);

  // Of the state that the last step led to, or start() began with.
  const Invariants& invariants() const { return invariants_; }
  // Of loads, dampers and drives in the last step, J: their forces in the step times its increments; of variational the
  // halves of either end times the mean velocities, and drives by their power at both ends.
  double work() const { return work_; }
  // Of drives at the end of the last step of variational, W.
  double drive_power() const { return drive_power_; }

 private:
  void finish_energy_momentum(const State& old, State& next);
  bool finish_variational(const State& old, State& next);
  // Into force_, at the end of the step; sets v.
  void add_forces_after(const State& old, State& next);
  // Of those by the library, at q's velocities; no drives if lambda = 0.
  double power_of_forces(const State& q) const;
  double potential_energy(const State& old, const State& next) const;
  // But for the energy.
  void set_invariants(const State& q);

  const StructureMethod& method_;
  StructureStep& step_;
  MomentumVelocities velocities_;
  std::vector<Vec6> force_;
  // Phi that batches may write beside their forces
  VectorX unused_;
  Invariants invariants_;
  // J; W
  double work_ = 0;
  double drive_power_ = 0;
};

}  // namespace polhode::integrators
