// SPDX-License-Identifier: BSD-3-Clause
// The unknowns of a structure-preserving step while it is solved: increments (dx, t) of each node (node_step.hpp) and
// multipliers L, from `old` to `next`, with the states between both that forces ask for.
#pragma once
#include <span>
#include <vector>

#include "polhode/integrators/structure/structure_method.hpp"

namespace polhode::integrators {

inline std::span<double> span_of(VectorX& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

// Functions take the begin and the end of the step; they allocate nothing once a state has been given to begin_at().
struct StructureStep {
  // Keeps a reference.
  explicit StructureStep(const StructureMethod& method);

  // Gives `mean` and `at_begin` the sizes of a state.
  void begin_at(const State& q);
  void set_size(double step_size);
  // First guess: the motion goes on as it is.
  void predict(const State& old);
  // Positions and rotations of `next` from the increments. False where a quaternion increment has left its chart,
  // |t| >= 1; those of the nodes before it are then set.
  bool compose(const State& old, State& next);
  // The reverse: increments of a step whose end is given.
  void set_increments(const State& old, const State& next);
  void set_mean(const State& old, const State& next);
  // The step as discrete forms see it, with the present mean: time in its middle, internal variables of its begin.
  model::DiscreteStep between(const State& old, const State& next, model::Lever lever) const;

  const StructureMethod& method;
  // s; h^2/2, by which forces are multiplied
  double h = 0;
  double half = 0;
  // By node
  std::vector<NodeStep> nodes;
  // h^2/2 lambda of energy_momentum, h^2 lambda of variational
  VectorX L;
  // Arithmetic means of x and R alone: those of rotation matrices are no rotations, which discrete forms allow
  State mean;
  // `old`, of variational with the mean velocities of the step and L
  State at_begin;
};

}  // namespace polhode::integrators
