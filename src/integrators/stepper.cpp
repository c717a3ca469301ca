// SPDX-License-Identifier: BSD-3-Clause
// Steps with repetition by halves, re-basing of the state where the step size changes, perturbed start, projection.
#include "polhode/integrators/stepper.hpp"

#include <algorithm>
#include <cmath>

namespace polhode::integrators {

Stepper::Stepper(const assembly::System& system, const IntegratorSettings& integrator, const NewtonSettings& newton)
    : system_(system),
      settings_(newton),
      parameters_(AlphaParameters::of(integrator)),
      Bv_(system.rows()),
      phi_t_(system.rows()),
      gamma_(system.rows()),
      rhs_(system.size()),
      dv_(system.nodes(), Vec6::Zero()) {
  if (integrator.keeps_structure()) {
    structure_.emplace(system, integrator, newton);
    if (integrator.method == "variational") settings_.halvings = 0;  // another step would be another method
  } else {
    scheme_ = make_scheme(integrator, system.nodes());
    newton_.emplace(system, newton, integrator);
  }
  reports_.reserve(std::size_t{1} << newton.halvings);
}

bool Stepper::advance(State& q, double h, double t_next) {
  wasted_ = 0;
  work_ = 0;
  projected_ = factorized_ = has_normal_ = false;
  if (next_.x.size() != q.x.size()) next_ = q;
  const bool same_step = structure_ || q.last_step == 0 || std::abs(h / q.last_step - 1) < 1e-9;
  if (same_step) {  // the common case: no copy of the state
    next_.memory.resize(q.memory.size());
    reports_.assign(1, one_step(q, next_, h, t_next));
    if (reports_.back().succeeded()) {
      std::swap(q, next_);
      previous_ = &next_;
      return true;
    }
    wasted_ += reports_.back().iterations;
  }
  const double t = q.t;
  for (int level = same_step ? 1 : 0; level <= settings_.halvings; ++level) {
    const int parts = 1 << level;
    const double part = h / parts;
    trial_ = q;
    work_ = 0;
    reports_.clear();
    for (int i = 1; i <= parts; ++i) {
      rebase(trial_, part);
      next_.memory.resize(q.memory.size());
      reports_.push_back(one_step(trial_, next_, part, i == parts ? t_next : t + i * part));
      if (!reports_.back().succeeded()) break;
      std::swap(trial_, next_);
    }
    if (reports_.back().succeeded()) {
      std::swap(q, trial_);
      previous_ = &trial_;
      return true;
    }
    for (const StepReport& report : reports_) wasted_ += report.iterations;
  }
  reports_.assign(1, StepReport(reports_.back()));
  return false;
}

bool Stepper::attempt(const State& q, double h, double t_next) {
  if (next_.x.size() != q.x.size()) next_ = q;
  if (accepted_) wasted_ = rejected_for_error_ = rejected_by_newton_ = 0;
  accepted_ = false;
  next_.memory.resize(q.memory.size());
  origin_ = &q;
  if (q.last_step > 0 && std::abs(h / q.last_step - 1) >= 1e-9) {
    trial_ = q;
    rebase(trial_, h);
    origin_ = &trial_;
  }
  projected_ = factorized_ = false;
  reports_.assign(1, one_step(*origin_, next_, h, t_next));
  if (reports_.back().succeeded()) return true;
  wasted_ += reports_.back().iterations;
  ++rejected_by_newton_;
  return false;
}

double Stepper::local_error() {
  if (!local_error_) local_error_.emplace(system_, parameters_);
  return local_error_->estimate(*origin_, next_, *scheme_, newton_->equations());
}

void Stepper::accept(State& q, double error) {
  StepReport& report = reports_.back();
  report.error = error;
  report.rejected_for_error = rejected_for_error_;
  report.rejected_by_newton = rejected_by_newton_;
  std::swap(q, next_);
  previous_ = &next_;
  factorized_ = accepted_ = true;
  has_normal_ = false;
}

void Stepper::reject(double error) {
  StepReport& report = reports_.back();
  report.error = error;
  report.outcome = Outcome::inaccurate;
  report.worst = local_error_->worst_rows(5);
  wasted_ += report.iterations;
  ++rejected_for_error_;
}

void Stepper::rebase(State& q, double h) {
  if (q.last_step == 0 || structure_) return;
  const double r = std::min(h / q.last_step, 4.0);
  if (std::abs(r - 1) < 1e-9) return;
  for (std::size_t i = 0; i < q.vdot.size(); ++i) q.memory[i] = q.vdot[i] + r * (q.memory[i] - q.vdot[i]);
  if (system_.rows() == 0 || scheme_->meets_velocity_constraints()) return;
  if (factorized_ || has_normal_) return rebase_by_last_step(q, r);
  system_.set_rates(q, Bv_, phi_t_, gamma_);
  Bv_ = (r * r - 1) * (Bv_ + phi_t_);
  move_velocities(q, Bv_);
}

void Stepper::rebase_by_last_step(State& q, double r) {
  if (!has_normal_) {
    if (normal_.empty()) {
      normal_ = dv_;
      change_ = system_.make_residual();
    }
    system_.set_rates(q, change_.phi, phi_t_, gamma_);
    change_.phi += phi_t_;
    newton_->equations().solve_again(change_, phi_t_, normal_);
    const model::Factors factors = scheme_->factors();
    for (std::size_t i = 0; i < normal_.size(); ++i)
      normal_[i].tail<3>() = factors.rot_b[i] * Vec3(normal_[i].tail<3>());
    has_normal_ = true;
  }
  for (std::size_t i = 0; i < q.v.size(); ++i) q.v[i] += (r * r - 1) * normal_[i];
}

bool Stepper::project_velocities(State& q) {
  if (system_.rows() == 0) return true;
  has_normal_ = false;
  system_.set_rates(q, Bv_, phi_t_, gamma_);
  Bv_ = -(Bv_ + phi_t_);
  projected_ = true;
  return move_velocities(q, Bv_);
}

bool Stepper::start_perturbed(State& q, double h, std::span<const Vec6> vddot) {
  start(q);
  State missed = q;
  const std::size_t n = q.v.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Scheme::Carried carried = scheme_->carried(q.v[i], q.vdot[i], vddot[i]);
    q.memory[i] += h * carried.a;
    q.memory[n + i] = q.vdot[i] - h * vddot[i];  // vdot before the start, for the predictor
    missed.v[i] = h * h * carried.v;
  }
  q.last_step = h;
  if (system_.rows() == 0 || scheme_->meets_velocity_constraints()) return true;
  system_.set_rates(missed, Bv_, phi_t_, gamma_);
  return move_velocities(q, Bv_);
}

bool Stepper::start_corrected(State& q, double h, std::span<const Vec6> vddot) {
  if (system_.rows() > 0) {
    State carried = q;
    for (std::size_t i = 1; i < q.v.size(); ++i) carried.v[i] = h * h * structure_->carried_velocity(i, q, vddot[i]);
    system_.set_rates(carried, Bv_, phi_t_, gamma_);
    if (!move_velocities(q, Bv_)) return false;
  }
  start(q);
  return true;
}

bool Stepper::move_velocities(State& q, const model::VectorX& change) {
  if (!saddle_) saddle_.emplace(system_);
  if (!saddle_->factorize(q)) return false;
  rhs_.head(system_.free_unknowns()).setZero();
  rhs_.tail(system_.rows()) = change;
  system_.clear_left_out(rhs_);
  saddle_->solve(rhs_);
  system_.scatter(rhs_, dv_);
  for (std::size_t i = 0; i < q.v.size(); ++i) q.v[i] += dv_[i];
  return true;
}

}  // namespace polhode::integrators
