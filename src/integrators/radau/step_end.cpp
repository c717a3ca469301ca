// SPDX-License-Identifier: BSD-3-Clause
// Velocities, accelerations and multipliers at the end of a Radau step.
#include "polhode/integrators/radau/step_end.hpp"

#include "integrators/nodal.hpp"

namespace polhode::integrators {

RadauEnd::RadauEnd(const assembly::System& system)
    : system_(system),
      saddle_(system),
      Bv_(model::VectorX::Zero(system.rows())),
      phi_t_(Bv_),
      gamma_(Bv_),
      vector_(model::VectorX::Zero(system.size())),
      dv_(system.nodes(), model::Vec6::Zero()),
      residual_(system.make_residual()),
      before_(residual_) {}

// The least change in the norm of M.
void RadauEnd::project(model::State& q) {
  if (system_.rows() == 0) return;
  system_.set_velocity_rates(q, Bv_, phi_t_);
  vector_.head(system_.free_unknowns()).setZero();
  vector_.tail(system_.rows()) = -(Bv_ + phi_t_);
  system_.clear_dropped(q.dropped, vector_);
  saddle_.solve(vector_);
  system_.scatter(vector_, dv_);
  for (std::size_t i = 0; i < q.v.size(); ++i) q.v[i] += dv_[i];
}

bool RadauEnd::project_velocities(model::State& q) {
  if (!saddle_.factorize(q)) return false;
  factorized_ = true;
  project(q);
  return true;
}

bool RadauEnd::project_positions(model::State& q) {
  constexpr int most = 5;
  constexpr double last_bits = 1e-14;
  constexpr double accuracy = 1e-10;
  if (system_.rows() == 0) return true;
  for (int n = 0; n < most; ++n) {
    system_.set_residual(q, residual_, {false, false, true});
    vector_.head(system_.free_unknowns()).setZero();
    vector_.tail(system_.rows()) = -residual_.phi;
    system_.clear_dropped(q.dropped, vector_);
    if (!vector_.allFinite()) return false;
    if (vector_.lpNorm<Eigen::Infinity>() <= last_bits * system_.length()) return true;
    if (!saddle_.factorize(q)) return false;
    saddle_.solve(vector_);
    system_.scatter(vector_, dv_);
    for (std::size_t i = 0; i < q.x.size(); ++i) {
      q.x[i] += dv_[i].head<3>();
      const math::Vec3 turn = dv_[i].tail<3>();
      q.set_rotation(i, (q.quat[i] * math::so3::exp_quaternion(turn)).normalized());
    }
    if (size_of(dv_, system_.length()) <= last_bits) return true;
  }
  return size_of(dv_, system_.length()) <= accuracy;
}

// B vdot by the rates of the same state with vdot for its velocities.
bool RadauEnd::finish(model::State& q) {
  if (system_.rows() == 0) return true;
  system_.set_residual(q, before_);
  if (!project_velocities(q)) return false;
  system_.set_residual(q, residual_);
  for (std::size_t i = 0; i < q.v.size(); ++i) residual_.force[i] -= before_.force[i];
  system_.set_rates(q, Bv_, phi_t_, gamma_);
  std::swap(q.v, q.vdot);
  system_.set_velocity_rates(q, Bv_, phi_t_);
  std::swap(q.v, q.vdot);
  residual_.phi = Bv_ + gamma_;
  system_.gather(residual_, q.dropped, 1, vector_);
  vector_ *= -1;
  saddle_.solve(vector_);
  system_.scatter(vector_, dv_);
  for (std::size_t i = 0; i < q.v.size(); ++i) q.vdot[i] += dv_[i];
  q.lambda += vector_.tail(system_.rows());
  return vector_.allFinite();
}

bool RadauEnd::make_consistent(model::State& q) {
  if (!project_velocities(q)) return false;
  return accelerate(q);
}

bool RadauEnd::set_dynamics(model::State& q) { return saddle_.factorize(q) && accelerate(q); }

bool RadauEnd::accelerate(model::State& q) {
  if (system_.rows() > 0) system_.set_rates(q, Bv_, phi_t_, gamma_);
  return saddle_.set_accelerations(q, gamma_);
}

}  // namespace polhode::integrators
