// SPDX-License-Identifier: BSD-3-Clause
// The estimate of the local error.
#include "polhode/integrators/generalized_alpha/local_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/integrators/step_control.hpp"
#include "polhode/math/parallel.hpp"

namespace polhode::integrators {

namespace {

// From where on vibrations are passed over whose amplitude A is below allowed_once(): with cut^3 c A left of the errors
// of any faster one, A leaves an eighth of what a step is allowed, the target of its control.
double cut_of(const AlphaParameters& parameters, double tolerance) {
  const double c = std::abs(parameters.position_error());
  return 0.5 * std::min(1.0, std::cbrt(allowed_error(tolerance) / (c * allowed_once(tolerance))));
}

}  // namespace

LocalError::LocalError(const assembly::System& system, const AlphaParameters& parameters, double tolerance)
    : system_(system),
      p_(parameters),
      mass_(system),
      force_(system.make_residual()),
      Bl_(model::VectorX::Zero(system.rows())),
      phi_t_(Bl_),
      truncation_(system.nodes(), Vec6::Zero()),
      held_(truncation_),
      x_(truncation_),
      drives_(system),
      trend_(system.nodes(), cut_of(parameters, tolerance)) {}

// vddot by the difference of both accelerations, the truncation as the mean of both ends.
// Index 2 needs B l as well, by the rates of a state with l as its velocity, which is lent for that.
LocalError::Size LocalError::estimate(const State& old, State& next, const Scheme& scheme, StepEquations& equations) {
  const double h = next.last_step;
  const double to_mass = p_.beta * h * h * p_.beta_prime(h);
  math::for_each_index(truncation_.size(), [&](std::size_t i) {
    const Vec6 vddot = (next.vdot[i] - old.vdot[i]) / h;
    truncation_[i] = h * h * h / 2 *
                     (scheme.local_truncation_error(old.v[i], old.vdot[i], vddot) +
                      scheme.local_truncation_error(next.v[i], next.vdot[i], vddot));
  });
  if (scheme.meets_velocity_constraints() && system_.rows() > 0) {
    std::swap(next.v, truncation_);
    system_.set_velocity_rates(next, Bl_, phi_t_);
    std::swap(next.v, truncation_);
  }
  for (Vec6& l : truncation_) l *= to_mass;
  mass_.set(next, truncation_, force_);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (!equations.solve_again(force_, Bl_, x_)) return {infinite, infinite};
  set_held(scheme, equations, to_mass);
  if (drives_.find(old, next)) add_held_back(scheme.meets_velocity_constraints(), to_mass, next, equations);
  scheme.to_increments(x_);

  const double of_step = norm(x_);
  trend_.propose(old.t, next, x_, of_step);
  const double mean = std::max(norm(trend_.mean(ErrorTrend::of_node)), norm(trend_.mean(ErrorTrend::inertial)));
  return {of_step, std::min(of_step, mean * trend_.lead())};
}

// truncation_ has been multiplied by `factor`.
void LocalError::set_held(const Scheme& scheme, StepEquations& equations, double factor) {
  std::copy(x_.begin(), x_.end(), held_.begin());
  scheme.to_increments(held_);
  equations.add_p_again(held_);
  math::for_each_index(held_.size(), [&](std::size_t i) { held_[i] = truncation_[i] / factor - held_[i]; });
}

double LocalError::norm(std::span<const Vec6> x) const {
  double sum = 0;
  for (std::size_t i = 1; i < x.size(); ++i)
    sum += x[i].head<3>().squaredNorm() * weight(0) * weight(0) + x[i].tail<3>().squaredNorm();
  return std::sqrt(sum / std::max(1, system_.free_unknowns()));
}

// Index 2 corrects velocities by p, which hides from the multipliers what is normal to the constraints: they are those
// of a solution with zeros on all constraints.
void LocalError::add_held_back(bool velocities_are_met, double to_mass, State& next, StepEquations& equations) {
  if (velocities_are_met) {
    Bl_.setZero();
    tangential_.resize(x_.size(), Vec6::Zero());
    if (!equations.solve_again(force_, Bl_, tangential_)) return;
  }
  drives_.add_to(x_, equations, to_mass, mass_, next);
}

// Each entry counts as it does in the norm.
std::vector<std::string> LocalError::worst_rows(int count) const {
  return names_of_largest(system_, x_, static_cast<std::size_t>(count));
}

}  // namespace polhode::integrators
