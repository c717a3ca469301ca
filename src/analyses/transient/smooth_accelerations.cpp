// SPDX-License-Identifier: BSD-3-Clause
// Accelerations of a linearly implicit step.
#include "analyses/transient/smooth_accelerations.hpp"

#include "polhode/assembly/linear/linear_solver.hpp"

namespace polhode::analyses {

using assembly::System;
using model::State;
using model::VectorX;

namespace {

// M vdot by the forces of inertia at rest, and B vdot by the rates of a state with these velocities.
VectorX right_hand_side(const System& system, const State& q) {
  State at_rest = q;
  for (model::Vec6& v : at_rest.v) v.setZero();
  assembly::Residual inertia = system.make_residual();
  system.set_inertia_forces(at_rest, inertia);
  at_rest.v = q.vdot;
  VectorX phi_t(system.rows());
  system.set_velocity_rates(at_rest, inertia.phi, phi_t);
  VectorX vector(system.size());
  system.gather(inertia, q.dropped, 1, vector);
  return vector;
}

}  // namespace

bool smooth_accelerations(const System& system, double h, double resolved, State& q) {
  assembly::SparseMatrix matrix = system.make_matrix();
  system.set_matrix(q, {.m = 1, .c = h / 2, .k = h * h / 4, .b = 1}, 1, matrix);
  assembly::LinearSolver solver(matrix);
  if (!solver.factorize()) return false;
  const VectorX forces = right_hand_side(system, q);
  VectorX solution = forces;
  solver.solve(solution);
  if (!solution.allFinite()) return false;
  std::vector<model::Vec6> force(system.nodes());
  std::vector<model::Vec6> smooth(system.nodes());
  system.scatter(forces, force);
  system.scatter(solution, smooth);
  double whole = 0;
  double left = 0;
  for (std::size_t i = 0; i < force.size(); ++i) {
    whole += force[i].dot(q.vdot[i]);
    left += force[i].dot(smooth[i]);
  }
  if (resolved < 1 && !(left < resolved * whole)) return false;
  q.vdot = smooth;
  q.lambda += solution.tail(system.rows());
  return true;
}

}  // namespace polhode::analyses
