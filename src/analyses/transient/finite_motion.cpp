// SPDX-License-Identifier: BSD-3-Clause
// Numbers of a state that are not finite, by node and quantity.
#include "analyses/transient/finite_motion.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace polhode::analyses {

using model::State;

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

}  // namespace

// Sums of products with zero are zero, or no number: no branch on each of them. What is not finite in
// accelerations or multipliers is so in positions and velocities a step later.
bool FiniteMotion::check(const State& q) {
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
  return sum == 0 || check_wholly(q);
}

bool FiniteMotion::check_wholly(const State& q) {
  const std::string name = name_not_finite(system_, q);
  if (name.empty()) return true;
  problem_ = fmt::format("{} is not finite at t = {:.9g} s", name, q.t);
  return false;
}

}  // namespace polhode::analyses
