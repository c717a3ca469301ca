// SPDX-License-Identifier: BSD-3-Clause
// Accelerations and multipliers at the time of a state.
#include "polhode/integrators/structure/consistent_accelerations.hpp"

namespace polhode::integrators {

ConsistentAccelerations::ConsistentAccelerations(const assembly::System& system)
    : system_(system), saddle_(system), Bv_(system.rows()), phi_t_(system.rows()), gamma_(system.rows()) {}

// Where M and B are singular together, the values of the method stay.
const model::State& ConsistentAccelerations::of(const model::State& q) {
  at_ = q;
  if (!saddle_.factorize(at_)) return q;
  system_.set_rates(at_, Bv_, phi_t_, gamma_);
  return saddle_.set_accelerations(at_, gamma_) ? at_ : q;
}

}  // namespace polhode::integrators
