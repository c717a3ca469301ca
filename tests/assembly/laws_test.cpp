// SPDX-License-Identifier: BSD-3-Clause
// Laws of assembled systems: patterns, vectors by node, mobility, action and reaction, power, dependent constraints.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "integrators/moving_models.hpp"
#include "polhode/assembly/constraint_rank.hpp"
#include "polhode/assembly/linear/saddle.hpp"
#include "polhode/assembly/row_dependencies.hpp"
#include "polhode/assembly/sparse_algebra.hpp"

namespace polhode::support {
namespace {

using assembly::LinearSolver;
using assembly::SparseMatrix;
using assembly::System;

class SystemLaws : public testing::TestWithParam<MovingModel> {
 protected:
  SparseMatrix newton_matrix(double h) const {
    SparseMatrix matrix = system.make_matrix();
    system.set_matrix(q, {.m = 1, .c = h, .k = h * h, .b = 1}, 1, matrix);
    return matrix;
  }
  const Machine machine{GetParam().make()};
  const System& system = machine.system;
  const State q = moving_state(system, 12);
  const int n = system.free_unknowns();
  std::mt19937 random{7};
};
INSTANTIATE_TEST_SUITE_P(Models, SystemLaws, testing::ValuesIn(moving_models), name_of_model);

TEST_P(SystemLaws, PatternIsSymmetricAscendingAndKeepsEachValueOnce) {
  SparseMatrix matrix = system.make_matrix();
  std::fill(matrix.values.begin(), matrix.values.end(), 1.0);
  const MatrixX D = dense_of(matrix);
  EXPECT_EQ(D, D.transpose());
  EXPECT_EQ(D.maxCoeff(), 1);
  std::vector<int> used(matrix.values.size(), 0);
  for (int column = 0; column < matrix.size; ++column)
    for (int p = matrix.column_start[column]; p < matrix.column_start[column + 1]; ++p) {
      EXPECT_TRUE(p == matrix.column_start[column] || matrix.row[p] > matrix.row[p - 1]);
      ++used[static_cast<std::size_t>(matrix.place_of(p))];
    }
  // Columns in the rows of constraint equations have numbers below them that are of no entry.
  EXPECT_EQ(*std::max_element(used.begin(), used.end()), 1);
  EXPECT_EQ(static_cast<std::size_t>(std::count(used.begin(), used.end(), 1)), matrix.row.size());
}

TEST_P(SystemLaws, VectorsByNodeAndBackAreTheSame) {
  const VectorX free = random_free(system, random);
  assembly::Residual r = system.make_residual();
  r.force = by_node(system, free);
  r.phi.setRandom();
  VectorX all(system.size());
  system.gather(r, {}, -2.5, all);
  EXPECT_EQ(all.head(n), VectorX(-2.5 * free));
  EXPECT_EQ(all.tail(system.rows()), r.phi);
  EXPECT_NEAR(system.force_norm(r), free.norm(), 1e-14 * free.norm());
}

TEST_P(SystemLaws, ProductsAndDiagonalsOfSparseMatricesAreThoseOfDenseOnes) {
  SparseMatrix matrix = newton_matrix(0.1);
  const MatrixX D = dense_of(matrix);
  for (const int size : {n, matrix.size}) {
    const VectorX x = VectorX::Random(size);
    VectorX y(size);
    assembly::multiply(matrix, x.data(), y.data(), size);
    EXPECT_LE((y - D.topLeftCorner(size, size) * x).norm(), 1e-13 * y.norm());
  }
  int visited = 0;
  assembly::for_each_diagonal(matrix, n, [&](int i, double& value) {
    EXPECT_EQ(value, D(i, i));
    value += 3;
    ++visited;
  });
  EXPECT_EQ(visited, n);
  MatrixX shifted = D;
  shifted.diagonal().head(n).array() += 3;
  EXPECT_EQ(dense_of(matrix), shifted);
}

TEST_P(SystemLaws, SolversGiveBackWhatTheMatrixWasMultipliedWith) {
  for (const auto method : {LinearSolver::Method::automatic, LinearSolver::Method::klu})
    for (const double h : {1e-4, 0.05}) {
      const SparseMatrix matrix = newton_matrix(h);
      LinearSolver solver(matrix, method);
      ASSERT_TRUE(solver.factorize());
      const VectorX x = VectorX::Random(system.size());
      VectorX b(system.size());
      assembly::multiply(matrix, x.data(), b.data(), system.size());
      const VectorX right = b;
      solver.solve(b);
      EXPECT_LE((dense_of(matrix) * b - right).norm(), 1e-12 * dense_of(matrix).norm() * b.norm());
      EXPECT_LE((b - x).norm(), 1e-6 * x.norm());
      VectorX twice = -2 * right;
      solver.solve(twice);
      EXPECT_LE((twice + 2 * b).norm(), 1e-10 * b.norm());
    }
}

// Of forces to accelerations: of the rank of the motions that are left, where M is its inverse.
TEST_P(SystemLaws, MobilityIsSymmetricAndAProjectorWithTheMass) {
  assembly::Saddle saddle(system);
  ASSERT_TRUE(saddle.factorize(q));
  MatrixX mobility(n, n);
  for (int j = 0; j < n; ++j) {
    VectorX column = VectorX::Unit(system.size(), j);
    saddle.solve(column);
    mobility.col(j) = column.head(n);
  }
  const MatrixX M = mass_matrix(system, q);
  EXPECT_LE((mobility - mobility.transpose()).norm(), 1e-11 * mobility.norm());
  EXPECT_GE(Eigen::SelfAdjointEigenSolver<MatrixX>(mobility + mobility.transpose()).eigenvalues().minCoeff(),
            -1e-10 * mobility.norm());
  EXPECT_LE((mobility * M * mobility - mobility).norm(), 1e-10 * mobility.norm());
  const int left = n - static_cast<int>(kept_rows(system, q).size());
  EXPECT_NEAR((mobility * M).trace(), left, 1e-9 * n);
}

// dE/dt along a motion that meets all equations is the power of loads, dampers and drives.
TEST_P(SystemLaws, EnergyChangesByThePowerOfWhatComesFromOutside) {
  const auto energy = [&](double d) { return VectorX(VectorX::Constant(1, system.energies(flow(q, d)).total())); };
  const double rate = derivative(energy, 1e-4)[0];
  EXPECT_NEAR(rate, system.power(q), 1e-6 * (1 + std::abs(rate)));
}

// Springs and joints between bodies of a free chain: their forces and moments about the origin vanish together.
TEST(FreeChain, HasNoForceAndNoMomentFromWithin) {
  const Machine machine(chain(false, 6, true));
  const System& system = machine.system;
  State q = moving_state(system, 13);
  q.lambda.setRandom();
  for (Vec6& v : q.v) v.setZero();
  assembly::Residual r = system.make_residual();
  system.set_residual(q, r, {false, true, true});
  Vec3 force = Vec3::Zero();
  Vec3 moment = Vec3::Zero();
  double size = 0;
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    force += r.force[i].head<3>();
    moment += q.x[i].cross(Vec3(r.force[i].head<3>())) + q.R[i] * r.force[i].tail<3>();
    size += r.force[i].norm();
  }
  EXPECT_GT(size, 1);
  EXPECT_LE(force.norm() + moment.norm(), 1e-13 * size);
}

TEST(DependentConstraints, CombinationsVanishAndMultipliersOfLeastNormGiveTheSameForces) {
  const Machine machine(resolved_four_bar());
  const System& system = machine.system;
  const State q = system.initial_state();
  const assembly::ConstraintRank rank = assembly::constraint_rank(system, q);
  const MatrixX B = constraint_gradient(system, q);
  ASSERT_EQ(rank.redundant.size(), 3u);
  EXPECT_EQ(rank.rank + 3, system.rows());
  for (std::size_t i = 0; i < rank.dependencies.size(); ++i) {
    EXPECT_LE((B.transpose() * rank.dependencies[i]).norm(), 1e-12 * rank.dependencies[i].norm());
    EXPECT_NE(rank.dependencies[i][rank.redundant[i]], 0);
  }
  const VectorX before = VectorX::Random(system.rows());
  VectorX lambda = before;
  assembly::reduce_to_least_norm(rank, lambda);
  EXPECT_LE((B.transpose() * (lambda - before)).norm(), 1e-12);
  EXPECT_LT(lambda.norm(), before.norm());
  EXPECT_LE(std::abs(lambda.dot(lambda - before)), 1e-12) << "what was taken is normal to what is left";
  const VectorX once = lambda;
  assembly::reduce_to_least_norm(rank, lambda);
  EXPECT_LE((lambda - once).norm(), 1e-13);
}

// In each step, without a new look at the rank: the same multipliers, and how far dropped rows are from following.
TEST(DependentConstraints, AChoiceIsLookedAtWithoutQr) {
  const Machine machine(resolved_four_bar());
  const System& system = machine.system;
  State q = system.initial_state();
  const assembly::ConstraintRank rank = assembly::constraint_rank(system, q);
  q.dropped.rows = rank.redundant;
  assembly::RowDependencies dependencies(system, q.dropped);
  EXPECT_LE(dependencies.update(q), 1e-13);
  const VectorX before = VectorX::Random(system.rows());
  VectorX expected = before;
  assembly::reduce_to_least_norm(rank, expected);
  VectorX lambda = before;
  dependencies.reduce_to_least_norm(lambda);
  EXPECT_LE((lambda - expected).norm(), 1e-12);
  EXPECT_GT((lambda - before).norm(), 1e-2);

  // A body that leaves the plane: the distance is that of the farthest row from the span of those that are kept.
  q.set_rotation(1, q.quat[1] * math::so3::exp_quaternion(Vec3(0.02, 0.01, 0)));
  const MatrixX B = constraint_gradient(system, q);
  MatrixX scaled = B;
  for (Eigen::Index k = 0; k < B.cols(); ++k)
    if (k % 6 >= 3) scaled.col(k) /= system.length();
  std::vector<int> kept;
  for (int row = 0; row < system.rows(); ++row)
    if (std::find(rank.redundant.begin(), rank.redundant.end(), row) == rank.redundant.end()) kept.push_back(row);
  const MatrixX Bk = scaled(kept, Eigen::all).transpose();
  double farthest = 0;
  for (const int row : rank.redundant) {
    const VectorX unit = scaled.row(row).transpose().normalized();
    farthest = std::max(farthest, (unit - Bk * Bk.colPivHouseholderQr().solve(unit)).norm());
  }
  EXPECT_GT(farthest, 1e-4);
  EXPECT_NEAR(dependencies.update(q), farthest, 1e-9);
}

}  // namespace
}  // namespace polhode::support
