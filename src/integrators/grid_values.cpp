// SPDX-License-Identifier: BSD-3-Clause
// Accelerations and multipliers at the time of a state.
#include "polhode/integrators/grid_values.hpp"

#include <algorithm>

namespace polhode::integrators {

GridValues::GridValues(const assembly::System& system)
    : system_(system),
      saddle_(system),
      residual_(system.make_residual()),
      Bv_(system.rows()),
      phi_t_(system.rows()),
      gamma_(system.rows()),
      rhs_(system.size()),
      vdot_(system.nodes(), model::Vec6::Zero()) {}

const model::State& GridValues::of(const model::State& q) {
  at_ = q;
  if (!saddle_.factorize(at_)) return q;
  std::fill(at_.vdot.begin(), at_.vdot.end(), model::Vec6::Zero());
  at_.lambda.setZero();
  system_.set_residual(at_, residual_);
  system_.set_rates(at_, Bv_, phi_t_, gamma_);
  system_.gather(residual_, -1, rhs_);
  rhs_.tail(system_.rows()) = -gamma_;
  system_.clear_left_out(rhs_);
  saddle_.solve(rhs_);
  if (!rhs_.allFinite()) return q;
  system_.scatter(rhs_, vdot_);
  std::copy(vdot_.begin() + 1, vdot_.end(), at_.vdot.begin() + 1);
  at_.lambda = rhs_.tail(system_.rows());
  return at_;
}

}  // namespace polhode::integrators
