// SPDX-License-Identifier: BSD-3-Clause
// Whether the numbers of a state are finite, and how fast its fastest node is.
#pragma once
#include <cmath>
#include <string>

#include "polhode/assembly/system.hpp"

namespace polhode::analyses {

class FiniteMotion {
 public:
  // Keeps a reference.
  explicit FiniteMotion(const assembly::System& system) : system_(system) {}

  // Whether positions and velocities are finite, and where they may not be the others, too. Allocates nothing if they
  // are.
  bool check(const model::State& q);
  // All numbers of the state.
  bool check_wholly(const model::State& q);
  // Why the last check returned false: "the velocity of nodes.mass is not finite at t = 0.6 s".
  const std::string& problem() const { return problem_; }

  // Of the state that check() looked at last: the largest square of a node's velocities, m/s and rad/s together, and
  // the fastest rotation, rad/s.
  double square_speed() const { return square_speed_; }
  double fastest_rotation() const { return std::sqrt(square_rotation_); }

 private:
  const assembly::System& system_;
  double square_speed_ = 0;
  double square_rotation_ = 0;
  std::string problem_;
};

}  // namespace polhode::analyses
