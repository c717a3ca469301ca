// SPDX-License-Identifier: BSD-3-Clause
// States of signals beside the motions of Radau stages.
#include "polhode/integrators/radau/signal_stages.hpp"

namespace polhode::integrators {

using model::MatrixX;
using model::VectorX;

// Dense, and made anew with each factorization: networks have tens of states.
void RadauSignals::linearize(const model::State& at) {
  at_ = system_->signals().linearize(at);
  Omega_.resize(at.v.size());
  for (std::size_t n = 0; n < at.v.size(); ++n) Omega_[n] = at.v[n].tail<3>();
  assembly::Residual force = system_->make_residual();
  VectorX all = VectorX::Zero(system_->size());
  forces_.resize(system_->size(), at_.rates.size());
  for (Eigen::Index j = 0; j < forces_.cols(); ++j) {
    force.force = at_.forces(at_.values_by_state.col(j), system_->nodes());
    force.phi = at_.rows(at_.values_by_state.col(j), system_->rows());
    system_->gather(force, at.dropped, 1, all);
    forces_.col(j) = all;
  }
}

// W x of a complex x: the rates of what its real and its imaginary part move. Velocities are (f + Omega~) x, and
// accelerations f times them.
void RadauSignals::set_along(const VectorX& re, const VectorX& im) {
  const auto set_velocity = [&](const VectorX& x, const VectorX& other, double sign, std::vector<model::Vec6>& to) {
    system_->scatter(other, nodal_);
    for (std::size_t n = 0; n < nodal_.size(); ++n) to[n] = sign * f_.imag() * nodal_[n];
    system_->scatter(x, nodal_);
    for (std::size_t n = 0; n < nodal_.size(); ++n) {
      to[n] += f_.real() * nodal_[n];
      to[n].tail<3>() += Omega_[n].cross(math::Vec3(nodal_[n].tail<3>()));
    }
  };
  const auto set_rates = [&](const VectorX& x, const VectorX& other, double sign) {
    if (at_.reads_dynamics) set_velocity(other, x, -sign, acceleration_);
    set_velocity(x, other, sign, velocity_);
    at_.set_rates_along(nodal_, velocity_, part_);
    if (!at_.reads_dynamics) return;
    for (std::size_t n = 0; n < nodal_.size(); ++n)
      acceleration_[n] = f_.real() * velocity_[n] + sign * f_.imag() * acceleration_[n];
    multipliers_ = x.tail(system_->rows()) / scale_;
    at_.add_rates_by_dynamics(acceleration_, multipliers_, part_);
  };
  along_.resize(at_.rates.size());
  set_rates(re, im, -1);
  along_.real() = part_;
  set_rates(im, re, 1);
  along_.imag() = part_;
}

// One solution a state, of the factors that motions have anyway. What is left is as small as the network.
bool RadauSignals::factorize(std::complex<double> f, double scale, const Solve& solve) {
  f_ = f;
  scale_ = scale;
  re_ = forces_;
  re_.topRows(system_->free_unknowns()) *= scale;
  im_ = MatrixX::Zero(re_.rows(), re_.cols());
  Eigen::MatrixXcd left = -at_.rates_by_state.cast<std::complex<double>>();
  left.diagonal().array() += f;
  VectorX re;
  VectorX im;
  for (Eigen::Index j = 0; j < re_.cols(); ++j) {
    re = re_.col(j);
    im = im_.col(j);
    solve(re, im);
    re_.col(j) = re;
    im_.col(j) = im;
    set_along(re, im);
    left.col(j) -= along_;
  }
  left_.compute(left);
  MatrixX network = -at_.rates_by_state / f.real();
  network.diagonal().array() += 1;
  network_.compute(network);
  const auto pivots = left_.matrixLU().diagonal().cwiseAbs();
  return left.allFinite() && pivots.minCoeff() > 1e-15 * pivots.maxCoeff();
}

// Motions get what zeta adds to them: their own system is not solved again.
void RadauSignals::couple(Eigen::VectorXcd& rho, VectorX& re, VectorX& im) {
  set_along(re, im);
  rhs_ = rho + along_;
  rho = left_.solve(rhs_);
  re.noalias() += re_ * rho.real();
  re.noalias() -= im_ * rho.imag();
  im.noalias() += re_ * rho.imag();
  im.noalias() += im_ * rho.real();
}

// Of the network alone: what motions make of it is in their own estimate.
void RadauSignals::filter(VectorX& e) {
  part_ = network_.solve(e);
  e = network_.solve(part_);
}

}  // namespace polhode::integrators
