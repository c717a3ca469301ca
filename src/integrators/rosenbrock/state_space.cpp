// SPDX-License-Identifier: BSD-3-Clause
// The chart: positions, velocities and accelerations that meet the constraints.
#include "polhode/integrators/rosenbrock/state_space.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "integrators/constraint_accuracy.hpp"
#include "polhode/math/chart.hpp"
#include "polhode/math/parallel.hpp"

namespace polhode::integrators {

using assembly::SparseMatrix;
using math::Chart;
using math::ChartPoint;

namespace {

constexpr double largest_turn = 3;  // rad; the chart ends at 2 pi

}  // namespace

StateSpace::StateSpace(const assembly::System& system, Coordinates coordinates)
    : system_(system),
      coordinates_(coordinates),
      n_(system.free_unknowns()),
      m_(system.rows()),
      origin_(system.initial_state()),
      stage_(origin_),
      theta_(system.nodes(), Vec6::Zero()),
      thetad_(theta_),
      change_(theta_),
      T_(system.nodes(), Mat3::Identity()),
      identity_(T_),
      H_(system.nodes(), Mat3::Zero()),
      D2_(H_),
      work3_(H_),
      matrix_(system.make_matrix()),
      at_origin_(matrix_),
      local_(matrix_),
      saddle_matrix_(matrix_),
      S_(system.nodes(), math::Mat6::Zero()),
      residual_(system.make_residual()),
      part_(residual_),
      Bv_(VectorX::Zero(m_)),
      phi_t_(Bv_),
      gamma_(Bv_),
      Bv1_(Bv_),
      phi_t1_(Bv_),
      gamma1_(Bv_),
      vector_(VectorX::Zero(system.size())),
      rows_vector_(Bv_),
      M_(matrix_),
      C_(matrix_),
      K_(matrix_),
      Z_(matrix_),
      A1_(matrix_),
      r_t_(VectorX::Zero(n_)),
      Phi_t_(Bv_),
      b_t_(Bv_),
      a_t_(Bv_),
      Md_(VectorX::Zero(n_)),
      product_(VectorX::Zero(std::max(n_, m_))) {
  find_places();
  find_colours();
  origin_solver_.emplace(at_origin_);
  local_solver_.emplace(local_);
  saddle_.emplace(saddle_matrix_);
}

int StateSpace::counted() const {
  if (coordinates_ != Coordinates::partition) return n_;
  return static_cast<int>(std::count(independent_.begin(), independent_.end(), 1));
}

void StateSpace::gather(const std::vector<Vec6>& nodal, VectorX& vector) const {
  for (std::size_t i = 1; i < nodal.size(); ++i) {
    const model::NodeUnknowns& u = system_.unknowns()[i];
    for (int k = 0; k < 6; ++k)
      if (u.local[k] >= 0) vector[u.first + u.local[k]] = nodal[i][k];
  }
}

// What depends on time explicitly is smooth up to the next breakpoint; beyond, by the parabola through three times
// before it.
template <class Function>
void StateSpace::at_time(State& q, const Function& f) {
  if (q.t <= limit_) return f(1.0, true);
  const double t = q.t;
  const double d = (limit_ - origin_.t) / 4;
  const double s = (t - limit_) / d;
  const std::array<double, 3> weights{(s + 1) * (s + 2) / 2, -s * (s + 2), s * (s + 1) / 2};
  for (std::size_t k = 0; k < 3; ++k) {
    q.t = limit_ - static_cast<double>(k) * d;
    f(weights[k], k == 0);
  }
  q.t = t;
}

void StateSpace::set_phi(State& q) {
  at_time(q, [&](double weight, bool first) {
    system_.set_residual(q, part_, {false, false, true});
    if (first) {
      residual_.phi = weight * part_.phi;
    } else {
      residual_.phi += weight * part_.phi;
    }
  });
}

void StateSpace::set_forces(State& q) {
  at_time(q, [&](double weight, bool first) {
    system_.set_residual(q, part_, {true, true, false});
    for (std::size_t i = 0; i < part_.force.size(); ++i)
      residual_.force[i] = first ? Vec6(weight * part_.force[i]) : Vec6(residual_.force[i] + weight * part_.force[i]);
  });
}

void StateSpace::set_rates(State& q) {
  at_time(q, [&](double weight, bool first) {
    system_.set_rates(q, Bv1_, phi_t1_, gamma1_);
    if (first) {
      Bv_.setZero();
      phi_t_.setZero();
      gamma_.setZero();
    }
    Bv_ += weight * Bv1_;
    phi_t_ += weight * phi_t1_;
    gamma_ += weight * gamma1_;
  });
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

// [I S B_n^T; B T 0] [change; s] = [0; -violation]
void StateSpace::correct(assembly::LinearSolver& solver, const VectorX& violation, std::vector<Vec6>& change) {
  vector_.head(n_).setZero();
  vector_.tail(m_) = -violation;
  system_.clear_dropped(origin_.dropped, vector_);
  solver.solve(vector_);
  system_.scatter(vector_, change);
}

bool StateSpace::meet_positions(double t) {
  bool local = false;
  double before = HUGE_VAL;
  for (int iteration = 0; iteration < 30; ++iteration) {
    if (!place(t)) return false;
    if (m_ == 0) return true;
    set_phi(stage_);
    violation_ = largest_violation(system_, residual_.phi, kept_);
    if (violation_ <= exact_violation) return true;
    if (!std::isfinite(violation_)) return false;
    const bool slow = violation_ > 0.1 * before;
    if (slow && local && violation_ <= acceptable_violation) return true;
    if (slow) {
      for (std::size_t i = 0; i < T_.size(); ++i) T_[i] = math::so3::tangent(theta_[i].tail<3>());
      if (!factorize_at(stage_, T_, false)) return false;
      local = true;
    }
    before = violation_;
    correct(local ? *local_solver_ : *origin_solver_, residual_.phi, change_);
    for (std::size_t i = 0; i < theta_.size(); ++i) theta_[i] += change_[i];
  }
  return false;
}

bool StateSpace::factorize_at(const State& q, std::span<const Mat3> T, bool at_origin) {
  system_.set_matrix(q, {.m = 1, .b = 1, .rot_m = {}, .rot_b = T}, 1, matrix_);
  set_projection(matrix_, at_origin ? at_origin_ : local_);
  return (at_origin ? *origin_solver_ : *local_solver_).factorize();
}

bool StateSpace::evaluate(const VectorX& z, const VectorX& zd, double t, VectorX& F) {
  ++evaluations_;
  system_.scatter(z, theta_);
  system_.scatter(zd, thetad_);
  if (!meet_positions(t)) return false;
  for (std::size_t i = 0; i < T_.size(); ++i) T_[i] = math::so3::tangent(theta_[i].tail<3>());
  if (!factorize_at(stage_, T_, false)) return false;
  const auto set_velocities = [&] {
    for (std::size_t i = 0; i < T_.size(); ++i) {
      stage_.v[i].head<3>() = thetad_[i].head<3>();
      stage_.v[i].tail<3>() = T_[i] * thetad_[i].tail<3>();
    }
  };
  set_velocities();
  for (int pass = 0; pass < 3 && m_ > 0; ++pass) {  // the second takes away rounding errors
    set_rates(stage_);
    rows_vector_ = Bv_ + phi_t_;
    if (pass == 2 || (pass == 1 && largest_violation(system_, rows_vector_, kept_) <= exact_violation)) break;
    correct(*local_solver_, rows_vector_, change_);
    for (std::size_t i = 0; i < thetad_.size(); ++i) thetad_[i] += change_[i];
    set_velocities();
  }
  set_saddle(matrix_);
  if (!saddle_->factorize()) return false;
  accelerate();
  for (std::size_t i = 0; i < T_.size(); ++i) {
    const ChartPoint point(Chart::rotation_vector, theta_[i].tail<3>());
    change_[i].head<3>() = stage_.vdot[i].head<3>();
    change_[i].tail<3>() = math::so3::tangent_inverse(theta_[i].tail<3>()) *
                           (stage_.vdot[i].tail<3>() - point.convective(thetad_[i].tail<3>()));
  }
  gather(change_, F);
  return F.allFinite();
}

// [M B^T; B 0] [vdot; lambda] = [-g; -Gamma] at stage_, with the factorization and the rates at hand.
void StateSpace::accelerate() {
  std::fill(stage_.vdot.begin(), stage_.vdot.end(), Vec6::Zero());
  stage_.lambda.setZero();
  set_forces(stage_);
  residual_.phi = gamma_;
  system_.gather(residual_, origin_.dropped, -1, vector_);
  vector_.tail(m_) *= -1;
  saddle_->solve(vector_);
  system_.scatter(vector_, stage_.vdot);
  stage_.lambda = vector_.tail(m_);
}

double StateSpace::power() {
  double sum = 0;
  at_time(stage_, [&](double weight, bool) { sum += weight * system_.power(stage_); });
  return sum;
}

double StateSpace::velocity_violation() {
  if (m_ == 0) return 0;
  set_rates(stage_);
  rows_vector_ = Bv_ + phi_t_;
  return largest_violation(system_, rows_vector_, kept_);
}

bool StateSpace::make_consistent(State& q, double t) {
  const double limit = limit_;
  limit_ = HUGE_VAL;
  const double before = q.t;
  q.t = t;
  bool good = begin(q, 0);
  if (good) {
    for (Vec6& v : theta_) v.setZero();
    VectorX z = VectorX::Zero(n_);
    VectorX zd(n_);
    VectorX F(n_);
    gather(q.v, zd);
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
  limit_ = limit;
  return good;
}

bool StateSpace::begin(const State& q, double h) {
  origin_ = q;
  stage_.history = q.history;
  stage_.dropped = q.dropped;
  stage_.load_factor = q.load_factor;
  kept_.assign(static_cast<std::size_t>(m_), 1);
  for (const int row : q.dropped.rows) kept_[row] = 0;
  if (revision_ != q.dropped.revision) independent_.clear();
  revision_ = q.dropped.revision;
  if (coordinates_ == Coordinates::partition) {
    if (independent_.empty()) choose_partition(q);
  } else {
    set_weights(q, h);
  }
  system_.set_matrix(q, {.b = 1}, 0, at_origin_);
  set_lift(at_origin_);
  if (!factorize_at(q, identity_, true)) return false;
  if (coordinates_ == Coordinates::partition && m_ > 0) {
    // Another choice when dependent unknowns answer four times as much as when they were chosen.
    const double now = amplification();
    if (amplification_ == 0) {
      amplification_ = std::max(now, 1.0);
    } else if (!(now < 4 * amplification_)) {
      independent_.clear();
      return begin(q, h);
    }
  }
  return true;
}

// Largest component of B_D^-1 B_I e, e of ones with alternating signs.
double StateSpace::amplification() {
  for (int i = 0; i < n_; ++i) vector_[i] = independent_[i] ? (i % 2 == 0 ? 1 : -1) : 0;
  system_.scatter(vector_, thetad_);
  std::swap(origin_.v, thetad_);
  system_.set_rates(origin_, Bv1_, phi_t1_, gamma1_);
  std::swap(origin_.v, thetad_);
  correct(*origin_solver_, Bv1_, change_);
  double most = 0;
  for (const Vec6& change : change_) most = std::max(most, change.lpNorm<Eigen::Infinity>());
  return most;
}

void StateSpace::represent(VectorX& e) {
  if (coordinates_ == Coordinates::partition) {
    for (int i = 0; i < n_; ++i)
      if (!independent_[i]) e[i] = 0;
    return;
  }
  if (m_ == 0) return;
  system_.scatter(e, thetad_);
  std::swap(origin_.v, thetad_);
  system_.set_rates(origin_, Bv1_, phi_t1_, gamma1_);
  std::swap(origin_.v, thetad_);
  correct(*origin_solver_, Bv1_, change_);
  for (std::size_t i = 0; i < change_.size(); ++i) change_[i] += thetad_[i];
  gather(change_, e);
}

}  // namespace polhode::integrators
