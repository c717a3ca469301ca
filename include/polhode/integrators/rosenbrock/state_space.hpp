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
#include <functional>

#include "polhode/integrators/rosenbrock/constraint_projection.hpp"
#include "polhode/integrators/rosenbrock/extrapolated_loads.hpp"
#include "polhode/integrators/rosenbrock/stage_system.hpp"

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

  // f: positions and velocities that meet the constraints to round-off in the classes of z and zd, and F = thetaddot.
  // False if no such positions are found.
  bool evaluate(const VectorX& z, const VectorX& zd, double t, VectorX& F);
  const State& evaluated() const { return stage_; }  // the state of the last evaluation, history aside

  // Tangents at the chart's origin; `h` is the step to come (of differences in time).
  void linearize(double h) { linearization_.linearize(origin_, h); }
  // Multiplies what tangents there are of forces and curvature, entry by entry: to try methods that allow for it.
  void disturb_tangents(const std::function<double()>& factor) { linearization_.disturb(factor); }
  // The matrix of the stages, for any h and with the tangents of the last linearize(). False if it is singular.
  bool factorize(double h, double gamma) { return stage_system_.factorize(h, gamma); }
  // As StageSystem::solve.
  void solve(const VectorX& b, const VectorX& d, double dt, VectorX& u) { stage_system_.solve(b, d, dt, u); }

  // Power of loads, dampers and drives, W: at the last evaluation (beyond the limit extrapolated, as they are), at the
  // origin, and the derivative of the latter along what the last solve() found: (h (d + gamma u), u, dt).
  double power() { return loads_.power(stage_); }
  double origin_power() const { return system_.power(origin_); }
  double power_change(const VectorX& u, double dt, double origin_power);

  // Replaces e by the vector of its class that keeps to the constraints at the origin, or, with a partition, takes away
  // what is dependent.
  void represent(VectorX& e);
  const Lift& lift() const { return lift_; }
  double pivot_ratio() const { return at_origin_.pivot_ratio(); }  // of the constraints at the origin
  double constraint_violation() const { return violation_; }       // of the last evaluation, relative to the model
  double velocity_violation();                                     // of the same, 1/s

 private:
  bool factorize(ConstraintProjection& projection, const State& q);  // with B T_
  // The change along V that takes B times a vector by node (thetad_) away, at the origin; in change_.
  void correct_at_origin();
  double amplification();
  bool place(double t);  // stage_ at theta_
  bool meet_positions(double t);
  void set_tangent_operators();
  void set_velocities();
  void meet_velocities();

  const assembly::System& system_;
  assembly::SparseMatrix matrix_;  // of the system, at the last position that was factorized
  JacobianPlaces places_;
  Lift lift_;
  ExtrapolatedLoads loads_;
  ConstraintProjection at_origin_;
  ConstraintProjection at_stage_;
  AccelerationSolver accelerations_;
  StageLinearization linearization_;
  StageSystem stage_system_;
  State origin_;
  State stage_;
  std::vector<Vec6> theta_;
  std::vector<Vec6> thetad_;
  std::vector<Vec6> change_;
  std::vector<Mat3> T_;
  VectorX vector_;  // unknowns and constraint equations
  VectorX rates_;   // B v + Phi_t
  double violation_ = 0;
};

}  // namespace polhode::integrators
