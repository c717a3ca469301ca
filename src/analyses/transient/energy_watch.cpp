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

// The first node whose part of the state is not finite, by the name of the part; "" if all are.
std::string name_not_finite(const assembly::System& system, const State& q) {
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    const auto name = [&](const char* what) { return fmt::format("the {} of {}", what, system.node(i).label()); };
    if (!q.x[i].allFinite()) return name("position");
    if (!q.R[i].allFinite()) return name("rotation");
    if (!q.v[i].allFinite()) return name("velocity");
    if (!q.vdot[i].allFinite()) return name("acceleration");
  }
  for (int row = 0; row < q.lambda.size(); ++row)
    if (!std::isfinite(q.lambda[row])) return "the multiplier of " + system.name_of(system.free_unknowns() + row);
  return "";
}

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

// Sums of products with zero are zero, or no number: no branch on each of them. What is not finite in accelerations or
// multipliers is so in positions and velocities a step later.
bool EnergyWatch::is_finite(const State& q) {
  double sum = 0;
  square_speed_ = 0;
  square_rotation_ = 0;
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    const double rotation = q.v[i].tail<3>().squaredNorm();
    const double square = q.v[i].head<3>().squaredNorm() + rotation;
    sum += 0 * (q.x[i].sum() + square);
    square_speed_ = std::max(square_speed_, square);
    square_rotation_ = std::max(square_rotation_, rotation);
  }
  // Squares of large numbers may overflow, too.
  return sum == 0 || is_wholly_finite(q);
}

bool EnergyWatch::is_wholly_finite(const State& q) {
  const std::string name = name_not_finite(system_, q);
  if (name.empty()) return true;
  outcome_ = Outcome::not_finite;
  problem_ = fmt::format("{} is not finite at t = {:.9g} s", name, q.t);
  return false;
}

bool EnergyWatch::begin(const State& q, double work) {
  if (!is_finite(q)) return false;
  energies_ = system_.energies(q);
  work_ = work;
  work_of_step_ = work;
  t_ = q.t;
  first_energy_ = energies_.total();
  first_work_ = work;
  first_ = std::abs(energies_.kinetic) + std::abs(energies_.strain);
  round_off_ = round_off_of(q);
  return add(q, work);
}

// A model at rest has no energy and is given none, so that any energy would be far above: what counts has to be above
// that of a model whose nodes are displaced a little, one this way and the next that, and move as slowly as the
// duration shows none of it. Its stiffness and mass are in the first and in the second.
double EnergyWatch::round_off_of(const State& q) const {
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
  const double sum = energies.kinetic + std::abs(energies.strain - energies_.strain);
  return std::isfinite(sum) ? sum : 0;
}

bool EnergyWatch::add_step(const State& q, double work, bool last) {
  // Kinetic energy goes with the square.
  constexpr double far_above_in_square = 16;
  ++steps_;
  // What dampers take and loads give back within a few steps counts twice.
  done_ += std::abs(work - work_of_step_);
  work_of_step_ = work;
  const bool fast = square_speed_ > far_above_in_square * added_square_speed_;
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
  const model::Energies before = energies_;
  added_square_speed_ = std::max(added_square_speed_, square_speed_);
  energies_ = system_.energies(q);
  if (!std::isfinite(energies_.total()) || !std::isfinite(work)) {
    outcome_ = Outcome::not_finite;
    problem_ = fmt::format("the energy is not finite at t = {:.9g} s; {}", q.t, name_largest(system_, q));
    return false;
  }
  fallen_ += std::abs(energies_.gravity - before.gravity);
  if (has_impulse(t_, q.t)) {
    const double change = energies_.total() - before.total() - (work - work_);
    impulsive_ += change;
    done_ += std::abs(change);
  } else {
    const double left = before.kinetic + before.strain - (energies_.gravity - before.gravity) + (work - work_);
    overcounted_ += std::max(0.0, -left);
  }
  work_ = work;
  t_ = q.t;
  const double present = energies_.kinetic + energies_.strain;
  const double given = first_ + done_ + fallen_;
  largest_ = std::max(largest_, present);
  if (present <= far_above * (given + round_off_)) return true;
  outcome_ = Outcome::unbounded;
  problem_ = fmt::format(
      "kinetic and strain energy have grown to {:.3g} J at t = {:.9g} s, though start, loads, drives and gravity gave "
      "no more than {:.3g} J; {}",
      present, q.t, given, name_largest(system_, q));
  return false;
}

void EnergyWatch::describe(integrators::StepReport& report) const {
  report.outcome = outcome_;
  report.said = problem_;
}

}  // namespace polhode::analyses
