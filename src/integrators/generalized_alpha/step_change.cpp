// SPDX-License-Identifier: BSD-3-Clause
// Change of the step size in generalized-alpha methods.
#include "polhode/integrators/generalized_alpha/step_change.hpp"

#include <algorithm>
#include <cmath>

namespace polhode::integrators {

StepChange::StepChange(const assembly::System& system, Scheme& scheme, StepEquations& equations,
                       VelocityCorrection& velocities, bool reuse)
    : system_(system),
      scheme_(scheme),
      equations_(equations),
      velocities_(velocities),
      reuse_(reuse),
      phi_t_(system.rows()) {}

// After a start there are no offsets; sizes that differ by round-off are equal.
bool StepChange::changes(const State& q, double h) { return q.last_step > 0 && std::abs(h / q.last_step - 1) >= 1e-9; }

// a_n - vdot_n by r, B v + Phi_t by r^2. The direction in which velocities change is that of the last
// iteration matrix where it is at hand, else that of M by a factorization of its own.
void StepChange::apply(State& q, double h) {
  constexpr double largest_ratio = 4;
  const double r = std::min(h / q.last_step, largest_ratio);
  for (std::size_t i = 0; i < q.vdot.size(); ++i) q.memory[i] = q.vdot[i] + r * (q.memory[i] - q.vdot[i]);
  if (system_.rows() == 0 || scheme_.meets_velocity_constraints()) return;
  if (!has_normal_ && !(reuse_ && factorized_)) {
    velocities_.scale_violation(q, r * r);
    return;
  }
  make_normal(q);
  for (std::size_t i = 0; i < q.v.size(); ++i) q.v[i] += (r * r - 1) * normal_[i];
}

void StepChange::step_accepted() {
  factorized_ = true;
  has_normal_ = false;
}

// Right-hand side (0, B v + Phi_t) of the system of the header: x meets the violation, T x is its velocity.
void StepChange::make_normal(const State& q) {
  if (has_normal_) return;
  if (normal_.empty()) {
    normal_.assign(system_.nodes(), Vec6::Zero());
    change_ = system_.make_residual();
  }
  system_.set_velocity_rates(q, change_.phi, phi_t_);
  change_.phi += phi_t_;
  equations_.solve_again(change_, phi_t_, normal_);
  scheme_.to_turns(q, normal_);
  has_normal_ = true;
}

// For a run that is saved: the factorization itself is not.
std::span<const Vec6> StepChange::normal(const State& q) {
  const bool needed = system_.rows() > 0 && !scheme_.meets_velocity_constraints();
  if (!needed || !(has_normal_ || (reuse_ && factorized_))) return {};
  make_normal(q);
  return normal_;
}

void StepChange::set_normal(std::span<const Vec6> normal) {
  normal_.assign(normal.begin(), normal.end());
  if (change_.force.empty()) change_ = system_.make_residual();
  has_normal_ = true;
  factorized_ = false;
}

}  // namespace polhode::integrators
