// SPDX-License-Identifier: BSD-3-Clause
// Change of the step size in generalized-alpha methods. Along a smooth motion the state holds offsets that depend on h:
// a_n - vdot_n is proportional to h, and the violation of the constraints by velocities, B v + Phi_t, to h^2. At a
// change by r = h/h_last they are multiplied by r and r^2, so that the motion goes on without a jump. r counts as 4 at
// most: growing faster amplifies what oscillates.
//
// What stiffness holds back is like a constraint where steps do not resolve its vibrations: positions follow the loads,
// velocities follow positions by the formulas of the step, with an offset o = (l - x)/h, l the truncation error of a step
// and x the part of it that the step lets pass (local_error.hpp). Left alone it would become a vibration at each change,
// since a smaller or larger step has another one. Of o a mean over steps counts, m <- (m + o)/2 by h^2: vibrations that
// change their sign from step to step would be fed otherwise.
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

  // The factorization is of the step of h that led to the present state; of no step any more. `held`: of this step
  // (LocalError::held), or empty.
  void step_accepted(double h, std::span<const Vec6> held);
  void factorization_lost() { factorized_ = false; }
  // The velocities of the present state were changed.
  void velocities_changed() { has_normal_ = false; }

  // The direction that apply() takes velocities along, by node: o, and T x for change = B (v - o) + Phi_t of `q`; made
  // while the factorization is at hand. Empty if it is not.
  // It is what a saved run has to write, since a loaded one has no factorization; and the mean of the offsets.
  std::span<const Vec6> normal(State& q);
  void set_normal(std::span<const Vec6> normal);
  std::span<const Vec6> mean() const { return mean_; }
  double step_of_mean() const { return step_of_mean_; }
  void set_mean(double h, std::span<const Vec6> mean) {
    step_of_mean_ = h;
    std::copy(mean.begin(), mean.end(), mean_.begin());
  }

 private:
  // Whether velocities have offsets that are known.
  bool has_offsets() const { return !mean_.empty(); }
  // Whether they miss constraints.
  bool has_constraint_offsets() const { return system_.rows() > 0 && !scheme_.meets_velocity_constraints(); }
  void make_normal(State& q);

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
  // Of o by h^2; empty where no step is estimated. offset_: o, then v - o
  std::vector<Vec6> mean_;
  // h of the last step in it, s: states that another step led to are of another motion
  double step_of_mean_ = 0;
  std::vector<Vec6> offset_;
  // Right-hand side: zero forces, B v + Phi_t
  assembly::Residual change_;
  model::VectorX phi_t_;
};

}  // namespace polhode::integrators
