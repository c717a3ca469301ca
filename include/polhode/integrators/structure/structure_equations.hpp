// SPDX-License-Identifier: BSD-3-Clause
// Residual and tangents of a structure-preserving step. Its unknowns are the increments (dx, t) of each node and L
// (structure_step.hpp); forces are multiplied by h^2/2, so that the condition of the matrix does not depend on h:
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
#pragma once
#include <span>
#include <vector>

#include "polhode/integrators/structure/structure_step.hpp"

namespace polhode::integrators {

class StructureEquations {
 public:
  // Keeps references. `pattern`: of the matrices of linearize().
  StructureEquations(const StructureMethod& method, StructureStep& step, const assembly::SparseMatrix& pattern);

  // Once the size of the step is known.
  void begin_step();
  // r (N s^2, N m s^2) and Phi (m, rad) of the present increments, whose end is `next`.
  void evaluate(const State& old, const State& next);
  // The matrix above, with dropped constraint equations taken out; after evaluate() of the same states.
  void linearize(const State& old, const State& next, assembly::SparseMatrix& matrix);
  // Of the last evaluation.
  const assembly::Residual& residual() const { return residual_; }

 private:
  // r alone.
  void evaluate_variational(const State& old, const State& next);
  void evaluate_energy_momentum(const State& old, const State& next);
  // Of forces and constraints; of the inertia of nodes.
  void add_part_tangents_to(std::span<double> values, const State& old, const State& next);
  void add_node_tangents_to(std::span<double> values, const State& old) const;

  const StructureMethod& method_;
  StructureStep& step_;
  // First value of each node's own block in the matrix; -1 without unknowns
  std::vector<int> diagonal_;
  assembly::Residual residual_;
  // What batches write beside what is asked of them
  assembly::Residual unused_;
  // Of batches, without the factor h^2/2
  std::vector<Vec6> force_;
  // By node: factors of the tangents; derivatives of the mean angular velocities by t
  std::vector<Mat3> F_;
  std::vector<Mat3> F_rate_;
  // lambda = 2 L/h^2 of energy_momentum; zero of variational
  VectorX lambda_;
};

}  // namespace polhode::integrators
