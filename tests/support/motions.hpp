// SPDX-License-Identifier: BSD-3-Clause
// What tests ask of computed states: how far apart two are, and how well one meets the constraints.
#pragma once
#include <algorithm>
#include <cmath>

#include "polhode/math/so3.hpp"
#include "support/models.hpp"

namespace polhode::support {

// Over all nodes: lengths and angles as one vector.
inline double distance(const State& a, const State& b) {
  double sum = 0;
  for (std::size_t i = 1; i < a.x.size(); ++i)
    sum += (a.x[i] - b.x[i]).squaredNorm() + math::so3::log(a.quat[i].conjugate() * b.quat[i]).squaredNorm();
  return std::sqrt(sum);
}

// The largest of the constraints, and of their rates, over all states added.
struct Violation {
  double position = 0;
  double velocity = 0;
  void add(const assembly::System& system, const State& q) {
    assembly::Residual r = system.make_residual();
    system.set_residual(q, r, {false, false, true});
    VectorX Bv(system.rows());
    VectorX phi_t(system.rows());
    VectorX gamma(system.rows());
    system.set_rates(q, Bv, phi_t, gamma);
    position = std::max(position, r.phi.lpNorm<Eigen::Infinity>());
    velocity = std::max(velocity, (Bv + phi_t).lpNorm<Eigen::Infinity>());
  }
};

}  // namespace polhode::support
