// SPDX-License-Identifier: BSD-3-Clause
// Positions, velocities and accelerations in a chart that meet the constraints.
#include "polhode/integrators/rosenbrock/state_space.hpp"

#include <algorithm>
#include <cmath>

#include "integrators/constraint_accuracy.hpp"
#include "integrators/nodal.hpp"

namespace polhode::integrators {

StateSpace::StateSpace(const assembly::System& system, Coordinates coordinates)
    : system_(system),
      matrix_(system.make_matrix()),
      places_(system, matrix_),
      lift_(system, places_, coordinates),
      loads_(system),
      at_origin_(system, places_, lift_, matrix_),
      at_stage_(system, places_, lift_, matrix_),
      accelerations_(system, places_, lift_, matrix_),
      chart_(system),
      change_(system.nodes(), Vec6::Zero()),
      probe_(VectorX::Zero(system.free_unknowns())),
      rates_(VectorX::Zero(system.rows())) {}

bool StateSpace::begin(const State& q, double h) {
  chart_.begin(q);
  loads_.set_begin(q.t);
  lift_.update(q, h);
  matrix_.values = lift_.matrix().values;
  if (!at_origin_.factorize(matrix_)) return false;
  if (!lift_.has_partition() || places_.equations == 0 || lift_.partition_holds(amplification())) return true;
  return begin(q, h);
}

bool StateSpace::make_consistent(State& q, double t) {
  const double limit = loads_.limit();
  loads_.set_limit(HUGE_VAL);
  const double before = q.t;
  q.t = t;
  bool good = begin(q, 0);
  if (good) {
    VectorX z = VectorX::Zero(places_.unknowns);
    VectorX zd(places_.unknowns);
    VectorX F(places_.unknowns);
    gather(system_, q.v, zd);
    good = evaluate(z, zd, t, F);
  }
  if (good) take_motion(q, chart_.stage());
  q.t = before;
  loads_.set_limit(limit);
  return good;
}

bool StateSpace::factorize(ConstraintProjection& projection, const State& q) {
  system_.set_matrix(q, {.m = 1, .b = 1, .rot_m = {}, .rot_b = chart_.T()}, 1, matrix_);
  return projection.factorize(matrix_);
}

bool StateSpace::meet_positions(double t) {
  const PositionAccuracy accuracy = position_accuracy(system_, chart_.origin());
  bool local = false;
  double before = HUGE_VAL;
  for (int iteration = 0; iteration < 30; ++iteration) {
    if (!chart_.place(t)) return false;
    if (places_.equations == 0) return true;
    loads_.set_phi(chart_.stage());
    violation_ = largest_violation(system_, loads_.residual().phi, lift_.kept());
    if (violation_ <= accuracy.exact) return true;
    if (!std::isfinite(violation_)) return false;
    const bool slow = violation_ > 0.1 * before;
    if (slow && local && violation_ <= accuracy.acceptable) return true;
    if (slow) {
      chart_.set_T();
      if (!factorize(at_stage_, chart_.stage())) return false;
      local = true;
    }
    before = violation_;
    (local ? at_stage_ : at_origin_).correct(loads_.residual().phi, change_);
    for (std::size_t i = 0; i < change_.size(); ++i) chart_.theta()[i] += change_[i];
  }
  return false;
}

// The second pass takes away rounding errors. Leaves the rates at the velocities that come out.
void StateSpace::meet_velocities() {
  chart_.set_velocities();
  for (int pass = 0; pass < 3 && places_.equations > 0; ++pass) {
    loads_.set_rates(chart_.stage());
    rates_ = loads_.Bv() + loads_.phi_t();
    if (pass == 2 || (pass == 1 && largest_violation(system_, rates_, lift_.kept()) <= exact_violation)) return;
    at_stage_.correct(rates_, change_);
    for (std::size_t i = 0; i < change_.size(); ++i) chart_.thetad()[i] += change_[i];
    chart_.set_velocities();
  }
}

bool StateSpace::evaluate(const VectorX& z, const VectorX& zd, double t, VectorX& F) {
  system_.scatter(z, chart_.theta());
  system_.scatter(zd, chart_.thetad());
  if (!meet_positions(t)) return false;
  State& stage = chart_.stage();
  chart_.set_T();
  if (!factorize(at_stage_, stage)) return false;
  meet_velocities();
  if (!accelerations_.factorize(matrix_)) return false;
  std::fill(stage.vdot.begin(), stage.vdot.end(), Vec6(Vec6::Zero()));
  stage.lambda.setZero();
  loads_.set_forces(stage);
  accelerations_.accelerate(loads_.residual(), loads_.gamma(), stage);
  chart_.set_thetadd(change_);
  gather(system_, change_, F);
  return F.allFinite();
}

void StateSpace::correct_at_origin() {
  State& origin = chart_.origin();
  origin.v.swap(chart_.thetad());
  const VectorX& Bv = loads_.product(origin);
  origin.v.swap(chart_.thetad());
  at_origin_.correct(Bv, change_);
}

// Largest component of B_D^-1 B_I e, e of ones with alternating signs; lengths by that of the model.
double StateSpace::amplification() {
  for (int i = 0; i < places_.unknowns; ++i) probe_[i] = lift_.is_independent(i) ? (i % 2 == 0 ? 1 : -1) : 0;
  system_.scatter(probe_, chart_.thetad());
  for (Vec6& e : chart_.thetad()) e.head<3>() *= system_.length();
  correct_at_origin();
  return size_of(change_, system_.length());
}

void StateSpace::represent(VectorX& e) {
  if (lift_.has_partition()) {
    for (int i = 0; i < places_.unknowns; ++i)
      if (!lift_.is_independent(i)) e[i] = 0;
    return;
  }
  if (places_.equations == 0) return;
  system_.scatter(e, chart_.thetad());
  correct_at_origin();
  for (std::size_t i = 0; i < change_.size(); ++i) change_[i] += chart_.thetad()[i];
  gather(system_, change_, e);
}

}  // namespace polhode::integrators
