// SPDX-License-Identifier: BSD-3-Clause
// Stages of models of many bodies: what their elimination costs, and that it is that of dense algebra.
#include "polhode/integrators/rosenbrock/stage_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "integrators/stage_parts.hpp"
#include "polhode/assembly/linear/block_order.hpp"
#include "polhode/integrators/rosenbrock/stage_system.hpp"
#include "polhode/math/dense.hpp"
#include "support/mechanisms.hpp"

namespace polhode::support {
namespace {

using assembly::SparseMatrix;
using assembly::System;
using integrators::Coordinates;
using integrators::JacobianPlaces;
using integrators::Lift;
using integrators::StageLayout;

// Of a factorization of the stages' matrix.
double operations_of(const model::Model& model) {
  const Machine machine(model);
  const SparseMatrix matrix = machine.system.make_matrix();
  const StageLayout layout(JacobianPlaces(machine.system, matrix), matrix);
  return assembly::BlockOrder(SparseMatrix(layout.pattern), layout.leaders).operations();
}

TEST(StageLayout, OperationsOfRowsTreesAndLaddersGrowWithTheNumberOfBodies) {
  for (const char* type : {"spherical", "revolute"}) {
    EXPECT_LE(operations_of(row_of_bodies(400, type)), 4.05 * operations_of(row_of_bodies(100, type))) << type;
    EXPECT_LE(operations_of(binary_tree_of_bodies(255, type)), 4.3 * operations_of(binary_tree_of_bodies(63, type)))
        << type;
  }
  EXPECT_LE(operations_of(ladder_of_bodies(40)), 4.5 * operations_of(ladder_of_bodies(10)));
}

TEST(StageLayout, NodesWithoutForcesByRatesBetweenThemHalveTheOperations) {
  const Machine machine(row_of_bodies(50, "spherical"));
  const SparseMatrix matrix = machine.system.make_matrix();
  const JacobianPlaces places(machine.system, matrix);
  const std::vector<char> none(matrix.values.size(), 0);
  const StageLayout all(places, matrix);
  const StageLayout few(places, matrix, none);
  EXPECT_LE(assembly::BlockOrder(SparseMatrix(few.pattern), few.leaders).operations(),
            0.6 * assembly::BlockOrder(SparseMatrix(all.pattern), all.leaders).operations());
  EXPECT_EQ(all.by_positions.size(), 0u);
  EXPECT_EQ(few.by_positions.size(), 2u * 49) << "between a body and the next one, both ways";
}

// Factors take the place of the values, so that each of them has to be set again.
void expect_each_value_is_set_once(const StageLayout& layout) {
  std::vector<int> times(layout.pattern.values(), 0);
  const auto set = [&](int place, int count) {
    if (place < 0) return;
    for (int i = 0; i < count; ++i) ++times.at(static_cast<std::size_t>(place + i));
  };
  for (const auto& [of, p, w, z] : layout.forces)
    for (const int place : {p, w, z}) set(place, of.count());
  for (const auto* copies : {&layout.by_positions, &layout.forces_nu, &layout.lift})
    for (const auto& [from, to, count] : *copies) set(to, count);
  for (const StageLayout::Gradient& g : layout.gradients)
    for (const int place :
         {g.positions_p, g.velocities_p, g.velocities_w, g.accelerations_p, g.accelerations_w, g.accelerations_z})
      set(place, g.of.count());
  for (const auto& [begin, end] : layout.zeros) set(begin, end - begin);
  EXPECT_EQ(std::count(times.begin(), times.end(), 1), static_cast<std::ptrdiff_t>(times.size()));
}

TEST(StageLayout, PatternIsSymmetricAndEachValueIsSetOnce) {
  const Machine machine(driven_top());
  const SparseMatrix matrix = machine.system.make_matrix();
  const StageLayout layout(JacobianPlaces(machine.system, matrix), matrix);
  expect_each_value_is_set_once(layout);
  const assembly::SparsePattern& pattern = layout.pattern;
  MatrixX entries = MatrixX::Zero(pattern.size, pattern.size);
  for (int column = 0; column < pattern.size; ++column)
    for (int p = pattern.column_start[static_cast<std::size_t>(column)];
         p < pattern.column_start[static_cast<std::size_t>(column) + 1]; ++p)
      entries(pattern.row[static_cast<std::size_t>(p)], column) += 1;
  EXPECT_EQ(entries.maxCoeff(), 1);
  EXPECT_EQ((entries - entries.transpose()).norm(), 0);
}

TEST(StageLayout, NodesThatNoConstraintTouchesHaveNoChangeAlongTheLift) {
  const Machine machine(bent_cantilever());
  const SparseMatrix matrix = machine.system.make_matrix();
  const StageLayout layout(JacobianPlaces(machine.system, matrix), matrix);
  EXPECT_EQ(layout.lifts, 0);
  EXPECT_EQ(layout.pattern.size, machine.system.free_unknowns());
}

// Random trees of bodies with loops, in motion.
class StagesOfRandomTrees : public testing::TestWithParam<unsigned> {
 protected:
  const Machine machine{random_tree_of_bodies({.seed = GetParam(), .bodies = 12, .loops = 3})};
  const System& system = machine.system;
  const int n = system.free_unknowns();
  const int m = system.rows();
  SparseMatrix matrix = system.make_matrix();
  const JacobianPlaces places{system, matrix};
  State q = moving_state(system, GetParam());
};
INSTANTIATE_TEST_SUITE_P(Seeds, StagesOfRandomTrees, testing::Range(1u, 6u));

TEST_P(StagesOfRandomTrees, EachValueOfTheMatrixIsSetOnce) {
  expect_each_value_is_set_once(StageLayout(places, matrix));
  const std::vector<char> none(matrix.values.size(), 0);
  expect_each_value_is_set_once(StageLayout(places, matrix, none));
  expect_each_value_is_set_once(StageLayout(places, matrix, none, false));
}

// M V is B^T then, so that z is what multipliers do. Large steps make nodes stiff, and z comes back.
TEST_P(StagesOfRandomTrees, SolutionsWithoutAccelerationsAreThoseWithThemWhereNothingIsStiff) {
  const double gamma = 0.57;
  Lift lift(system, places, Coordinates::weighted);
  integrators::StageLinearization linearization(system, places);
  linearization.linearize(q, 0.01);
  const integrators::StageTangents& t = linearization.tangents();
  integrators::StageSystem with(places, lift, t, matrix);
  integrators::StageSystem without(places, lift, t, matrix, false);
  std::mt19937 random(GetParam());
  bool was_stiff = false;
  for (const double h : {1e-4, 1e-2, 100.0, 1e-4}) {
    lift.update(q, h);
    EXPECT_EQ(lift.is_of_mass(), h < 1) << h;
    if (lift.is_of_mass()) {
      const MatrixX M = dense_of(lift.matrix()).topLeftCorner(n, n);
      const MatrixX B = dense_of(lift.matrix()).bottomLeftCorner(m, n);
      EXPECT_LE(relative_difference(M * lift_of(system, places, lift), lift.mass() * B.transpose()), 1e-12);
    }
    ASSERT_TRUE(with.factorize(h, gamma));
    ASSERT_TRUE(without.factorize(h, gamma));
    was_stiff = was_stiff || !lift.is_of_mass();
    EXPECT_EQ(without.has_multipliers(), was_stiff) << h << ": for good, once a node was stiff";
    const VectorX b = random_free(system, random);
    const VectorX d = random_free(system, random);
    VectorX u(n);
    VectorX expected(n);
    with.solve(b, d, 0.004, expected);
    without.solve(b, d, 0.004, u);
    EXPECT_LE(relative_difference(u, expected), 1e-9) << h;
    EXPECT_LE(relative_difference(without.w(), with.w()), 1e-9) << h;
  }
}

// The equations of stage_system.hpp, with w = V y and z = V x.
TEST_P(StagesOfRandomTrees, SolutionsAreThoseOfDenseAlgebra) {
  const double h = 0.01;
  const double gamma = 0.57;
  const double s = h * gamma;
  const double dt = 0.004;
  std::mt19937 random(GetParam());
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const Coordinates coordinates : {Coordinates::weighted, Coordinates::mass, Coordinates::partition}) {
    Lift lift(system, places, coordinates);
    lift.update(q, h);
    integrators::StageLinearization linearization(system, places);
    linearization.linearize(q, h);
    integrators::StageTangents t = linearization.tangents();
    integrators::StageSystem stages(places, lift, t, matrix);
    ASSERT_TRUE(stages.factorize(h, gamma));
    if (GetParam() % 2 == 0) {
      for (const auto& [begin, end] : places.inner)
        for (int p = begin; p < end; ++p) t.C.values[static_cast<std::size_t>(p)] += 0.1 * uniform(random);
      ASSERT_TRUE(stages.factorize(h, gamma)) << "forces by velocities where there have been none";
    }
    const VectorX b = random_free(system, random);
    const VectorX d = random_free(system, random);
    VectorX u(n);
    stages.solve(b, d, dt, u);

    const MatrixX V = lift_of(system, places, lift);
    const MatrixX M = dense_of(lift.matrix()).topLeftCorner(n, n);
    const MatrixX C = dense_of(t.C).topLeftCorner(n, n);
    const MatrixX K = dense_of(t.K).topLeftCorner(n, n);
    const MatrixX B = dense_of(t.K).bottomLeftCorner(m, n);
    const MatrixX Z = dense_of(t.Z).bottomLeftCorner(m, n);
    const MatrixX A1 = dense_of(t.A1).bottomLeftCorner(m, n);
    MatrixX all = MatrixX::Zero(n + 3 * m, n + 3 * m);
    const double mass = lift.mass();
    all.topRows(n) << (M + s * C + s * s * K) / mass, s * C * V / mass, M * V / mass, B.transpose();
    all.block(n, 0, m, n) = B;
    all.block(n + m, 0, m, n + m) << s * Z, B * V;
    all.bottomLeftCorner(m, n + 2 * m) << s * s * A1 + 2 * s * Z, 2 * s * Z * V, B * V;
    const VectorX inertial = h * d + h * gamma * gamma * b;
    const VectorX positions = -dt * t.Phi_t;
    VectorX right(n + 3 * m);
    right << (M * inertial + h * h * gamma * C * d - s * s * dt * t.r_t) / mass, positions,
        h * B * d - positions - s * dt * t.b_t,
        B * inertial + 2 * h * h * gamma * Z * d - s * s * dt * t.a_t - positions;
    const VectorX expected = (math::solve(all, right).col(0).head(n) - h * d) / s;
    EXPECT_LE((u - expected).norm(), 1e-8 * (1 + expected.norm())) << static_cast<int>(coordinates);
    EXPECT_TRUE(stages.uses_blocks() || coordinates == Coordinates::partition) << static_cast<int>(coordinates);
  }
}

// Random trees of more than the unknowns whose pivots are chosen by dense algebra.
TEST_P(StagesOfRandomTrees, PartitionsAlongTheRowsHaveARegularDependentPart) {
  ASSERT_GT(n, 60);
  Lift lift(system, places, Coordinates::partition);
  lift.update(q, 0.1);
  std::vector<int> dependent;
  std::vector<int> independent;
  for (int j = 0; j < n; ++j) (lift.is_independent(j) ? independent : dependent).push_back(j);
  ASSERT_EQ(static_cast<int>(dependent.size()), m);
  const MatrixX B = constraint_gradient(system, q);
  const MatrixX answers = math::solve(B(Eigen::all, dependent), B(Eigen::all, independent));
  EXPECT_LE(answers.cwiseAbs().maxCoeff(), 1e4) << "of dependent unknowns to changes of independent ones";
}

TEST(StagesOfManyBodies, ProjectionsOfRandomVelocitiesMeetTheConstraints) {
  for (const Coordinates coordinates : {Coordinates::weighted, Coordinates::partition}) {
    const Machine machine(row_of_bodies(300, "revolute"));
    const System& system = machine.system;
    State q = system.initial_state();
    std::mt19937 random(7);
    q.v = by_node(system, random_free(system, random));
    integrators::StateSpace space(system, coordinates);
    ASSERT_TRUE(make_consistent(system, space, q, 0));
    VectorX Bv(system.rows());
    VectorX phi_t(system.rows());
    VectorX gamma(system.rows());
    system.set_rates(q, Bv, phi_t, gamma);
    EXPECT_LE((Bv + phi_t).lpNorm<Eigen::Infinity>(), 1e-9) << static_cast<int>(coordinates);
  }
}

}  // namespace
}  // namespace polhode::support
