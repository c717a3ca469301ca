// SPDX-License-Identifier: BSD-3-Clause
// Change of the step size in generalized-alpha methods. Along a smooth motion the state holds offsets that depend on h:
// a_n - vdot_n is proportional to h, and the violation of the constraints by velocities, B v + Phi_t, to h^2. At a
// change by r = h/h_last they are multiplied by r and r^2, so that the motion goes on without a jump. r counts as 4 at
// most: growing faster amplifies what oscillates.
#pragma once
#include "polhode/integrators/generalized_alpha/newton.hpp"
#include "polhode/integrators/velocity_correction.hpp"

namespace polhode::integrators {

class StepChange {
 public:
  // `reuse`: where the factorization of the last step is at hand, it serves in the place of M: dv = T x of
  //   [ A B^T ; B T 0 ] [ x ; mu ] = [ 0 ; change ],
  // which costs no more than a solution. Keeps references.
  StepChange(const assembly::System& system, Scheme& scheme, StepEquations& equations, VelocityCorrection& velocities,
             bool reuse);

  // Whether a step of h from `q` needs apply().
  static bool changes(const State& q, double h);
  // Multiplies the offsets of `q` for a step of h.
  void apply(State& q, double h);

  // The factorization is of the step that led to the present state; of no step any more.
  void step_accepted();
  void factorization_lost() { factorized_ = false; }
  // The velocities of the present state were changed.
  void velocities_changed() { has_normal_ = false; }

  // The direction that apply() takes velocities along, T x for change = B v + Phi_t of `q`, by node; made while the
  // factorization is at hand. Empty if it is not.
  // It is what a saved run has to write, since a loaded one has no factorization.
  std::span<const Vec6> normal(const State& q);
  void set_normal(std::span<const Vec6> normal);

 private:
  void make_normal(const State& q);

  const assembly::System& system_;
  Scheme& scheme_;
  StepEquations& equations_;
  VelocityCorrection& velocities_;
  bool reuse_;
  // The last factorization is of the step that led to the present state.
  bool factorized_ = false;
  // normal_ is of the present state.
  bool has_normal_ = false;
  std::vector<Vec6> normal_;
  // Right-hand side: zero forces, B v + Phi_t
  assembly::Residual change_;
  model::VectorX phi_t_;
};

}  // namespace polhode::integrators
