// SPDX-License-Identifier: BSD-3-Clause
// The state-space form of a model for the length of a step: a chart about the state q_n, and coordinates in it modulo
// what the constraints decide.
//
//   q(theta) = q_n exp(theta),  v = T(theta) thetadot,  thetaddot = f(theta, thetadot, t)
//
// theta and thetadot count modulo the range of a lift V = S B_n^T, with S symmetric, positive semidefinite, by blocks
// of nodes: what has to be added to a vector such that it meets the constraints is V s. So no basis of the tangent
// space is needed: any vector over the free unknowns stands for its class, and redundant equations are simply dropped.
#pragma once
#include "polhode/integrators/rosenbrock/stage_constraints.hpp"

namespace polhode::integrators {

class StateSpace {
 public:
  // Keeps a reference.
  StateSpace(const assembly::System& system, Coordinates coordinates);
  StateSpace(const StateSpace&) = delete;

  // A chart about `q`, which has to be consistent. `h`: of the weights. False if the position is singular.
  bool begin(const State& q, double h);
  // f: positions and velocities that meet the constraints to round-off in the classes of z and zd, and F = thetaddot.
  // States of signals are as they stand in the stage of the chart, which gets their rates.
  // False if no such positions are found.
  bool evaluate(const VectorX& z, const VectorX& zd, double t, VectorX& F);

  // Its stage is the state of the last evaluation, history aside.
  StateChart& chart() { return chart_; }
  // Beyond their limit they are extrapolated.
  ExtrapolatedLoads& loads() { return loads_; }
  OriginProjection& origin() { return origin_; }
  const OriginProjection& origin() const { return origin_; }
  const LiftedMatrix& lifted() const { return lifted_; }
  double constraint_violation() const { return constraints_.violation(); }  // of the last evaluation, relative

 private:
  const assembly::System& system_;
  LiftedMatrix lifted_;
  ExtrapolatedLoads loads_;
  StateChart chart_;
  OriginProjection origin_;
  StageConstraints constraints_;
  AccelerationSolver accelerations_;
};

// Makes accelerations and multipliers of `q` consistent at time t (of the loads and drives: an instant after q.t where
// they jump there), and the velocities meet the constraints. False if that is impossible. Leaves a chart about `q`.
bool make_consistent(const assembly::System& system, StateSpace& space, State& q, double t);

}  // namespace polhode::integrators
