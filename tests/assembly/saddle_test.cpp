// SPDX-License-Identifier: BSD-3-Clause
// Mass matrix with constraints, and the rank of the constraints.
#include "polhode/assembly/linear/saddle.hpp"

#include <gtest/gtest.h>

#include "polhode/assembly/largest_mass.hpp"
#include "polhode/math/dense.hpp"
#include "support/bench.hpp"
#include "support/dense.hpp"
#include "support/models.hpp"

namespace polhode::support {
namespace {

using assembly::constraint_rank;
using assembly::ConstraintRank;
using assembly::Saddle;
using assembly::System;

TEST(ConstraintRank, FindsThreeRowsTooManyInAPlanarFourBar) {
  const Machine machine(rigid_four_bar());
  const State q = machine.system.initial_state();
  const ConstraintRank rank = constraint_rank(machine.system, q);
  EXPECT_EQ(machine.system.rows(), 20);
  EXPECT_EQ(rank.rank, 17);
  ASSERT_EQ(rank.redundant.size(), 3u);
  // the rows that it does not name are independent
  const MatrixX B = constraint_gradient(machine.system, q);
  std::vector<int> others;
  for (int row = 0; row < 20; ++row)
    if (std::find(rank.redundant.begin(), rank.redundant.end(), row) == rank.redundant.end()) others.push_back(row);
  EXPECT_EQ(math::rank(B(others, Eigen::all).transpose(), 1e-12), 17);
}

model::Model resolved_four_bar() {
  model::Model model = rigid_four_bar();
  model.resolve_redundant = true;
  return model;
}

TEST(DroppedConstraints, HaveRowsAndColumnsOfTheIdentityAndNothingElseChanges) {
  const Machine machine(resolved_four_bar());
  const System& system = machine.system;
  const int k = system.free_unknowns();
  State q = system.initial_state();
  assembly::SparseMatrix all = system.make_matrix();
  assembly::SparseMatrix some = system.make_matrix();
  system.set_matrix(q, {.m = 1, .b = 1}, 1, all);
  q.dropped.rows = constraint_rank(system, q).redundant;
  ASSERT_EQ(q.dropped.count(), 3);
  system.set_matrix(q, {.m = 1, .b = 1}, 1, some);
  MatrixX expected = dense_of(all);
  for (const int row : q.dropped.rows) {
    expected.row(k + row).setZero();
    expected.col(k + row).setZero();
    expected(k + row, k + row) = 1;
  }
  EXPECT_EQ(dense_of(some), expected);
}

TEST(DroppedConstraints, AreZeroInRightHandSides) {
  const Machine machine(resolved_four_bar());
  const System& system = machine.system;
  const int k = system.free_unknowns();
  assembly::Residual r = system.make_residual();
  r.phi.setOnes();
  VectorX vector(system.size());
  system.gather(r, {.rows = {2, 5}, .open = {}, .revision = 1}, 1, vector);
  for (int row = 0; row < system.rows(); ++row) EXPECT_EQ(vector[k + row], row == 2 || row == 5 ? 0 : 1) << row;
}

// One system serves states that drop different equations: nothing of one is left for the other.
TEST(DroppedConstraints, BelongToTheState) {
  const Machine machine(resolved_four_bar());
  const System& system = machine.system;
  State q = system.initial_state();
  const auto accelerations = [&](const State& at) {
    State made = at;
    Saddle saddle(system);
    EXPECT_TRUE(saddle.factorize(made));
    EXPECT_TRUE(saddle.set_accelerations(made, VectorX::Zero(system.rows())));
    return made;
  };
  q.dropped.rows = constraint_rank(system, q).redundant;
  const State first = accelerations(q);
  State other = q;
  other.dropped.rows.clear();
  assembly::SparseMatrix matrix = system.make_matrix();
  system.set_matrix(other, {.m = 1, .b = 1}, 1, matrix);
  EXPECT_EQ(accelerations(q).lambda, first.lambda);
  for (const int row : q.dropped.rows) EXPECT_EQ(first.lambda[row], 0);
}

// Two bodies in a row on hinges, of 1e-2 m, under gravity. All inertia is multiplied by `scale`.
model::Model hinged_bodies(double scale) {
  ModelMaker m;
  m.model.gravity = Vec3(0, 0, -9.81);
  m.node("a", Vec3(0.01, 0, 0));
  m.node("b", Vec3(0.02, 0, 0));
  m.body("a", "a", 0.1 * scale, 1e-6 * scale * Vec3::Ones());
  m.body("b", "b", 0.1 * scale, 1e-6 * scale * Vec3::Ones());
  m.joint("spherical", "pin", "ground", "a", Vec3::Zero());
  m.joint("spherical", "middle", "a", "b", Vec3(0.01, 0, 0));
  return m.model;
}

// M is 1e-30 of B here: accelerations do not depend on the unit of mass, multipliers are proportional to it.
TEST(Saddle, IsRegularInAnyUnitOfMass) {
  const auto start_of = [](double scale) {
    const Machine machine(hinged_bodies(scale));
    State q = machine.system.initial_state();
    Saddle saddle(machine.system);
    EXPECT_TRUE(saddle.factorize(q)) << scale;
    EXPECT_TRUE(saddle.set_accelerations(q, VectorX::Zero(machine.system.rows()))) << scale;
    return q;
  };
  const State plain = start_of(1);
  for (const double scale : {1e-6, 1e-12, 1e-18, 1e-30, 1e15, 1e30}) {
    const State q = start_of(scale);
    for (std::size_t i = 1; i < q.vdot.size(); ++i)
      EXPECT_LE((q.vdot[i] - plain.vdot[i]).norm(), 1e-9 * plain.vdot[i].norm()) << scale;
    EXPECT_LE((q.lambda / scale - plain.lambda).norm(), 1e-9 * plain.lambda.norm()) << scale;
  }
}

TEST(Saddle, OfABodyWithoutInertiaThatNothingHoldsIsSingular) {
  model::Model model = hinged_bodies(1e-18);
  model.entries[1].values["inertia"] = math::MatrixX(Mat3::Zero());
  const Machine machine(std::move(model));
  Saddle saddle(machine.system);
  EXPECT_FALSE(saddle.factorize(machine.system.initial_state()));
}

TEST(ConstraintRank, IsFullForSphericalHingesAndATree) {
  model::Model model = rigid_four_bar();
  for (const std::size_t i : {4u, 5u}) {  // hinges B and C
    model.entries[i].kind = model::find_kind(Family::joint, "spherical");
    model.entries[i].values.erase("axis");
  }
  const Machine machine(std::move(model));
  const ConstraintRank rank = constraint_rank(machine.system, machine.system.initial_state());
  EXPECT_EQ(rank.rank, machine.system.rows());
  EXPECT_TRUE(rank.redundant.empty());
}

TEST(ConstraintRank, CountsRowsOnSupportsThatTakeAllUnknownsAway) {
  ModelMaker m;
  m.node("a", Vec3::Zero()).fixed.fill(true);
  m.node("b", Vec3::UnitX()).fixed.fill(true);
  m.body("one", "a", 1, Vec3(1, 1, 1));
  m.joint("spherical", "ball", "a", "b", Vec3::UnitX());
  const Machine machine(std::move(m.model));
  EXPECT_EQ(constraint_rank(machine.system, machine.system.initial_state()).redundant, (std::vector<int>{0, 1, 2}));
}

// Rows counted by elimination and by QR alike: a long chain, and the same chain with a second support at its end.
TEST(ConstraintRank, LongChainsAreCountedToo) {
  for (const bool closed : {false, true}) {
    ModelMaker m;
    std::string last = "ground";
    for (int i = 0; i < 40; ++i) {
      const std::string name = "link" + std::to_string(i);
      m.node(name, Vec3(i + 0.5, 0, 0));
      m.body(name, name, 1, Vec3(0.1, 1, 1));
      m.joint("revolute", "pin" + std::to_string(i), last, name, Vec3(i, 0, 0))
          .values.emplace("axis", value(Vec3(0, 1, 0)));
      last = name;
    }
    if (closed) m.joint("revolute", "end", last, "ground", Vec3(40, 0, 0)).values.emplace("axis", value(Vec3(0, 1, 0)));
    const Machine machine(std::move(m.model));
    const ConstraintRank rank = constraint_rank(machine.system, machine.system.initial_state());
    // The chain moves in its plane alone, so three of the five rows of the last joint are there already; a straight
    // chain cannot begin to change its length either.
    EXPECT_EQ(rank.rank, closed ? 5 * 40 + 1 : 5 * 40);
    EXPECT_EQ(rank.redundant.size(), closed ? 4u : 0u);
  }
}

TEST(Saddle, CorrectsARateMassOrthogonally) {
  const Machine machine(heavy_top());
  const System& system = machine.system;
  const State q = system.initial_state();
  Saddle saddle(system);
  ASSERT_TRUE(saddle.factorize(q));
  VectorX x(system.size());
  x << VectorX::Zero(system.free_unknowns()), 1, -2, 3;
  saddle.solve(x);
  const MatrixX B = constraint_gradient(system, q);
  const VectorX dv = x.head(system.free_unknowns());
  EXPECT_LE((B * dv - Vec3(1, -2, 3)).norm(), 1e-13);
  Vec6 M;
  M << 15, 15, 15, 0.234375, 0.46875, 0.234375;
  EXPECT_LE((M.asDiagonal() * dv + B.transpose() * x.tail(3)).norm(), 1e-12);  // M dv in the range of B^T: least change
}

TEST(LargestMass, IsThatOfTheHeaviestNodeThatCanMove) {
  ModelMaker m;
  m.node("light", Vec3::UnitX());
  m.node("heavy", Vec3::UnitY()).fixed = {true, true, false, false, false, false};
  m.node("held", Vec3::UnitZ()).fixed.fill(true);
  m.body("light", "light", 2, Vec3(30, 30, 30));
  m.body("heavy", "heavy", 5, Vec3(1, 1, 1));
  m.body("held", "held", 100, Vec3(1, 1, 1));
  const Machine machine(std::move(m.model));
  assembly::SparseMatrix M = machine.system.make_matrix();
  machine.system.set_matrix(machine.system.initial_state(), {.m = 1}, 1, M);
  EXPECT_EQ(assembly::largest_mass(machine.system, M), 5) << "moments of inertia and held nodes do not count";
}

// What hangs on the first hinge of a row has an inertia of (N L)^2 N m/3, here 4 N^3 = 1e11 times that of a bar. No
// number is lost as long as the free direction of a hinge is an axis of its bodies.
TEST(Saddle, ALongRowOfHingesIsEliminatedByBlocks) {
  constexpr int bodies = 3000;
  ModelMaker m;
  std::string before = "ground";
  for (int i = 0; i < bodies; ++i) {
    const std::string name = "b" + std::to_string(i);
    m.node(name, Vec3(i + 0.5, 0, 0));
    m.body(name, name, 1, Vec3::Constant(1.0 / 12));
    m.joint("revolute", "j" + std::to_string(i), before, name, Vec3(i, 0, 0))
        .values.emplace("axis", value(Vec3::UnitY()));
    before = name;
  }
  const Machine machine(std::move(m.model));
  const System& system = machine.system;
  assembly::SparseMatrix matrix = system.make_matrix();
  system.set_matrix(system.initial_state(), {.m = 1, .b = 1}, 1, matrix);
  assembly::LinearSolver solver(matrix);
  ASSERT_TRUE(solver.factorize());
  EXPECT_TRUE(solver.uses_blocks());
  const VectorX expected = VectorX::Random(system.size());
  VectorX x = VectorX::Zero(system.size());
  for (int column = 0; column < system.size(); ++column)
    for (int p = matrix.column_start[column]; p < matrix.column_start[column + 1]; ++p)
      x[matrix.row[p]] += matrix.at(p) * expected[column];
  solver.solve(x);
  EXPECT_LE((x - expected).head(system.free_unknowns()).norm(), 1e-6 * expected.norm());
}

// A bob of 0.5 kg, nearly a point, on an arm of 1 m: the mobility of its mass is 1e-9 of that of its inertia, and a moment
// on it comes to the joint all the same.
TEST(Saddle, ABodyThatIsNearlyAPointCarriesMoments) {
  for (const double inertia : {1e-3, 1e-6, 1e-9, 1e-12}) {
    ModelMaker m;
    m.node("cart", Vec3::Zero());
    m.node("bob", Vec3::UnitZ());
    m.body("cart", "cart", 2, Vec3(0.1, 0.1, 0.1));
    m.body("bob", "bob", 0.5, Vec3::Constant(inertia));
    m.joint("prismatic", "rail", "ground", "cart", Vec3::Zero()).values.emplace("axis", value(Vec3::UnitX()));
    m.joint("revolute", "pin", "cart", "bob", Vec3::Zero()).values.emplace("axis", value(Vec3::UnitY()));
    const Machine machine(std::move(m.model));
    Saddle saddle(machine.system);
    ASSERT_TRUE(saddle.factorize(machine.system.initial_state()));
    VectorX x = VectorX::Zero(machine.system.size());
    x[9] = 1;  // moment about x on the bob, which pin and rail hold
    saddle.solve(x);
    EXPECT_LE(x.head(12).lpNorm<Eigen::Infinity>(), 1e-9) << inertia;
  }
}

TEST(Saddle, TellsASingularPair) {
  ModelMaker m;
  m.node("bare", Vec3::UnitX());
  m.joint("spherical", "ball", "ground", "bare", Vec3::UnitX());  // nothing resists the rotation
  const Machine machine(std::move(m.model));
  Saddle saddle(machine.system);
  EXPECT_FALSE(saddle.factorize(machine.system.initial_state()));
}

}  // namespace
}  // namespace polhode::support
