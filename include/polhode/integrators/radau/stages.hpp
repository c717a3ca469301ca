// SPDX-License-Identifier: BSD-3-Clause
// The stages of a Radau step on the Lie group: canonical coordinates of the first kind about the begin of the step.
//
//   q_i = q_n exp(theta_i),  theta' = T(theta)^-1 v
//   v_i = T(theta_i) sum d_ij theta_j / h,   vdot_i = sum d_ij (v_j - v_n) / h
//
// so that theta and lambda of the stages are all unknowns; the kinematic equations hold at each iterate.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "polhode/assembly/system.hpp"
#include "polhode/integrators/radau/coefficients.hpp"

namespace polhode::integrators {

using model::Mat3;
using model::State;
using model::Vec3;
using model::Vec6;
using model::VectorX;

class RadauStages {
 public:
  static constexpr int count = RadauCoefficients::stages;

  // Keeps a reference to the system.
  explicit RadauStages(const assembly::System& system);

  // First guess for the step of h, s, from `old` to t_next: the polynomials of the last accepted step go on, or, where
  // there is none or `extrapolate` is false, velocities and accelerations of `old`.
  void predict(const State& old, double h, double t_next, bool extrapolate);
  // Adds to theta what the body-fixed increments `dx` of a stage stand for.
  void add(int stage, const std::vector<Vec6>& dx);
  // Adds to what states of signals have changed since the begin of the step.
  void add_to_signals(int stage, const VectorX& dz) { zeta_[stage] += dz; }
  // Configuration, velocities and accelerations of all stages from theta, and their signals.
  void set_states(const State& old);

  State& state(int stage) { return states_[stage]; }
  const State& state(int stage) const { return states_[stage]; }
  // m and rad, by node
  const std::vector<Vec6>& theta(int stage) const { return theta_[stage]; }
  // Of states of signals, z_i - z_n, and what its equation leaves at the states: g_i - sum d_ij zeta_j / h, 1/s
  const VectorX& zeta(int stage) const { return zeta_[stage]; }
  void set_signal_residual(int stage, VectorX& rho) const;

  // The step is accepted: its polynomials serve the next prediction.
  void accept();
  // Forgets the polynomials.
  void restart() { last_h_ = 0; }
  // h and the polynomials of the last step, for a run that is saved; takes them up again. False if they do not fit.
  void save(std::vector<double>& data) const;
  bool load(std::span<const double> data);

 private:
  using Nodal = std::array<std::vector<Vec6>, count>;
  using StageVectors = std::array<VectorX, count>;

  const assembly::System& system_;
  double h_ = 0;
  std::array<State, count> states_;
  Nodal theta_;
  StageVectors zeta_;  // of states of signals
  // Of the last accepted step; no step where its h is 0
  double last_h_ = 0;
  Nodal last_theta_;
  StageVectors last_lambda_;
  StageVectors last_zeta_;
};

}  // namespace polhode::integrators
