// SPDX-License-Identifier: BSD-3-Clause
// Accelerations of a linearly implicit step.
#include "analyses/transient/smooth_accelerations.hpp"

#include <utility>

#include "polhode/assembly/linear/linear_solver.hpp"

namespace polhode::analyses {

using assembly::System;
using model::State;
using model::VectorX;

namespace {

// M a by the forces of inertia at rest, and B a by the rates of a state with these velocities.
VectorX right_hand_side(const System& system, const State& q, const std::vector<model::Vec6>& a) {
  State at_rest = q;
  for (model::Vec6& v : at_rest.v) v.setZero();
  at_rest.vdot = a;
  assembly::Residual inertia = system.make_residual();
  system.set_inertia_forces(at_rest, inertia);
  at_rest.v = a;
  VectorX phi_t(system.rows());
  system.set_velocity_rates(at_rest, inertia.phi, phi_t);
  VectorX vector(system.size());
  system.gather(inertia, q.dropped, 1, vector);
  return vector;
}

// What a step resolves of `a`, in its place where less than the part `resolved` is left; `mu` gets the multipliers.
bool smooth_vectors(const System& system, double h, double resolved, const State& q, std::vector<model::Vec6>& a,
                    VectorX& mu) {
  assembly::SparseMatrix matrix = system.make_matrix();
  system.set_matrix(q, {.m = 1, .c = h / 2, .k = h * h / 4, .b = 1}, 1, matrix);
  assembly::LinearSolver solver(matrix);
  if (!solver.factorize()) return false;
  const VectorX forces = right_hand_side(system, q, a);
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
    whole += force[i].dot(a[i]);
    left += force[i].dot(smooth[i]);
  }
  if (resolved < 1 && !(left < resolved * whole)) return false;
  a = std::move(smooth);
  mu = solution.tail(system.rows());
  return true;
}

}  // namespace

bool smooth_accelerations(const System& system, double h, double resolved, State& q) {
  std::vector<model::Vec6> a = q.vdot;
  VectorX mu;
  if (!smooth_vectors(system, h, resolved, q, a, mu)) return false;
  q.vdot = std::move(a);
  q.lambda += mu;
  return true;
}

// Multipliers of them are of no use: those of the start are what belongs to its accelerations.
bool smooth_rates(const System& system, double h, const State& q, std::vector<model::Vec6>& vddot) {
  constexpr double resolved = 0.5;
  VectorX mu;
  return smooth_vectors(system, h, resolved, q, vddot, mu);
}

}  // namespace polhode::analyses
