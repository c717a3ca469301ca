// SPDX-License-Identifier: BSD-3-Clause
// Newton's iteration along the lift, with the matrix of the origin as long as it converges fast.
#include "polhode/integrators/rosenbrock/stage_constraints.hpp"

#include <cmath>

#include "integrators/constraint_accuracy.hpp"

namespace polhode::integrators {

StageConstraints::StageConstraints(const assembly::System& system, LiftedMatrix& lifted, ExtrapolatedLoads& loads,
                                   StateChart& chart, OriginProjection& origin)
    : system_(system),
      lifted_(lifted),
      loads_(loads),
      chart_(chart),
      origin_(origin),
      projection_(system, lifted.places, lifted.lift, lifted.matrix),
      change_(system.nodes(), Vec6::Zero()),
      rates_(VectorX::Zero(system.rows())) {}

// By the mass of the model, so that pivots do not depend on the unit of mass.
void StageConstraints::set_matrix() {
  system_.set_matrix(chart_.stage(), {.m = 1, .b = 1, .rot_m = {}, .rot_b = chart_.T()}, 1 / lifted_.lift.mass(),
                     lifted_.matrix);
}

// Of change_, by node; the lift is that of the origin, B that of the stage.
bool StageConstraints::factorize_and_correct(const VectorX& violation) {
  chart_.set_T();
  set_matrix();
  return projection_.factorize_and_correct(lifted_.matrix, violation, change_);
}

bool StageConstraints::meet_positions(double t) {
  const PositionAccuracy accuracy = position_accuracy(system_, chart_.origin());
  bool local = false;
  double before = HUGE_VAL;
  for (int iteration = 0; iteration < 30; ++iteration) {
    if (!chart_.place(t)) return false;
    if (lifted_.places.equations == 0) return true;
    loads_.set_phi(chart_.stage());
    const VectorX& phi = loads_.residual().phi;
    violation_ = largest_violation(system_, phi, lifted_.lift.kept());
    if (violation_ <= accuracy.exact) return true;
    if (!std::isfinite(violation_)) return false;
    const bool slow = violation_ > 0.1 * before;
    if (slow && local && violation_ <= accuracy.acceptable) return true;
    before = violation_;
    if (slow) {
      if (!factorize_and_correct(phi)) return false;
      local = true;
    } else if (local) {
      projection_.correct(phi, change_);
    } else {
      origin_.correct(phi, change_);
    }
    for (std::size_t i = 0; i < change_.size(); ++i) chart_.theta()[i] += change_[i];
  }
  return false;
}

// The second pass takes away rounding errors. Leaves the rates at the velocities that come out; those that are sure to
// be corrected need no Gamma.
bool StageConstraints::meet_velocities() {
  chart_.set_T();
  chart_.set_velocities();
  if (lifted_.places.equations == 0) set_matrix();
  for (int pass = 0; pass < 3 && lifted_.places.equations > 0; ++pass) {
    if (pass == 0)
      loads_.set_velocity_rates(chart_.stage());
    else
      loads_.set_rates(chart_.stage());
    rates_ = loads_.Bv() + loads_.phi_t();
    if (pass == 2 || (pass == 1 && largest_violation(system_, rates_, lifted_.lift.kept()) <= exact_violation)) break;
    if (pass > 0)
      projection_.correct(rates_, change_);
    else if (!factorize_and_correct(rates_))
      return false;
    for (std::size_t i = 0; i < change_.size(); ++i) chart_.thetad()[i] += change_[i];
    chart_.set_velocities();
  }
  return true;
}

}  // namespace polhode::integrators
