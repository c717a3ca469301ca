// SPDX-License-Identifier: BSD-3-Clause
// Finite numbers in the states of a transient.
#include "analyses/transient/energy_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polhode::analyses {
namespace {

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

bool EnergyWatch::begin(const State& q) { return is_finite(q) && add(q); }

// Sums of products with zero are zero, or no number: no branch on each of them.
bool EnergyWatch::is_finite(const State& q) {
  double sum = 0;
  for (std::size_t i = 1; i < q.x.size(); ++i)
    sum += 0 * (q.x[i].sum() + q.R[i].sum()) + 0 * (q.v[i].sum() + q.vdot[i].sum());
  if (q.lambda.size() > 0) sum += 0 * q.lambda.sum();
  if (sum == 0) return true;
  // Sums of large numbers may overflow, too
  const std::string name = name_not_finite(system_, q);
  if (name.empty()) return true;
  problem_ = fmt::format("{} is not finite at t = {:.9g} s", name, q.t);
  return false;
}

bool EnergyWatch::add(const State& q) {
  const model::Energies energies = system_.energies(q);
  if (std::isfinite(energies.total())) return true;
  problem_ = fmt::format("the energy is not finite at t = {:.9g} s; {}", q.t, name_largest(system_, q));
  return false;
}

}  // namespace polhode::analyses
