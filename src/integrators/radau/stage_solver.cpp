// SPDX-License-Identifier: BSD-3-Clause
// Matrices and solutions of the iteration of a Radau step.
#include "polhode/integrators/radau/stage_solver.hpp"

#include <algorithm>

#include "polhode/math/parallel.hpp"

namespace polhode::integrators {
namespace {

// Elements with forces between nodes, as beams have, whose inertia and forces are in one function.
bool has_stiffness(const model::BatchBase& batch) {
  return batch.nodes() > 1 && (batch.has_forces() || batch.has_inertia());
}

// Of such elements.
std::vector<char> nodes_of_stiffness(const assembly::System& system) {
  std::vector<char> found(system.nodes(), 0);
  for (const auto& batch : system.batches()) {
    if (!has_stiffness(*batch)) continue;
    for (std::size_t e = 0; e < batch->size(); ++e) {
      const std::span<const int> at = batch->nodes_of(e);
      for (const int i : at) found[static_cast<std::size_t>(i)] = system.unknowns()[static_cast<std::size_t>(i)].full();
    }
  }
  return found;
}

}  // namespace

bool has_stiffness(const assembly::System& system) {
  const auto& batches = system.batches();
  return std::any_of(batches.begin(), batches.end(), [](const auto& batch) { return has_stiffness(*batch); });
}

RadauSolver::RadauSolver(const assembly::System& system)
    : system_(system),
      real_(system.make_matrix()),
      real_solver_(real_, assembly::InPlace{}),
      part_(system.make_matrix()),
      pair_(system, part_),
      turns_(nodes_of_stiffness(system)),
      R_(system.nodes(), Mat3::Identity()),
      real_signals_(system),
      pair_signals_(system),
      z_(VectorX::Zero(system.size())),
      re_(z_),
      im_(z_),
      mixed_(z_),
      F_c_(system.nodes(), Mat3::Identity()),
      F_m_(F_c_) {
  for (int i = 0; i < RadauStages::count; ++i) {
    gathered_[i] = VectorX::Zero(system.size());
    dx_[i].assign(system.nodes(), Vec6::Zero());
    dlambda_[i] = VectorX::Zero(system.rows());
    dz_[i] = VectorX::Zero(system.signals().states());
  }
}

void RadauSolver::set_real(const State& at, double h) {
  const double f = radau_coefficients().gamma / h;
  real_scale_ = 1 / (f * f);
  math::for_each_index(F_c_.size(), [&](std::size_t n) {
    F_c_[n] = math::tilde(at.v[n].tail<3>());
    F_c_[n].diagonal().array() += f;
    F_m_[n] = f * F_c_[n];
  });
  system_.set_matrix(at, {.m = f * f, .c = f, .k = 1, .b = 1, .rot_m = F_m_, .rot_c = F_c_}, real_scale_, real_);
}

// f = a + i b: F_c = f + Omega~, F_m = f F_c.
void RadauSolver::set_pair(const State& at, double h) {
  const double a = radau_coefficients().mu.real() / h;
  const double b = radau_coefficients().mu.imag() / h;
  pair_scale_ = 1 / (a * a + b * b);
  math::for_each_index(F_c_.size(), [&](std::size_t n) {
    F_c_[n] = math::tilde(at.v[n].tail<3>());
    F_m_[n] = a * F_c_[n];
    F_m_[n].diagonal().array() += a * a - b * b;
    F_c_[n].diagonal().array() += a;
  });
  system_.set_matrix(at, {.m = a * a - b * b, .c = a, .k = 1, .b = 1, .rot_m = F_m_, .rot_c = F_c_}, pair_scale_,
                     part_);
  pair_.set_real_part(part_);
  math::for_each_index(F_c_.size(), [&](std::size_t n) {
    F_m_[n] = b * F_c_[n];
    F_m_[n].diagonal().array() += a * b;
    F_c_[n] = b * Mat3::Identity();
  });
  system_.set_matrix(at, {.m = 2 * a * b, .c = b, .rot_m = F_m_, .rot_c = F_c_}, pair_scale_, part_);
  pair_.set_imaginary_part(part_);
}

bool RadauSolver::factorize(const State& at, double h) {
  singular_is_pair_ = false;
  std::copy(at.R.begin(), at.R.end(), R_.begin());
  if (!real_solver_.factorize([&] { set_real(at, h); })) return false;
  singular_is_pair_ = true;
  if (!pair_.factorize([&] { set_pair(at, h); })) return false;
  return real_signals_.empty() || set_signals(at, h);
}

// F, Z and W are those of one state, as the matrices of motions are.
bool RadauSolver::set_signals(const State& at, double h) {
  const RadauCoefficients& k = radau_coefficients();
  real_signals_.linearize(at);
  pair_signals_ = real_signals_;
  return real_signals_.factorize(k.gamma / h, real_scale_, [&](VectorX& re, VectorX&) { real_solver_.solve(re); }) &&
         pair_signals_.factorize(k.mu / h, pair_scale_, [&](VectorX& re, VectorX& im) { pair_.solve(re, im); });
}

// The transformation by V of motions, in complex numbers: states are few.
void RadauSolver::solve_signals(const RadauStages& stages) {
  const RadauCoefficients& k = radau_coefficients();
  for (int i = 0; i < RadauStages::count; ++i) stages.set_signal_residual(i, dz_[i]);
  Eigen::VectorXcd& real = real_rho_;
  Eigen::VectorXcd& pair = pair_rho_;
  real.setZero(dz_[0].size());
  pair.setZero(dz_[0].size());
  for (int i = 0; i < RadauStages::count; ++i) {
    real += k.to_real[i] * dz_[i];
    pair += std::complex<double>(k.to_pair_re[i], k.to_pair_im[i]) * dz_[i];
  }
  mixed_.setZero();
  real_signals_.couple(real, z_, mixed_);
  pair_signals_.couple(pair, re_, im_);
  for (int i = 0; i < RadauStages::count; ++i)
    dz_[i] = k.real_to_stages[i] * real.real() + 2 * k.pair_re[i] * pair.real() - 2 * k.pair_im[i] * pair.imag();
}

bool RadauSolver::solve(const RadauStages& stages, std::array<assembly::Residual, RadauStages::count>& residuals) {
  const RadauCoefficients& k = radau_coefficients();
  const int free = system_.free_unknowns();
  const int rows = system_.rows();
  for (int i = 0; i < RadauStages::count; ++i) {
    const State& q = stages.state(i);
    math::for_each_index(turns_.size(), [&](std::size_t n) {
      if (turns_[n]) residuals[i].force[n].head<3>() = R_[n] * (q.R[n].transpose() * residuals[i].force[n].head<3>());
    });
    system_.gather(residuals[i], q.dropped, 1, gathered_[i]);
  }
  const VectorX& r1 = gathered_[0];
  const VectorX& r2 = gathered_[1];
  const VectorX& r3 = gathered_[2];
  const auto combine = [&](const Vec3& w, double scale, VectorX& to) {
    to = -w[0] * r1 - w[1] * r2 - w[2] * r3;
    to.head(free) *= scale;
  };
  combine(k.to_real, real_scale_, z_);
  combine(k.to_pair_re, pair_scale_, re_);
  combine(k.to_pair_im, pair_scale_, im_);
  real_solver_.solve(z_);
  pair_.solve(re_, im_);
  if (!real_signals_.empty()) solve_signals(stages);
  z_.tail(rows) /= real_scale_;
  re_.tail(rows) /= pair_scale_;
  im_.tail(rows) /= pair_scale_;
  for (int i = 0; i < RadauStages::count; ++i) {
    mixed_ = k.real_to_stages[i] * z_ + 2 * k.pair_re[i] * re_ - 2 * k.pair_im[i] * im_;
    if (!mixed_.allFinite()) return false;
    system_.scatter(mixed_, dx_[i]);
    dlambda_[i] = mixed_.tail(rows);
    const State& q = stages.state(i);
    math::for_each_index(turns_.size(), [&](std::size_t n) {
      if (turns_[n]) dx_[i][n].head<3>() = q.R[n] * (R_[n].transpose() * dx_[i][n].head<3>());
    });
  }
  return true;
}

bool RadauSolver::filter(const assembly::Residual& force, const model::DroppedConstraints& dropped,
                         std::vector<Vec6>& x) {
  system_.gather(force, dropped, 1, mixed_);
  mixed_.tail(system_.rows()).setZero();
  real_solver_.solve(mixed_);
  system_.scatter(mixed_, x);
  return mixed_.allFinite();
}

std::string RadauSolver::singular_place() const {
  const int column = singular_is_pair_ ? pair_.solver().singular_column() : real_solver_.singular_column();
  if (column < 0) return "";
  return system_.name_of(singular_is_pair_ ? pair_.unknown_of(column) : column);
}

int RadauSolver::pivot_choices() const { return real_solver_.pivot_choices() + pair_.solver().pivot_choices(); }

}  // namespace polhode::integrators
