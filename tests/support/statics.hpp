// SPDX-License-Identifier: BSD-3-Clause
// Equilibrium by Newton's method on the exact tangents, loads grown with the time of the state.
#pragma once
#include <cmath>
#include <optional>
#include <stdexcept>

#include "polhode/assembly/linear_solver.hpp"
#include "polhode/assembly/system.hpp"

namespace polhode::support {

// The equilibrium at time 1, reached from the initial state in `steps` equal steps of time. `iterations` counts solves.
inline model::State equilibrium(const assembly::System& system, int steps, int* iterations = nullptr) {
  model::State q = system.initial_state();
  assembly::Residual residual = system.make_residual();
  assembly::SparseMatrix matrix = system.make_matrix();
  assembly::LinearSolver solver(matrix, assembly::LinearSolver::Method::klu);
  math::VectorX rhs(system.size());
  std::vector<math::Vec6> change(system.nodes(), math::Vec6::Zero());
  for (int step = 1; step <= steps; ++step) {
    q.t = static_cast<double>(step) / steps;
    double size = 1, before = 1;
    for (int i = 0; i < 60; ++i) {
      for (math::Vec6& v : q.v) v.setZero();
      system.set_residual(q, residual);
      system.set_matrix(q, model::Factors{.k = 1, .b = 1}, 1, matrix);
      if (!solver.factorize()) throw std::runtime_error("singular stiffness");
      system.gather(residual, -1, rhs);
      solver.solve({rhs.data(), static_cast<std::size_t>(rhs.size())});
      system.scatter(rhs, change);
      for (std::size_t n = 1; n < system.nodes(); ++n) {
        q.x[n] += change[n].head<3>();
        q.set_rotation(n, (q.quat[n] * math::so3::exp_quaternion(math::Vec3(change[n].tail<3>()))).normalized());
      }
      if (iterations) ++*iterations;
      before = size;
      size = rhs.norm();
      if (!std::isfinite(size)) throw std::runtime_error("equilibrium diverged");
      if (size < 1e-8 && (size < 1e-13 || size > 0.1 * before)) break;  // at round-off
    }
    if (size > 1e-8) throw std::runtime_error("no equilibrium");
  }
  return q;
}

}  // namespace polhode::support
