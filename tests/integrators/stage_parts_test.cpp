// SPDX-License-Identifier: BSD-3-Clause
// The parts that a state-space form is made of, each by the law that it states: places, lift, projections.
#include "integrators/stage_parts.hpp"

#include <gtest/gtest.h>

#include "support/equations.hpp"

namespace polhode::support {
namespace {

using integrators::ConstraintProjection;
using integrators::Coordinates;
using integrators::JacobianPlaces;
using integrators::Lift;

INSTANTIATE_TEST_SUITE_P(Models, StageParts, testing::ValuesIn(moving_models), name_of_model);

TEST_P(StageParts, PlacesOfRowsAreThoseOfTheGradientAndItsTranspose) {
  system.set_matrix_of_all_rows(q, {.m = 1, .b = 1}, 1, matrix);
  const MatrixX expected = dense_of(matrix);
  MatrixX B = MatrixX::Zero(system.rows(), n);
  MatrixX mirrored = B;
  int entries = 0;
  for (const JacobianPlaces::NodeColumn& at : places.columns) {
    const model::NodeUnknowns& u = system.unknowns()[static_cast<std::size_t>(at.node)];
    for (int k = 0; k < u.count; ++k, ++entries) {
      B(at.row, u.first + k) = matrix.values[static_cast<std::size_t>(at.place + k)];
      mirrored(at.row, u.first + k) = matrix.values[static_cast<std::size_t>(at.mirror + k * at.stride)];
    }
  }
  EXPECT_EQ(entries, places.entries) << "each entry belongs to one node and column";
  EXPECT_EQ(B, expected.topRightCorner(n, system.rows()).transpose());
  EXPECT_EQ(mirrored, expected.bottomLeftCorner(system.rows(), n));
  if (system.rows() == 0) return;
  EXPECT_LE(relative_difference(B, constraint_gradient(system, q)), 1e-14);
}

TEST_P(StageParts, PlacesOfNodesAndDiagonalsAreThoseOfTheFreeUnknowns) {
  system.set_matrix(q, {.m = 1, .c = 1, .k = 1}, 1, matrix);
  const MatrixX expected = dense_of(matrix).topLeftCorner(n, n);
  for (std::size_t i = 1; i < system.nodes(); ++i) {
    const model::NodeUnknowns& u = system.unknowns()[i];
    for (int r = 0; r < 6; ++r)
      for (int c = 0; c < 6; ++c) {
        const int place = places.nodes[i][static_cast<std::size_t>(r + 6 * c)];
        ASSERT_EQ(place >= 0, r < u.count && c < u.count);
        if (place < 0) continue;
        EXPECT_EQ(matrix.values[static_cast<std::size_t>(place)], expected(u.first + r, u.first + c));
      }
  }
  for (const auto& [begin, end] : places.inner) std::fill_n(matrix.values.begin() + begin, end - begin, 0.0);
  EXPECT_TRUE(dense_of(matrix).topLeftCorner(n, n).isZero(0));
  for (const int place : places.diagonal) matrix.values[static_cast<std::size_t>(place)] = 1;
  EXPECT_TRUE(dense_of(matrix).topLeftCorner(n, n).isIdentity(0));
}

TEST_P(StageParts, LiftIsTheWeightsTimesTheGradientTransposed) {
  for (const Coordinates coordinates : {Coordinates::weighted, Coordinates::mass, Coordinates::partition}) {
    Lift lift(system, places, coordinates);
    lift.update(q, 0.05);
    const MatrixX S = weights_of(lift);
    EXPECT_LE((S - S.transpose()).norm(), 1e-13 * S.norm());
    EXPECT_GE(support::least_eigenvalue(S), -1e-13 * S.norm());
    const MatrixX V = lift_of(lift);
    EXPECT_LE(relative_difference(dense_of(lift.matrix()).topLeftCorner(n, n), mass_matrix(system, q)), 1e-15);
    if (kept.empty()) continue;
    EXPECT_LE(relative_difference(V(Eigen::all, kept), S * gradient().transpose()), 1e-13);
    for (const int row : q.dropped.rows) EXPECT_TRUE(V.col(row).isZero(0)) << "of a dropped equation";
    for (int row = 0; row < system.rows(); ++row)
      EXPECT_EQ(lift.keeps(row), std::find(kept.begin(), kept.end(), row) != kept.end());
  }
}

// Stiffness and damping make a direction heavier, and no direction lighter.
TEST_P(StageParts, WeightsFallWithTheStepAndAreThoseOfTheMassAtZero) {
  Lift mass(system, places, Coordinates::mass);
  Lift weighted(system, places, Coordinates::weighted);
  mass.set_weights(q, 0.1);
  weighted.set_weights(q, 0);
  const MatrixX of_mass = weights_of(mass);
  EXPECT_LE(relative_difference(weights_of(weighted), of_mass), 1e-12);
  for (std::size_t i = 1; i < system.nodes(); ++i) {
    const model::NodeUnknowns& u = system.unknowns()[i];
    const MatrixX M = mass_matrix(system, q).block(u.first, u.first, u.count, u.count);
    const MatrixX S = mass.weights()[i].topLeftCorner(u.count, u.count);
    EXPECT_LE((M * S * M / mass.mass() - M).norm(), 1e-5 * M.norm())
        << "S = m M^-1, m a mass of the model, but for the mass added to nodes without any";
  }
  for (const double h : {1e-3, 0.1}) {
    weighted.set_weights(q, h);
    const MatrixX less = of_mass - weights_of(weighted);
    EXPECT_GE(support::least_eigenvalue(less), -1e-12 * of_mass.norm()) << h;
  }
}

TEST_P(StageParts, PartitionHasARegularDependentPartAndStaysUntilItIsDropped) {
  Lift lift(system, places, Coordinates::partition);
  lift.update(q, 0.1);
  std::vector<int> dependent;
  for (int j = 0; j < n; ++j)
    if (!lift.is_independent(j)) dependent.push_back(j);
  EXPECT_EQ(dependent.size(), kept.size());
  EXPECT_EQ(lift.counted(), n - static_cast<int>(kept.size()));
  if (!kept.empty()) {
    const MatrixX B = gradient();
    EXPECT_EQ(math::rank(B(Eigen::all, dependent), 1e-12), B.rows());
  }
  EXPECT_TRUE(lift.partition_holds(1.5)) << "the first answer is what others are compared with";
  EXPECT_TRUE(lift.partition_holds(5.9));
  lift.update(q, 0.1);
  EXPECT_EQ(lift.partitions(), 1);
  EXPECT_FALSE(lift.partition_holds(6.1));
  lift.update(q, 0.1);
  EXPECT_EQ(lift.partitions(), 2);
  EXPECT_TRUE(lift.partition_holds(100)) << "a new partition has a first answer of its own";
  State other = q;
  ++other.dropped.revision;
  lift.update(other, 0.1);
  EXPECT_EQ(lift.partitions(), 3) << "other equations count";
}

TEST_P(StageParts, ProjectionTakesTheViolationAwayAndDoesNothingTwice) {
  if (kept.empty()) return;
  std::mt19937 random(5);
  const MatrixX B = gradient();
  for (const Coordinates coordinates : {Coordinates::weighted, Coordinates::mass, Coordinates::partition}) {
    Lift lift(system, places, coordinates);
    lift.update(q, 0.05);
    ConstraintProjection projection(system, places, lift, matrix);
    system.set_matrix(q, {.m = 1, .b = 1}, 1, matrix);
    ASSERT_TRUE(projection.factorize(matrix));
    std::vector<Vec6> change(system.nodes(), Vec6::Zero());
    const VectorX violation = VectorX::Random(system.rows());
    projection.correct(violation, change);
    const VectorX once = free_of(system, change);
    EXPECT_LE((B * once + violation(kept)).norm(), 1e-10 * violation.norm());
    const MatrixX V = lift_of(lift)(Eigen::all, kept);
    EXPECT_LE((V * support::least_squares(V, once) - once).norm(), 1e-8 * once.norm()) << "along the lift";
    VectorX rest = VectorX::Zero(system.rows());
    rest(kept) = violation(kept) + B * once;
    projection.correct(rest, change);
    EXPECT_LE(free_of(system, change).norm(), 1e-10 * once.norm());
    for (int j = 0; j < n && coordinates == Coordinates::partition; ++j)
      EXPECT_TRUE(!lift.is_independent(j) || std::abs(once[j]) <= 1e-14 * once.norm()) << system.name_of(j);
    if (coordinates != Coordinates::mass) continue;
    // The least change in the norm of the mass has no part along motions that the constraints allow.
    const VectorX any = random_free(system, random);
    const VectorX allowed = any - support::least_norm(B, B * any);
    const MatrixX M = mass_matrix(system, q);
    EXPECT_LE(std::abs(allowed.dot(M * once)), 1e-6 * allowed.norm() * (M * once).norm());
  }
}

TEST_P(StageParts, ConsistentStatesMeetAllEquationsAndAreLeftAlone) {
  assembly::Residual r = system.make_residual();
  system.set_residual(q, r);
  VectorX Bv(system.rows());
  VectorX phi_t(system.rows());
  VectorX gamma(system.rows());
  system.set_rates(q, Bv, phi_t, gamma);
  State moving = q;
  moving.v = q.vdot;
  VectorX Bvdot(system.rows());
  VectorX unused(system.rows());
  VectorX unused2(system.rows());
  system.set_rates(moving, Bvdot, unused, unused2);
  double scale = 1;
  for (const Vec6& vdot : q.vdot) scale = std::max(scale, vdot.norm());
  EXPECT_LE(system.force_norm(r), 1e-11 * scale);
  EXPECT_LE(r.phi.norm(), 1e-12);
  EXPECT_LE(VectorX((Bv + phi_t)(kept)).norm(), 1e-12);
  EXPECT_LE(VectorX((Bvdot + gamma)(kept)).norm(), 1e-11 * scale);
  for (const Coordinates coordinates : {Coordinates::weighted, Coordinates::partition}) {
    integrators::StateSpace space(system, coordinates);
    State again = q;
    ASSERT_TRUE(make_consistent(system, space, again, q.t));
    for (std::size_t i = 1; i < system.nodes(); ++i) {
      EXPECT_LE((again.x[i] - q.x[i]).norm() + (again.R[i] - q.R[i]).norm(), 1e-12);
      EXPECT_LE((again.v[i] - q.v[i]).norm(), 1e-12);
      EXPECT_LE((again.vdot[i] - q.vdot[i]).norm(), 1e-9 * scale);
    }
  }
}

}  // namespace
}  // namespace polhode::support
