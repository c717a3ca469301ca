// SPDX-License-Identifier: BSD-3-Clause
// KLU's factors stay few where pivots have to be sought off the diagonal.
#include "assembly/linear/klu_solver.hpp"

#include <gtest/gtest.h>

#include "integrators/moving_models.hpp"
#include "support/mechanisms.hpp"

namespace polhode::support {
namespace {

using assembly::KluSolver;
using assembly::SparseMatrix;

// Of the equations of a step of 1 ms.
int entries_of(const model::Model& model) {
  const Machine machine(model);
  SparseMatrix matrix = machine.system.make_matrix();
  const State q = moving_state(machine.system, 1);
  machine.system.set_matrix(q, {.m = 1, .c = 1e-3, .k = 1e-6, .b = 1}, 1, matrix);
  KluSolver solver(matrix);
  EXPECT_TRUE(solver.factorize());
  VectorX x = dense_of(matrix).rowwise().sum();
  solver.solve({x.data(), static_cast<std::size_t>(x.size())});
  EXPECT_LE((x - VectorX::Ones(matrix.size)).lpNorm<Eigen::Infinity>(), 1e-8);
  return solver.entries();
}

// By pivots that are sought in columns ordered for the diagonal such a ring has 3000 entries a body, longer ones more.
TEST(KluSolver, FactorsGrowWithTheNumberOfBodies) {
  EXPECT_LE(entries_of(ring_of_bodies(160)), 160 * 400);
  EXPECT_LE(entries_of(row_of_bodies(160, "revolute")), 160 * 400);
}

}  // namespace
}  // namespace polhode::support
