// SPDX-License-Identifier: BSD-3-Clause
// States of signals beside the motions of Rosenbrock stages.
#include "polhode/integrators/rosenbrock/stage_signals.hpp"

#include <array>

#include "integrators/nodal.hpp"

namespace polhode::integrators {

StageSignals::StageSignals(const assembly::System& system)
    : system_(system),
      g_t_(VectorX::Zero(system.signals().states())),
      Omega_(system.nodes(), Vec3::Zero()),
      rates_(VectorX::Zero(system.size())),
      theta_(system.nodes(), Vec6::Zero()),
      thetad_(theta_),
      thetadd_(theta_) {}

// Dense: networks have tens of states. By time as in stage_tangents.cpp, one-sided, with a kink at the begin.
void StageSignals::linearize(State& q, double h) {
  at_ = system_.signals().linearize(q);
  for (std::size_t i = 0; i < Omega_.size(); ++i) Omega_[i] = q.v[i].tail<3>();
  if (at_.reads_dynamics || !at_.sums.empty()) origin_ = q;
  forces_ = model::MatrixX::Zero(system_.free_unknowns(), at_.rates.size());
  VectorX column = VectorX::Zero(system_.free_unknowns());
  for (Eigen::Index j = 0; j < forces_.cols(); ++j) {
    gather(system_, at_.forces(at_.values_by_state.col(j), system_.nodes()), column);
    forces_.col(j) = column;
  }
  const double d = 1e-4 * h;
  const double t = q.t;
  const VectorX rate = q.signals.rate;
  g_t_.setZero();
  const std::array<double, 3> weights{-3, 4, -1};
  for (std::size_t k = 0; k < 3; ++k) {
    q.t = t + static_cast<double>(k) * d;
    system_.signals().settle(q);
    g_t_ += weights[k] / (2 * d) * q.signals.rate;
  }
  q.t = t;
  system_.signals().settle(q);
  q.signals.rate = rate;
}

// W of what the stages have found: v = T(theta) thetadot, T = 1 - theta~/2 near the origin, and vdot with D2 of
// stage_tangents.hpp.
void StageSignals::set_along(const StageSystem& stages) {
  system_.scatter(stages.solution(), theta_);
  stages.set_rates(rates_);
  system_.scatter(rates_, thetad_);
  for (std::size_t i = 0; i < theta_.size(); ++i)
    thetad_[i].tail<3>() += Omega_[i].cross(Vec3(theta_[i].tail<3>())) / 2;
  at_.set_rates_along(theta_, thetad_, along_);
  at_.add_rates_by_sums(origin_, system_.length(), theta_, thetad_, moved_, along_);
  if (!at_.reads_dynamics) return;
  // Derivatives of accelerations and multipliers along the direction of the stage are in its own solution
  stages.set_accelerations(rates_);
  system_.scatter(rates_, thetadd_);
  for (std::size_t i = 0; i < thetadd_.size(); ++i) {
    const Vec3 turn = theta_[i].tail<3>();
    const Vec3 alpha = origin_.vdot[i].tail<3>();
    thetadd_[i].tail<3>() += alpha.cross(turn) / 2 - Omega_[i].cross(Omega_[i].cross(turn)) / 6;
  }
  stages.set_multipliers(multipliers_);
  at_.add_rates_by_dynamics(thetadd_, multipliers_, along_);
}

// One solution a state, of the factors of the stages; what is left is as small as the network.
bool StageSignals::factorize(StageSystem& stages, double h, double gamma) {
  h_ = h;
  gamma_ = gamma;
  const double s = h * gamma;
  model::MatrixX left = -s * at_.rates_by_state;
  left.diagonal().array() += 1;
  for (Eigen::Index j = 0; j < forces_.cols(); ++j) {
    stages.keep_answer(j, forces_.cols(), forces_.col(j));
    set_along(stages);
    left.col(j) -= s * along_;
  }
  left_.compute(left);
  const auto pivots = left_.matrixLU().diagonal().cwiseAbs();
  return left.allFinite() && pivots.minCoeff() > 1e-15 * pivots.maxCoeff();
}

// The solution of the stages without states stands in them; add_answers() is the caller's.
void StageSignals::solve(const StageSystem& stages, const VectorX& b, double dt, VectorX& k) {
  set_along(stages);
  rhs_ = gamma_ * (b + h_ * dt * g_t_) + h_ * gamma_ * along_;
  k = left_.solve(rhs_);
}

}  // namespace polhode::integrators
