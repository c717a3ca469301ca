// SPDX-License-Identifier: BSD-3-Clause
// Forces and constraints of stages, extrapolated beyond breakpoints.
#include "polhode/integrators/rosenbrock/extrapolated_loads.hpp"

#include <array>

namespace polhode::integrators {

using model::State;
using model::Vec6;
using model::VectorX;

ExtrapolatedLoads::ExtrapolatedLoads(const assembly::System& system)
    : system_(system),
      residual_(system.make_residual()),
      part_(residual_),
      Bv_(VectorX::Zero(system.rows())),
      phi_t_(Bv_),
      gamma_(Bv_),
      Bv_part_(Bv_),
      phi_t_part_(Bv_),
      gamma_part_(Bv_) {}

// f(weight, first): once, or at the three times of the parabola.
template <class Function>
void ExtrapolatedLoads::at_time(State& q, const Function& f) {
  if (q.t <= limit_) return f(1.0, true);
  const double t = q.t;
  const double d = (limit_ - begin_) / 4;
  const double s = (t - limit_) / d;
  const std::array<double, 3> weights{(s + 1) * (s + 2) / 2, -s * (s + 2), s * (s + 1) / 2};
  for (std::size_t k = 0; k < 3; ++k) {
    q.t = limit_ - static_cast<double>(k) * d;
    f(weights[k], k == 0);
  }
  q.t = t;
}

void ExtrapolatedLoads::set_phi(State& q) {
  at_time(q, [&](double weight, bool first) {
    system_.set_residual(q, part_, {false, false, true});
    if (first) {
      residual_.phi = weight * part_.phi;
    } else {
      residual_.phi += weight * part_.phi;
    }
  });
}

void ExtrapolatedLoads::set_forces(State& q) {
  at_time(q, [&](double weight, bool first) {
    system_.set_residual(q, part_, {true, true, false});
    for (std::size_t i = 0; i < part_.force.size(); ++i)
      residual_.force[i] = first ? Vec6(weight * part_.force[i]) : Vec6(residual_.force[i] + weight * part_.force[i]);
  });
}

void ExtrapolatedLoads::set_velocity_rates(State& q) {
  at_time(q, [&](double weight, bool first) {
    system_.set_velocity_rates(q, Bv_part_, phi_t_part_);
    add_velocity_rates(weight, first);
  });
}

void ExtrapolatedLoads::set_rates(State& q) {
  at_time(q, [&](double weight, bool first) {
    system_.set_rates(q, Bv_part_, phi_t_part_, gamma_part_);
    add_velocity_rates(weight, first);
    if (first) gamma_.setZero();
    gamma_ += weight * gamma_part_;
  });
}

// Of one of the times.
void ExtrapolatedLoads::add_velocity_rates(double weight, bool first) {
  if (first) {
    Bv_.setZero();
    phi_t_.setZero();
  }
  Bv_ += weight * Bv_part_;
  phi_t_ += weight * phi_t_part_;
}

double ExtrapolatedLoads::power(State& q) {
  double sum = 0;
  at_time(q, [&](double weight, bool) { sum += weight * system_.power(q); });
  return sum;
}

// Inputs of signals are functions of time, too, and their kinks breakpoints.
void ExtrapolatedLoads::set_signal_rates(State& q) {
  at_time(q, [&](double weight, bool first) {
    system_.signals().settle(q);
    if (first) rate_.setZero(q.signals.rate.size());
    rate_ += weight * q.signals.rate;
  });
  q.signals.rate = rate_;
}

const VectorX& ExtrapolatedLoads::product(const State& q) {
  system_.set_velocity_rates(q, Bv_part_, phi_t_part_);
  return Bv_part_;
}

}  // namespace polhode::integrators
