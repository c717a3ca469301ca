// SPDX-License-Identifier: BSD-3-Clause
// Forces and constraints of stages. What depends on time explicitly is smooth up to the next breakpoint; a stage beyond
// sees the parabola through three times before it.
#pragma once
#include <limits>

#include "polhode/assembly/system.hpp"

namespace polhode::integrators {

class ExtrapolatedLoads {
 public:
  explicit ExtrapolatedLoads(const assembly::System& system);

  // s: where the step begins, and where loads and drives have a kink or a jump; infinity: nowhere.
  void set_begin(double t) { begin_ = t; }
  void set_limit(double t) { limit_ = t; }
  double limit() const { return limit_; }

  // At the state, whose time is as before when they return.
  void set_phi(model::State& q);             // of residual()
  void set_forces(model::State& q);          // of residual()
  void set_rates(model::State& q);           // of Bv(), phi_t(), gamma()
  void set_velocity_rates(model::State& q);  // of Bv(), phi_t(); gamma() is left
  double power(model::State& q);             // W
  void set_signal_rates(model::State& q);    // of its signals
  // B v at the state, of its velocities; good until the next call.
  const model::VectorX& product(const model::State& q);

  const assembly::Residual& residual() const { return residual_; }
  const model::VectorX& Bv() const { return Bv_; }
  const model::VectorX& phi_t() const { return phi_t_; }
  const model::VectorX& gamma() const { return gamma_; }

 private:
  template <class Function>
  void at_time(model::State& q, const Function& f);
  void add_velocity_rates(double weight, bool first);

  const assembly::System& system_;
  double begin_ = 0;
  double limit_ = std::numeric_limits<double>::infinity();
  assembly::Residual residual_;
  assembly::Residual part_;  // of one of the times
  model::VectorX Bv_;
  model::VectorX phi_t_;
  model::VectorX gamma_;
  model::VectorX Bv_part_;
  model::VectorX phi_t_part_;
  model::VectorX gamma_part_;
  model::VectorX rate_;  // of signals
};

}  // namespace polhode::integrators
