// SPDX-License-Identifier: BSD-3-Clause
// Random mechanisms for the tests of initial coordinates, and how far a state is from meeting their constraints.
#pragma once
#include <random>
#include <string>

#include "support/bench.hpp"
#include "support/models.hpp"

namespace polhode::support {

inline double uniform(std::mt19937& random, double from, double to) {
  return std::uniform_real_distribution<double>(from, to)(random);
}

// Largest violation of constraints, and of their rates.
inline double violation(const assembly::System& system, const State& q) {
  assembly::Residual r = system.make_residual();
  system.set_residual(q, r, {false, false, true});
  return r.phi.size() > 0 ? r.phi.lpNorm<Eigen::Infinity>() : 0;
}
inline double rate_violation(const assembly::System& system, const State& q) {
  VectorX Bv(system.rows());
  VectorX phi_t(system.rows());
  system.set_velocity_rates(q, Bv, phi_t);
  return (Bv + phi_t).lpNorm<Eigen::Infinity>();
}

// With a node of its name, of any mass and orientation.
inline void add_body(ModelMaker& m, const std::string& name, const Vec3& position, std::mt19937& random) {
  m.node(name, position).orientation = math::so3::exp_quaternion(random_vector(random, 2));
  m.body(name, name, uniform(random, 0.5, 3), Vec3(0.2, 0.25, 0.3));
}

}  // namespace polhode::support
