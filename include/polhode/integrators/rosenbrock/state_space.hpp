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
#include "polhode/integrators/rosenbrock/constraint_projection.hpp"
#include "polhode/integrators/rosenbrock/extrapolated_loads.hpp"
#include "polhode/integrators/rosenbrock/state_chart.hpp"

namespace polhode::integrators {

class StateSpace {
 public:
  // Keeps a reference.
  StateSpace(const assembly::System& system, Coordinates coordinates);
  StateSpace(const StateSpace&) = delete;

  // Makes accelerations and multipliers of `q` consistent at time t (of the loads and drives: an instant after q.t
  // where they jump there), and the velocities meet the constraints. False if that is impossible.
  bool make_consistent(State& q, double t);
  // A chart about `q`, which has to be consistent. `h`: of the weights. False if the position is singular.
  bool begin(const State& q, double h);
  // Loads and drives have a kink or a jump at this time: what stages want to know of them beyond is extrapolated.
  void stop_at(double t) { loads_.set_limit(t); }
  State& origin() { return chart_.origin(); }

  // f: positions and velocities that meet the constraints to round-off in the classes of z and zd, and F = thetaddot.
  // False if no such positions are found.
  bool evaluate(const VectorX& z, const VectorX& zd, double t, VectorX& F);
  const State& evaluated() const { return chart_.stage(); }  // the state of the last evaluation, history aside
  // Of loads, dampers and drives at the last evaluation, W; beyond the limit extrapolated, as they are.
  double power() { return loads_.power(chart_.stage()); }

  // Replaces e by the vector of its class that keeps to the constraints at the origin, or, with a partition, takes away
  // what is dependent.
  void represent(VectorX& e);
  const Lift& lift() const { return lift_; }
  const JacobianPlaces& places() const { return places_; }
  const assembly::SparseMatrix& matrix() const { return matrix_; }  // of the system; of others only its pattern counts
  double pivot_ratio() const { return at_origin_.pivot_ratio(); }   // of the constraints at the origin
  double constraint_violation() const { return violation_; }        // of the last evaluation, relative to the model

 private:
  bool factorize(ConstraintProjection& projection, const State& q);  // with B T
  // The change along V that takes B times a vector by node (thetad of the chart) away, at the origin; in change_.
  void correct_at_origin();
  double amplification();
  bool meet_positions(double t);
  void meet_velocities();

  const assembly::System& system_;
  assembly::SparseMatrix matrix_;  // at the last position that was factorized
  JacobianPlaces places_;
  Lift lift_;
  ExtrapolatedLoads loads_;
  ConstraintProjection at_origin_;
  ConstraintProjection at_stage_;
  AccelerationSolver accelerations_;
  StateChart chart_;
  std::vector<Vec6> change_;
  VectorX probe_;  // of amplification(), over the free unknowns
  VectorX rates_;  // B v + Phi_t
  double violation_ = 0;
};

}  // namespace polhode::integrators
