// SPDX-License-Identifier: BSD-3-Clause
// Structure-preserving methods: the step of `variational` and of `energy_momentum`. Newton's iteration solves the
// equations of structure_equations.hpp for the increments of a step; step_end.hpp says what the state at its end has.
//
// An increment below 1e-10 (positions by the size of the model) ends the iteration; what is left is its square.
#pragma once
#include <optional>
#include <vector>

#include "polhode/assembly/linear/linear_solver.hpp"
#include "polhode/integrators/step_report.hpp"
#include "polhode/integrators/structure/step_end.hpp"
#include "polhode/integrators/structure/structure_equations.hpp"
#include "polhode/math/stop.hpp"

namespace polhode::integrators {

class StructureSolver {
 public:
  // Keeps a reference to the system; settings are copied.
  StructureSolver(const assembly::System& system, const IntegratorSettings& integrator, const NewtonSettings& newton);
  StructureSolver(const StructureSolver&) = delete;

  void start(State& q);
  // Goes on from `q` in the place of start(): with the invariants and the power of drives, W, that were saved there.
  void resume(const State& q, const Invariants& invariants, double drive_power);
  // So that the next step does not depend on the pivots of those before.
  void forget_factorizations();
  // As NewtonSolver::step.
  StepReport step(const State& old, State& next, double h, double t_next, const math::StopRequest& stop = {});
  // Ends a step of h whose positions and rotations are given in `next`: all else as after step(), but for internal
  // variables. False if mass matrix and constraints are singular.
  bool finish_given(const State& old, State& next, double h);

  // The change of the node's velocity to what the method carries along a smooth motion; `vddot`: rates of vdot.
  Vec6 velocity_offset(std::size_t node, const State& q, const Vec6& vddot) const {
    return energy_momentum::velocity_offset(method_.bodies[node], q.R[node], q.v[node], q.vdot[node], vddot);
  }
  // vdot and lambda of states belong to the middle of the step.
  bool has_middle_values() const { return !method_.variational; }
  const StepEnd& end() const { return end_; }
  const assembly::LinearSolver& linear_solver() const { return *solver_; }

 private:
  // Sets the outcome.
  void iterate(const State& old, State& next, const math::StopRequest& stop, StepReport& report);
  // False if singular; the report then names the unknown without a pivot.
  bool factorize(const State& old, const State& next, StepReport& report);
  bool factorize_once(const State& old, const State& next);
  void linearize(const State& old, const State& next);
  // Solves and adds. The largest change of the increments, relative; not finite if they are not.
  double advance();
  // A step that quaternion increments cannot describe.
  bool turns_too_fast(const State& old) const;

  StructureMethod method_;
  NewtonSettings newton_;
  StructureStep step_;
  assembly::SparseMatrix matrix_;
  std::optional<assembly::LinearSolver> solver_;
  StructureEquations equations_;
  StepEnd end_;
  // The solution: of all unknowns, and by node
  VectorX rhs_;
  std::vector<Vec6> dx_;
  std::vector<Iteration> iterations_;
  // What equations of motion are divided by, and multipliers with them: only where the matrix is singular otherwise, kg
  double mass_;
  bool divided_ = false;
};

}  // namespace polhode::integrators
