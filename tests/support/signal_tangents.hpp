// SPDX-License-Identifier: BSD-3-Clause
// What signals do to the iteration matrix, against differences of the residual.
#pragma once
#include <gtest/gtest.h>

#include "support/dense.hpp"
#include "support/models.hpp"

namespace polhode::support {

// Rows of forces by accelerations (M), velocities (C), or positions (K), to 1e-8 of the largest entry. Columns of
// multipliers stand beside C and K.
inline void expect_tangents_match(const assembly::System& system, const State& q, double within = 1e-8) {
  const auto residual = [&](const State& r) {
    assembly::Residual found = system.make_residual();
    system.set_residual(r, found);
    model::VectorX gathered(system.size());
    system.gather(found, {}, 1, gathered);
    return gathered;
  };
  enum class By { acceleration, velocity, position };
  const auto moved = [&](int unknown, By by, double step) {
    State r = q;
    if (unknown >= system.free_unknowns()) {
      r.lambda[unknown - system.free_unknowns()] += step;
      return r;
    }
    math::VectorX unit = math::VectorX::Zero(system.size());
    unit[unknown] = step;
    std::vector<model::Vec6> by_node(system.nodes());
    system.scatter(unit, by_node);
    for (std::size_t node = 1; node < by_node.size(); ++node) {
      if (by != By::position) {
        (by == By::velocity ? r.v : r.vdot)[node] += by_node[node];
        continue;
      }
      r.x[node] += by_node[node].head<3>();
      r.set_rotation(node, (r.quat[node] * math::so3::exp_quaternion(by_node[node].tail<3>())).normalized());
    }
    return r;
  };
  for (const By by : {By::acceleration, By::velocity, By::position}) {
    assembly::SparseMatrix matrix = system.make_matrix();
    const model::Factors factors{
        .m = by == By::acceleration ? 1.0 : 0, .c = by == By::velocity ? 1.0 : 0, .k = by == By::position ? 1.0 : 0};
    system.set_matrix(q, factors, 1, matrix);
    const math::MatrixX dense = dense_of(matrix);
    double largest = 0;
    double wrong = 0;
    std::string where;
    const int columns = by == By::acceleration ? system.free_unknowns() : system.size();
    for (int column = 0; column < columns; ++column) {
      const double d = column < system.free_unknowns() ? 1e-4 : 1e-3;
      const auto at = [&](double step) { return residual(moved(column, by, step)); };
      const model::VectorX difference = (8 * (at(d) - at(-d)) - (at(2 * d) - at(-2 * d))) / (12 * d);
      for (int row = 0; row < system.free_unknowns(); ++row) {
        largest = std::max(largest, std::abs(dense(row, column)));
        const double off = std::abs(dense(row, column) - difference[row]);
        if (off > wrong) where = system.name_of(row) + " by " + system.name_of(column);
        wrong = std::max(wrong, off);
      }
    }
    EXPECT_GT(largest, 1);
    EXPECT_LE(wrong, within * largest) << "MCK"[static_cast<int>(by)] << ": " << where;
  }
}

}  // namespace polhode::support
