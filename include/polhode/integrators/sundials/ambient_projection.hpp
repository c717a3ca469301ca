// SPDX-License-Identifier: BSD-3-Clause
// P: positions and velocities brought to the constraints along W^-1 B^T, with W by nodes of inertia, damping and
// stiffness at the start (rosenbrock/lift.hpp, `weighted`).
#pragma once
#include <optional>

#include "polhode/assembly/linear/linear_solver.hpp"
#include "polhode/integrators/rosenbrock/lift.hpp"

namespace polhode::integrators {

class AmbientProjection {
 public:
  // Keeps a reference.
  explicit AmbientProjection(const assembly::System& system);

  // W at this state; `h`: s, about a step.
  void set_weights(const model::State& q, double h);
  // Moves positions and velocities of `q`. False if the direction is singular, or no positions are near.
  bool meet_constraints(model::State& q);

  double drift() const { return drift_; }                 // of the last `q` before, relative to the model
  double violation() const { return violation_; }         // what is left of it
  const model::VectorX& gamma() const { return gamma_; }  // of System::set_rates at the last `q`

 private:
  bool moves(std::size_t node) const;
  bool turns(std::size_t node) const;
  bool factorize(const model::State& q);
  bool meet_positions(model::State& q);
  bool meet_velocities(model::State& q);
  double violation_of_rows() const;
  void project();

  const assembly::System& system_;
  // [W B^T; B 0]; W as places in the matrix and their values.
  assembly::SparseMatrix matrix_;
  assembly::LinearSolver solver_;
  std::vector<std::pair<int, double>> W_;
  std::optional<JacobianPlaces> places_;  // with lift_ made when weights are set for the first time
  std::optional<Lift> lift_;
  assembly::Residual residual_;
  model::VectorX Bv_;
  model::VectorX phi_t_;
  model::VectorX gamma_;
  model::VectorX vector_;
  std::vector<model::Vec6> change_;  // by node
  double drift_ = 0;
  double violation_ = 0;
};

}  // namespace polhode::integrators
