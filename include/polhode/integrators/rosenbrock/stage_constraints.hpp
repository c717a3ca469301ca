// SPDX-License-Identifier: BSD-3-Clause
// Positions and velocities of a stage that meet the constraints, within their classes.
#pragma once
#include "polhode/integrators/rosenbrock/origin_projection.hpp"

namespace polhode::integrators {

class StageConstraints {
 public:
  // Keeps references.
  StageConstraints(const assembly::System& system, LiftedMatrix& lifted, ExtrapolatedLoads& loads, StateChart& chart,
                   OriginProjection& origin);

  // Changes theta of the chart along the lift until the positions of the stage, at time t, meet the constraints to
  // round-off. False if no such positions are found.
  bool meet_positions(double t);
  // The same for thetad and velocities, at these positions. Leaves the matrix and the rates there. False if the position
  // is singular.
  bool meet_velocities();
  // The matrix of the stage: m = 1, rows B T.
  void set_matrix();
  // Of the last positions, relative to the model.
  double violation() const { return violation_; }

 private:
  bool factorize_and_correct(const VectorX& violation);  // at the stage

  const assembly::System& system_;
  LiftedMatrix& lifted_;
  ExtrapolatedLoads& loads_;
  StateChart& chart_;
  OriginProjection& origin_;
  ConstraintProjection projection_;
  std::vector<Vec6> change_;
  VectorX rates_;  // B v + Phi_t
  double violation_ = 0;
};

}  // namespace polhode::integrators
