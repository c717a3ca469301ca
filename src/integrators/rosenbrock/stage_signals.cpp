// SPDX-License-Identifier: BSD-3-Clause
// States of signals beside the motions of Rosenbrock stages.
#include "polhode/integrators/rosenbrock/stage_signals.hpp"

#include <array>

#include "integrators/nodal.hpp"

namespace polhode::integrators {
namespace {

model::MatrixX one_above_other(const model::MatrixX& a, const model::MatrixX& b) {
  model::MatrixX both(a.rows() + b.rows(), a.cols());
  both << a, b;
  return both;
}

}  // namespace

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
  const assembly::DriveLinearization drives = system_.signals().linearize_drives(q);
  set_units(drives);
  at_.rates_by_state = one_above_other(at_.rates_by_state, drives.second_by_state);
  at_.rates_by_added = one_above_other(at_.rates_by_added, drives.second_by_added);
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

// A state moves forces, constraints and their rates at once; accelerations of drives follow by the units of these.
void StageSignals::set_units(const assembly::DriveLinearization& drives) {
  const Eigen::Index states = at_.rates.size();
  const std::size_t count = drives.rows.size();
  Phi_rates_ = VectorX::Zero(system_.rows());
  units_.assign(static_cast<std::size_t>(states) + count,
                {VectorX::Zero(system_.free_unknowns()), Phi_rates_, Phi_rates_, Phi_rates_});
  for (Eigen::Index j = 0; j < states; ++j) {
    StageSystem::Unit& unit = units_[static_cast<std::size_t>(j)];
    gather(system_, at_.forces(at_.values_by_state.col(j), system_.nodes()), unit.force);
    for (std::size_t d = 0; d < count; ++d) {
      unit.Phi[drives.rows[d]] = drives.by_state(static_cast<Eigen::Index>(d), j);
      unit.b[drives.rows[d]] = drives.first_by_state(static_cast<Eigen::Index>(d), j);
    }
    Phi_rates_ += at_.rates[j] * unit.Phi;
  }
  for (std::size_t d = 0; d < count; ++d) units_[static_cast<std::size_t>(states) + d].a[drives.rows[d]] = 1;
}

// W and Y of what the stages have found: v = T(theta) thetadot, T = 1 - theta~/2 near the origin, and vdot with D2 of
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

// One solution a state or drive, of the factors of the stages; what is left is as small as the network.
bool StageSignals::factorize(StageSystem& stages, double h, double gamma) {
  h_ = h;
  gamma_ = gamma;
  const Eigen::Index states = at_.rates_by_state.cols();
  const Eigen::Index count = at_.rates_by_state.rows();
  scale_.setOnes(count);
  scale_.head(states).setConstant(h * gamma);
  model::MatrixX left = model::MatrixX::Identity(count, count);
  left.leftCols(states) -= scale_.asDiagonal() * at_.rates_by_state;
  for (Eigen::Index j = 0; j < count; ++j) {
    stages.keep_answer(j, count, units_[static_cast<std::size_t>(j)]);
    set_along(stages);
    left.col(j) -= scale_.cwiseProduct(along_);
  }
  left_.compute(left);
  const auto pivots = left_.matrixLU().diagonal().cwiseAbs();
  return left.allFinite() && pivots.minCoeff() > 1e-15 * pivots.maxCoeff();
}

// The solution of the stages without states stands in them; add_answers() is the caller's.
const VectorX& StageSignals::solve(const StageSystem& stages, const VectorX& b, double dt, VectorX& k) {
  set_along(stages);
  rhs_ = scale_.cwiseProduct(along_);
  rhs_.head(b.size()) += gamma_ * (b + h_ * dt * g_t_);
  k_ = left_.solve(rhs_);
  k = k_.head(b.size());
  return k_;
}

}  // namespace polhode::integrators
