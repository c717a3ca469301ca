// SPDX-License-Identifier: BSD-3-Clause
// Structure-preserving methods: the step of `variational` and of `energy_momentum`, with its Newton iteration.
//
// Unknowns of a step are the increments (dx, t) of each node (node_step.hpp) and L; forces are multiplied by h^2/2, so
// that the condition of the matrix does not depend on h:
//   energy_momentum  r = inertia + h^2/2 (forces by discrete gradients + G^T lambda),  L = h^2/2 lambda,  G at the mean
//                    of both configurations (model/discrete.hpp): energy and momenta are kept to round-off
//   variational      r = inertia + h^2/2 forces before + B(q)^T L,  forces before: of the step's potential at its begin
//   and              Phi(q+, t+) = 0  for both
// Forces of variational: the midpoint of springs and loads, levers at the node, half of it at either end; of all else,
// or with `potential: node`, those of the library at either end, with the mean velocity of the step (discrete
// d'Alembert principle). `left` makes the same motion as `node`: the left-point Lagrangian has all impulses at the
// begin of a step, and momenta that differ by half of them; its energy of a step has the potential at the begin.
//   [ D_(dx,t) r                G^T or B(q)^T ] [ d(dx, t) ]     [ r   ]
//   [ B(q+) diag(I, F)          0             ] [ dL       ] = - [ Phi ]
// An increment below 1e-10 (positions by the size of the model) ends the iteration; what is left is its square.
//
// State: energy_momentum has its (u, Omega) in v, and in vdot and lambda those of the middle of the step
// (grid_values.hpp has those of its end). They alternate about smooth ones with an amplitude of O(h), unless velocities
// start as the method itself would have them: start_corrected. variational has the momenta (p, Pi) of the centres of
// mass, as they arrive at the node, in `memory`; v is what is left of them without the impulse of the node's own
// constraints, B v + Phi_t = 0 (as RATTLE does), vdot and lambda are consistent with it.
#pragma once
#include <optional>

#include "polhode/assembly/linear/saddle.hpp"
#include "polhode/integrators/integrator.hpp"
#include "polhode/integrators/settings.hpp"
#include "polhode/integrators/structure/node_step.hpp"

namespace polhode::integrators {

inline std::span<double> span_of(VectorX& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

class StructureSolver {
 public:
  StructureSolver(const assembly::System& system, const IntegratorSettings& integrator, const NewtonSettings& newton);

  void start(State& q);
  // Goes on from `q` in the place of start(): with the invariants and the power of drives, W, that were saved there.
  void resume(const State& q, const Invariants& invariants, double drive_power);
  // So that the next step does not depend on the pivots of those before.
  void forget_factorizations();
  // The change of the node's velocity to what the method carries along a smooth motion; `vddot`: rates of vdot.
  Vec6 velocity_offset(std::size_t node, const State& q, const Vec6& vddot) const {
    return energy_momentum::velocity_offset(bodies_[node], q.R[node], q.v[node], q.vdot[node], vddot);
  }
  bool has_middle_values() const { return !variational_; }  // vdot and lambda
  // As NewtonSolver::step.
  StepReport step(const State& old, State& next, double h, double t_next);
  // Of the state that the last step led to, or start() began with.
  const Invariants& invariants() const { return invariants_; }
  // Of loads, dampers and drives in the last step, J: their forces in the step times its increments; of variational the
  // halves of either end times the mean velocities, and drives by their power at both ends.
  double work() const { return work_; }
  double drive_power() const { return drive_power_; }  // W, at the end of the last step

  const assembly::Residual& residual() const { return residual_; }  // of the step, forces by h^2/2
  const assembly::LinearSolver& linear_solver() const { return *solver_; }

 private:
  enum class Forces { none, library, discrete };
  struct Part {  // a batch that is no body
    const model::BatchBase* batch;
    Forces forces;
  };
  void iterate(const State& old, State& next, StepReport& report);
  bool turns_too_fast(const State& old) const;  // for quaternion increments
  void predict(const State& old);
  bool compose(const State& old, State& next);  // false beyond the chart
  void evaluate(const State& old, const State& next);
  void linearize(const State& old, const State& next);
  double advance();                            // largest change of the increments, relative; not finite if they are not
  bool finish(const State& old, State& next);  // false if mass matrix and constraints are singular
  bool finish_variational(const State& old, State& next);
  double power_of_forces(const State& q) const;  // of those by the library, at q's velocities; no drives if lambda = 0
  bool set_velocities(State& next);              // from momenta; and accelerations and multipliers
  void start_finely(const State& old, State& next, StepReport& report);
  void set_increments(const State& old, const State& next);
  void set_mean(const State& old, const State& next);
  model::DiscreteStep step_of(const State& old, const State& next, model::Lever lever) const;
  void add_forces_after(const State& old, State& next);  // into force_, at the end of the step; sets v
  void set_invariants(const State& next);
  double potential_energy(const State& old, const State& next) const;

  const assembly::System& system_;
  StructureSettings settings_;
  NewtonSettings newton_;
  bool variational_;
  std::vector<NodeBody> bodies_;
  std::vector<Part> parts_;
  std::vector<int> diagonal_;  // first value of each node's own block in the matrix
  double h_ = 0;               // s
  double half_ = 0;            // h^2/2
  std::vector<NodeStep> nodes_;
  State mean_;
  State at_begin_;  // with the mean velocities of the step
  assembly::SparseMatrix matrix_;
  std::optional<assembly::LinearSolver> solver_;
  // rows_: phi; the right side of the velocities
  assembly::Residual residual_;
  assembly::Residual rows_;
  std::vector<Vec6> force_;
  std::vector<Vec6> dx_;
  std::vector<Mat3> F_;       // of each node
  std::vector<Mat3> F_rate_;  // derivatives of the mean angular velocities by t
  VectorX L_;
  VectorX lambda_;
  VectorX rhs_;
  VectorX Bv_;
  VectorX phi_t_;
  VectorX gamma_;
  double work_ = 0;         // J
  double drive_power_ = 0;  // W, at the end of the last step
  std::optional<assembly::Saddle> saddle_;
  std::vector<Iteration> iterations_;
  Invariants invariants_;
};

}  // namespace polhode::integrators
