// SPDX-License-Identifier: BSD-3-Clause
// What structure-preserving methods ask of a kind beside the element contract: rows and forces of a whole step.
//
// A step leads from (x, R) to (x+, R+); bar is the arithmetic mean of both, and Rbar is no rotation. Wrenches are
// spatial here: forces and moments about the node, both inertial; derivatives are by the end of the step, (dx+,
// dtheta+) with dR+ = dtheta+~ R+. All hold whatever Rbar is, since only levers l = R s and vectors w = R c enter.
//
//   mean_rows           mean_gradient(d, s, G)                    G dxi = Phi+ - Phi at equal times, with dxi = (dx, e)
//                                                                 of each node and R+ - R = e~ Rbar; so momentum
//                                                                 is kept
//                       add_mean_tangent_to(d, s, lambda, K)      K += D(G^T lambda)
//   discrete_forces     add_discrete_forces_to(d, s, r)           r += wrenches on the model, with levers of s.lever
//                       add_discrete_force_tangents_to(d, s, K)   K += D r, with levers held unless they are mean
//   midpoint            discrete_energy(d, s)                     the potential at the middle of the step, J
//                       discrete_work(d, s)                       of all forces but that of the potential, J; both
//                                                                 halves of a force at their own levers
//
// Kinds with a midpoint serve any lever, with or without s.gradient; all others the mean with the gradient alone.
// `energy_momentum` takes kinds that have discrete forms of all they have; `variational` takes all
// but beams of other forms than Model::directors.
#pragma once
#include "polhode/model/contract.hpp"

namespace polhode::model {

// Where forces act: with levers of the begin or the end of the step (half forces of `variational`), or mean ones.
enum class Lever { begin, mean, end };

// One element over a step.
template <int N>
struct ElementStep {
  // `mean` has x and R alone; its R is no rotation
  Nodes<N> begin;
  Nodes<N> mean;
  Nodes<N> end;
  // Time in the middle of the step, internal variables of its begin
  Context middle;
  // Step size, s
  double h;
  // Potentials by a discrete gradient, which keeps the energy; else by their middle
  bool gradient;
  // Levers at which forces act
  Lever lever;
  // The configuration that gives the levers.
  const Nodes<N>& at() const { return lever == Lever::begin ? begin : lever == Lever::mean ? mean : end; }
};

// All nodes over a step. `mean` has x and R alone.
struct DiscreteStep {
  const State& begin;
  const State& mean;
  const State& end;
  Context middle;
  double h;
  bool gradient;
  Lever lever;
};

template <class K>
concept WithMeanRows = K::capabilities.has(can::mean_rows);
template <class K>
concept WithDiscreteForces = K::capabilities.has(can::discrete_forces);
template <class K>
concept WithMidpoint = K::capabilities.has(can::midpoint);

// What `energy_momentum` takes: bodies apart, all that a kind has needs its discrete form.
template <class K>
inline constexpr bool has_discrete_form = (!WithRows<K> || WithMeanRows<K>)&&(!WithForces<K> || WithDiscreteForces<K>);

}  // namespace polhode::model
