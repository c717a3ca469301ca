// SPDX-License-Identifier: BSD-3-Clause
// Changes of velocities normal to the constraints.
#include "polhode/integrators/velocity_correction.hpp"

namespace polhode::integrators {

using model::State;
using model::Vec6;

VelocityCorrection::VelocityCorrection(const assembly::System& system)
    : system_(system),
      Bv_(system.rows()),
      phi_t_(system.rows()),
      rhs_(system.size()),
      dv_(system.nodes(), Vec6::Zero()) {}

// To `factor` times what it is: 0 projects the velocities.
bool VelocityCorrection::scale_violation(State& q, double factor) {
  if (system_.rows() == 0) return true;
  system_.set_velocity_rates(q, Bv_, phi_t_);
  Bv_ = (factor - 1) * (Bv_ + phi_t_);
  return change(q);
}

// Of an offset only B times it counts; along the constraints velocities stay as they are.
bool VelocityCorrection::add_normal_part(State& q, const std::vector<Vec6>& offset) {
  if (system_.rows() == 0) return true;
  State moved = q;
  moved.v = offset;
  system_.set_velocity_rates(moved, Bv_, phi_t_);
  return change(q);
}

// [M B^T; B 0] [dv; mu] = [0; change]: the least dv in the norm of M (ACB15, eq. (7)).
bool VelocityCorrection::change(State& q) {
  if (!saddle_) saddle_.emplace(system_);
  if (!saddle_->factorize(q)) return false;
  rhs_.head(system_.free_unknowns()).setZero();
  rhs_.tail(system_.rows()) = Bv_;
  system_.clear_dropped(q.dropped, rhs_);
  saddle_->solve(rhs_);
  system_.scatter(rhs_, dv_);
  for (std::size_t i = 0; i < q.v.size(); ++i) q.v[i] += dv_[i];
  return true;
}

}  // namespace polhode::integrators
