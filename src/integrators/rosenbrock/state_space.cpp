// SPDX-License-Identifier: BSD-3-Clause
// The chart: positions, velocities and accelerations that meet the constraints.
#include "polhode/integrators/rosenbrock/state_space.hpp"

#include <algorithm>
#include <cmath>

#include "integrators/constraint_accuracy.hpp"
#include "integrators/nodal.hpp"
#include "polhode/math/chart.hpp"

namespace polhode::integrators {

using math::Chart;
using math::ChartPoint;

namespace {

constexpr double largest_turn = 3;  // rad; the chart ends at 2 pi

}  // namespace

StateSpace::StateSpace(const assembly::System& system, Coordinates coordinates)
    : system_(system),
      matrix_(system.make_matrix()),
      places_(system, matrix_),
      lift_(system, places_, coordinates),
      loads_(system),
      at_origin_(system, places_, lift_, matrix_),
      at_stage_(system, places_, lift_, matrix_),
      accelerations_(system, places_, lift_, matrix_),
      linearization_(system, places_),
      stage_system_(places_, lift_, linearization_.tangents(), matrix_),
      origin_(system.initial_state()),
      stage_(origin_),
      theta_(system.nodes(), Vec6::Zero()),
      thetad_(theta_),
      change_(theta_),
      T_(system.nodes(), Mat3::Identity()),
      vector_(VectorX::Zero(system.size())),
      rates_(VectorX::Zero(system.rows())) {}

bool StateSpace::begin(const State& q, double h) {
  origin_ = q;
  stage_.history = q.history;
  stage_.dropped = q.dropped;
  stage_.load_factor = q.load_factor;
  loads_.set_begin(q.t);
  lift_.update(q, h);
  std::fill(T_.begin(), T_.end(), Mat3(Mat3::Identity()));
  if (!factorize(at_origin_, q)) return false;
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
    for (Vec6& v : theta_) v.setZero();
    VectorX z = VectorX::Zero(places_.unknowns);
    VectorX zd(places_.unknowns);
    VectorX F(places_.unknowns);
    gather(system_, q.v, zd);
    good = evaluate(z, zd, t, F);
  }
  if (good) {
    q.x = stage_.x;
    q.quat = stage_.quat;
    q.R = stage_.R;
    q.v = stage_.v;
    q.vdot = stage_.vdot;
    q.lambda = stage_.lambda;
  }
  q.t = before;
  loads_.set_limit(limit);
  return good;
}

bool StateSpace::factorize(ConstraintProjection& projection, const State& q) {
  system_.set_matrix(q, {.m = 1, .b = 1, .rot_m = {}, .rot_b = T_}, 1, matrix_);
  return projection.factorize(matrix_);
}

void StateSpace::set_tangent_operators() {
  for (std::size_t i = 0; i < T_.size(); ++i) T_[i] = math::so3::tangent(theta_[i].tail<3>());
}

bool StateSpace::place(double t) {
  stage_.t = t;
  double turn = 0;
  for (std::size_t i = 0; i < theta_.size(); ++i) {
    const Vec3 psi = theta_[i].tail<3>();
    turn = std::max(turn, psi.squaredNorm());
    stage_.x[i] = origin_.x[i] + theta_[i].head<3>();
    if (psi.isZero(0)) {
      stage_.quat[i] = origin_.quat[i];
      stage_.R[i] = origin_.R[i];
    } else {
      stage_.set_rotation(i, (origin_.quat[i] * math::so3::exp_quaternion(psi)).normalized());
    }
  }
  return turn < largest_turn * largest_turn;
}

bool StateSpace::meet_positions(double t) {
  const PositionAccuracy accuracy = position_accuracy(system_, origin_);
  bool local = false;
  double before = HUGE_VAL;
  for (int iteration = 0; iteration < 30; ++iteration) {
    if (!place(t)) return false;
    if (places_.equations == 0) return true;
    loads_.set_phi(stage_);
    violation_ = largest_violation(system_, loads_.residual().phi, lift_.kept());
    if (violation_ <= accuracy.exact) return true;
    if (!std::isfinite(violation_)) return false;
    const bool slow = violation_ > 0.1 * before;
    if (slow && local && violation_ <= accuracy.acceptable) return true;
    if (slow) {
      set_tangent_operators();
      if (!factorize(at_stage_, stage_)) return false;
      local = true;
    }
    before = violation_;
    (local ? at_stage_ : at_origin_).correct(loads_.residual().phi, change_);
    for (std::size_t i = 0; i < theta_.size(); ++i) theta_[i] += change_[i];
  }
  return false;
}

void StateSpace::set_velocities() {
  for (std::size_t i = 0; i < T_.size(); ++i) {
    stage_.v[i].head<3>() = thetad_[i].head<3>();
    stage_.v[i].tail<3>() = T_[i] * thetad_[i].tail<3>();
  }
}

