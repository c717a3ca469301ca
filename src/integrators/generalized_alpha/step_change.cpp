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
      mean_(reuse ? system.nodes() : 0, Vec6::Zero()),
      offset_(mean_),
      phi_t_(system.rows()) {}

// After a start there are no offsets; sizes that differ by round-off are equal.
bool StepChange::changes(const State& q, double h) { return q.last_step > 0 && std::abs(h / q.last_step - 1) >= 1e-9; }

// a_n - vdot_n by r, o and B v + Phi_t by r^2. The direction in which velocities change is that of the last
// iteration matrix where it is at hand, else that of M by a factorization of its own.
void StepChange::apply(State& q, double h) {
  constexpr double largest_ratio = 4;
  const double r = std::min(h / q.last_step, largest_ratio);
  for (std::size_t i = 0; i < q.vdot.size(); ++i) q.memory[i] = q.vdot[i] + r * (q.memory[i] - q.vdot[i]);
  if (!has_constraint_offsets() && !has_offsets()) return;
  if (!has_normal_ && !(reuse_ && factorized_)) {
    if (has_constraint_offsets()) velocities_.scale_violation(q, r * r);
    return;
  }
  make_normal(q);
  for (std::size_t i = 0; i < q.v.size(); ++i) q.v[i] += (r * r - 1) * normal_[i];
}

// A running mean of what was held over the cube of the step: the next step compares itself with it.
void StepChange::step_accepted(double h, std::span<const Vec6> held) {
  factorized_ = true;
  has_normal_ = false;
  if (held.empty()) return;
  step_of_mean_ = h;
  const double by_cube = 1 / (h * h * h);
  for (std::size_t i = 0; i < mean_.size(); ++i) mean_[i] += 0.5 * (by_cube * held[i] - mean_[i]);
}

// Right-hand side (0, B (v - o) + Phi_t) of the system of the header: x meets the violation that o leaves, T x is its
// velocity.
void StepChange::make_normal(State& q) {
  if (has_normal_) return;
  if (normal_.empty()) {
    normal_.assign(system_.nodes(), Vec6::Zero());
    change_ = system_.make_residual();
  }
  if (q.last_step != step_of_mean_) std::fill(mean_.begin(), mean_.end(), Vec6(Vec6::Zero()));
  const double square = q.last_step * q.last_step;
  for (std::size_t i = 0; i < mean_.size(); ++i) offset_[i] = square * mean_[i];
  scheme_.to_turns(q, offset_);
  if (has_constraint_offsets()) {
    for (std::size_t i = 0; i < offset_.size(); ++i) offset_[i] = q.v[i] - offset_[i];
    if (has_offsets()) std::swap(q.v, offset_);
    system_.set_velocity_rates(q, change_.phi, phi_t_);
    if (has_offsets()) std::swap(q.v, offset_);
    for (std::size_t i = 0; i < offset_.size(); ++i) offset_[i] = q.v[i] - offset_[i];
    change_.phi += phi_t_;
    equations_.solve_again(change_, phi_t_, normal_);
    scheme_.to_turns(q, normal_);
  } else {
    std::fill(normal_.begin(), normal_.end(), Vec6(Vec6::Zero()));
  }
  for (std::size_t i = 0; i < offset_.size(); ++i) normal_[i] += offset_[i];
  has_normal_ = true;
}

// For a run that is saved: the factorization itself is not.
std::span<const Vec6> StepChange::normal(State& q) {
  const bool needed = has_constraint_offsets() || has_offsets();
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
