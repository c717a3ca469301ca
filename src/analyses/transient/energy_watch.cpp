// SPDX-License-Identifier: BSD-3-Clause
// Energies of a transient: finite, and not far above what was given.
#include "analyses/transient/energy_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polhode::analyses {

using integrators::Outcome;

namespace {

// Errors of methods are below a few percent of the energy; a solution that grows without bound passes any factor.
constexpr double far_above = 100;

// What is at rest moves by round-off and by what Newton's tolerances leave: so far, of the size of the model,
// within the duration,
constexpr double still = 1e-3;
// and so far from one node to the next, of the size of the model, and in rad.
constexpr double displaced = 1e-8;

// Squares of numbers that are finite may not be so: the node whose velocity or position is the largest number.
std::string name_largest(const assembly::System& system, const State& q) {
  std::size_t worst = 0;
  double largest = -1;
  bool is_velocity = true;
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    const double velocity = q.v[i].lpNorm<Eigen::Infinity>();
    const double position = q.x[i].lpNorm<Eigen::Infinity>();
    if (std::max(velocity, position) <= largest) continue;
    worst = i;
    largest = std::max(velocity, position);
    is_velocity = velocity >= position;
  }
  return fmt::format("{} is the worst node, with a {} of {:.3g} {}", system.node(worst).label(),
                     is_velocity ? "velocity" : "position", largest, is_velocity ? "m/s or rad/s" : "m");
}

}  // namespace

bool EnergyWatch::fail(Outcome outcome, std::string problem) {
  outcome_ = outcome;
  problem_ = std::move(problem);
  return false;
}

bool EnergyWatch::is_finite(const State& q) { return motion_.check(q) || fail(Outcome::not_finite, motion_.problem()); }

bool EnergyWatch::is_wholly_finite(const State& q) {
  return motion_.check_wholly(q) || fail(Outcome::not_finite, motion_.problem());
}

bool EnergyWatch::begin(const State& q, double work) {
  if (!is_finite(q)) return false;
  const model::Energies energies = system_.energies(q);
  balance_.begin(energies, work, round_off_of(q, energies.strain));
  t_ = q.t;
  return add(q, work);
}

// A model at rest has no energy and is given none, so that any energy would be far above: what counts has to be above
// that of a model whose nodes are displaced a little, one this way and the next that, and move as slowly as the
// duration shows none of it. Its stiffness and mass are in the first and in the second.
double EnergyWatch::round_off_of(const State& q, double strain) const {
  State moved = q;
  const double length = system_.length();
  const double speed = still * length / duration_;
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    moved.v[i] << speed, speed, speed, still / duration_, still / duration_, still / duration_;
    if (system_.node(i).is_fixed()) {
      moved.v[i].setZero();
      continue;
    }
    const double angle = 2.4 * static_cast<double>(i);
    const math::Vec3 direction(std::cos(angle), std::sin(angle), std::cos(2 * angle));
    moved.x[i] += displaced * length * direction;
    moved.set_rotation(i, q.quat[i] * math::so3::Quaternion(Eigen::AngleAxisd(displaced, direction.normalized())));
  }
  const model::Energies energies = system_.energies(moved);
  const double sum = energies.kinetic + std::abs(energies.strain - strain);
  return std::isfinite(sum) ? sum : 0;
}

bool EnergyWatch::add_step(const State& q, double work, bool last) {
  // Kinetic energy goes with the square; less than what ends a run.
  constexpr double far_above_in_square = 64;
  ++steps_;
  balance_.add_work(work);
  const bool fast = motion_.square_speed() > far_above_in_square * added_square_speed_;
  if (!fast && !last && steps_ % between != 0) return true;
  return add(q, work);
}

bool EnergyWatch::has_impulse(double from, double to) const {
  const double aside = 1e-9 * duration_;
  const auto first = std::lower_bound(impulses_.begin(), impulses_.end(), from - aside);
  return first != impulses_.end() && *first <= to + aside;
}

bool EnergyWatch::add(const State& q, double work) {
  if (!is_wholly_finite(q)) return false;
  added_square_speed_ = std::max(added_square_speed_, motion_.square_speed());
  const model::Energies energies = system_.energies(q);
  if (!std::isfinite(energies.total()) || !std::isfinite(work))
    return fail(Outcome::not_finite,
                fmt::format("the energy is not finite at t = {:.9g} s; {}", q.t, name_largest(system_, q)));
  balance_.add(energies, work, has_impulse(t_, q.t));
  t_ = q.t;
  const double present = balance_.present();
  const double given = balance_.given();
  if (present <= far_above * (given + balance_.round_off())) return true;
  return fail(Outcome::unbounded,
              fmt::format("kinetic and strain energy have grown to {:.3g} J at t = {:.9g} s, though start, loads, "
                          "drives and gravity gave no more than {:.3g} J; {}",
                          present, q.t, given, name_largest(system_, q)));
}

void EnergyWatch::describe(integrators::StepReport& report) const {
  report.outcome = outcome_;
  report.said = problem_;
}

}  // namespace polhode::analyses