// The second pass takes away rounding errors. Leaves the rates at the velocities that come out.
void StateSpace::meet_velocities() {
  set_velocities();
  for (int pass = 0; pass < 3 && places_.equations > 0; ++pass) {
    loads_.set_rates(stage_);
    rates_ = loads_.Bv() + loads_.phi_t();
    if (pass == 2 || (pass == 1 && largest_violation(system_, rates_, lift_.kept()) <= exact_violation)) return;
    at_stage_.correct(rates_, change_);
    for (std::size_t i = 0; i < thetad_.size(); ++i) thetad_[i] += change_[i];
    set_velocities();
  }
}

bool StateSpace::evaluate(const VectorX& z, const VectorX& zd, double t, VectorX& F) {
  system_.scatter(z, theta_);
  system_.scatter(zd, thetad_);
  if (!meet_positions(t)) return false;
  set_tangent_operators();
  if (!factorize(at_stage_, stage_)) return false;
  meet_velocities();
  if (!accelerations_.factorize(matrix_)) return false;
  std::fill(stage_.vdot.begin(), stage_.vdot.end(), Vec6(Vec6::Zero()));
  stage_.lambda.setZero();
  loads_.set_forces(stage_);
  accelerations_.accelerate(loads_.residual(), loads_.gamma(), stage_);
  for (std::size_t i = 0; i < T_.size(); ++i) {
    const ChartPoint point(Chart::rotation_vector, theta_[i].tail<3>());
    change_[i].head<3>() = stage_.vdot[i].head<3>();
    change_[i].tail<3>() = math::so3::tangent_inverse(theta_[i].tail<3>()) *
                           (stage_.vdot[i].tail<3>() - point.convective(thetad_[i].tail<3>()));
  }
  gather(system_, change_, F);
  return F.allFinite();
}

double StateSpace::velocity_violation() {
  if (places_.equations == 0) return 0;
  loads_.set_rates(stage_);
  rates_ = loads_.Bv() + loads_.phi_t();
  return largest_violation(system_, rates_, lift_.kept());
}

void StateSpace::correct_at_origin() {
  std::swap(origin_.v, thetad_);
  const VectorX& Bv = loads_.product(origin_);
  std::swap(origin_.v, thetad_);
  at_origin_.correct(Bv, change_);
}

// Largest component of B_D^-1 B_I e, e of ones with alternating signs; lengths by that of the model.
double StateSpace::amplification() {
  for (int i = 0; i < places_.unknowns; ++i) vector_[i] = lift_.is_independent(i) ? (i % 2 == 0 ? 1 : -1) : 0;
  system_.scatter(vector_, thetad_);
  for (Vec6& e : thetad_) e.head<3>() *= system_.length();
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
  system_.scatter(e, thetad_);
  correct_at_origin();
  for (std::size_t i = 0; i < change_.size(); ++i) change_[i] += thetad_[i];
  gather(system_, change_, e);
}

// Of positions, velocities and multipliers as the descriptor has them, which meet the constraints to first order. By
// differences to one side, as loads and drives may have a kink at the origin: D = (-3 f(0) + 4 f(e) - f(2 e)) / (2 e).
double StateSpace::power_change(const VectorX& u, double dt, double origin_power) {
  const double s = stage_system_.s();
  const int n = places_.unknowns;
  const bool constrained = places_.equations > 0;
  const double side = dt < 0 ? -1 : 1;
  vector_.head(n) = u;
  if (constrained) vector_.head(n) += stage_system_.w() / s;
  system_.scatter(stage_system_.solution(), theta_);
  system_.scatter(vector_, thetad_);
  // of the largest change, which is to be 1e-4
  const double length = system_.length();
  const double speed = std::max(1.0, size_of(origin_.v, length));
  const double way = std::max({1e-3, size_of(theta_, length), size_of(thetad_, length) / speed});
  const double e = std::min(1e-3, 1e-4 / way);
  double sum = -3 * origin_power;
  for (const int k : {1, 2}) {
    const double part = side * k * e;
    for (std::size_t i = 0; i < theta_.size(); ++i) {
      const Vec3 psi = part * theta_[i].tail<3>();
      stage_.x[i] = origin_.x[i] + part * theta_[i].head<3>();
      stage_.set_rotation(i, origin_.quat[i] * math::so3::exp_quaternion(psi));
      stage_.v[i] = origin_.v[i] + part * thetad_[i];
      stage_.v[i].tail<3>() -= psi.cross(Vec3(stage_.v[i].tail<3>())) / 2;  // T(psi) to first order
    }
    if (constrained) stage_.lambda = origin_.lambda + part / (s * s) * stage_system_.nu();
    stage_.t = origin_.t + k * e * std::abs(dt);
    sum += (k == 1 ? 4 : -1) * system_.power(stage_);
  }
  return side * sum / (2 * e);
}

}  // namespace polhode::integrators
