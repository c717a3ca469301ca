// SPDX-License-Identifier: BSD-3-Clause
// Order of elimination of bodies with joints: fill, places of constraint equations, solutions.
#include "polhode/assembly/linear/block_order.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "polhode/assembly/linear/block_solver.hpp"
#include "polhode/assembly/linear/linear_solver.hpp"
#include "polhode/assembly/linear/saddle.hpp"
#include "polhode/integrators/generalized_alpha/index2_layout.hpp"
#include "support/deck_text.hpp"
#include "support/mechanisms.hpp"

namespace polhode::support {
namespace {

using assembly::BlockOrder;
using assembly::BlockSolver;
using assembly::LinearSolver;
using assembly::SparseMatrix;

BlockOrder order_of(model::Model model) {
  const Machine machine(std::move(model));
  return BlockOrder(machine.system.make_matrix());
}

BlockOrder index2_order_of(model::Model model) {
  const Machine machine(std::move(model));
  const auto layout = integrators::make_index2_layout(machine.system);
  return BlockOrder(SparseMatrix(layout.pattern), layout.leaders);
}

// A body is coupled with its joint and the next body, the joint with the next body. In a tree the last ones are not
// always those at the root: some joints of the way to it have two bodies left.
TEST(BlockOrder, RowsHaveNoFillAndTreesNextToNone) {
  for (const char* joint : {"spherical", "revolute"})
    for (const int bodies : {1, 2, 15, 127, 1023})
      for (const BlockOrder& order :
           {order_of(row_of_bodies(bodies, joint)), order_of(binary_tree_of_bodies(bodies, joint))}) {
        SCOPED_TRACE(std::string(joint) + ", bodies: " + std::to_string(bodies));
        EXPECT_EQ(order.block.size(), 2u * static_cast<unsigned>(bodies));
        EXPECT_LE(order.later.size(), 3.05 * bodies + 6);
        EXPECT_LE(order.products, 5.1 * bodies + 40);
      }
}

TEST(BlockOrder, FillOfRingsAndRandomTreesIsProportionalToTheirSize) {
  for (const int bodies : {30, 300, 1500}) {
    EXPECT_LE(order_of(ring_of_bodies(bodies)).products, 50 * bodies);
    EXPECT_LE(order_of(random_tree_of_bodies({.seed = 4, .bodies = bodies})).products, 8 * bodies);
  }
}

// Arms of two bodies each, at a hub or at the ground.
model::Model arms_of_bodies(int arms, const std::string& root) {
  ModelMaker m;
  const auto add = [&m](const std::string& name, const Vec3& at) {
    m.node(name, at);
    m.body(name, name, 1, Vec3(0.1, 0.2, 0.2));
  };
  if (root != "ground") add(root, Vec3(0, 0, 0));
  for (int i = 0; i < arms; ++i) {
    const std::string inner = fmt::format("inner{}", i);
    const std::string outer = fmt::format("outer{}", i);
    add(inner, Vec3(1, i, 0));
    add(outer, Vec3(2, i, 0));
    m.joint("spherical", "at_" + inner, root, inner, Vec3(0.5, i, 0));
    m.joint("spherical", "at_" + outer, inner, outer, Vec3(1.5, i, 0));
  }
  return std::move(m.model);
}

// Small parts that are many are work for several threads; those beside a long one stay in its order.
TEST(BlockOrder, SmallPartsAreTasksWhereTheyAreMany) {
  for (const char* root : {"ground", "hub"}) {
    const BlockOrder order = order_of(arms_of_bodies(800, root));
    EXPECT_GE(order.task_begin.size(), 9u) << root;
    EXPECT_LE(order.block.size() - static_cast<std::size_t>(order.task_begin.back()), 2u) << root;
  }
  for (const int p : {2, 4, 8}) {
    const BlockOrder order = order_of(
        deck_of(fmt::format("format: polhode-deck/1\n"
                            "nodes: {{root: {{position: [0, 0, 0], fixed: true}}, tip: {{position: [100, 0, 0]}}}}\n"
                            "sections: {{s: {{stiffness: {{EA: 1e6, GAy: 1e6, GAz: 1e6, GJ: 1e3, EIy: 1e3, EIz: 1e3}}, "
                            "mass: {{per_length: 1, inertia: [0.02, 0.01, 0.01]}}}}}}\n"
                            "beams: {{b: {{section: s, from: root, to: tip, elements: {}, order: {}}}}}\n"
                            "analysis: {{type: transient, duration: 1, step: 0.01}}\n",
                            4000 / p, p))
            .model);
    EXPECT_EQ(order.task_begin.size(), 3u) << "from both ends, order " << p;
    EXPECT_LE(order.block.size() - static_cast<std::size_t>(order.task_begin.back()), 20u) << "order " << p;
  }
}

// What a factorization takes is known before it is laid out.
TEST(BlockOrder, CountsTheBytesOfItsBlocks) {
  const Machine machine(row_of_bodies(100, "spherical"));
  const SparseMatrix matrix = machine.system.make_matrix();
  const BlockOrder order(matrix);
  const assembly::BlockLayout layout(matrix, order, false);
  const double blocks = 8.0 * layout.own_values;
  EXPECT_GE(order.bytes(), blocks);
  EXPECT_LE(order.bytes(), 1.1 * blocks);
  EXPECT_EQ(order.bytes(100 * 288), order.bytes() - 100 * 288);
}

// Each rung closes a loop that reaches down to the ground.
TEST(BlockOrder, FillOfLaddersIsProportionalToTheirSize) {
  for (const int rungs : {10, 100, 1000}) EXPECT_LE(order_of(ladder_of_bodies(rungs)).products, 450 * rungs);
}

// The pivot of a joint is one over a mass.
TEST(BlockOrder, LeadsToBlocksInAnyUnitOfMass) {
  for (const double unit : {1.0, 1e6, 1e12, 1e18}) {
    model::Model model = row_of_bodies(10, "revolute");
    for (model::Entry& entry : model.entries)
      if (entry.family == Family::body) {
        entry.values["mass"] = unit;
        entry.values["inertia"] = math::MatrixX(Mat3(0.2 * unit * Mat3::Identity()));
      }
    const Machine machine(std::move(model));
    SparseMatrix matrix = machine.system.make_matrix();
    machine.system.set_matrix(machine.system.initial_state(), {.m = 1, .b = 1}, 1, matrix);
    EXPECT_TRUE(BlockSolver(matrix).factorize()) << unit;
  }
}

// Of a solution for a right-hand side, against what was summed up: the most that a row misses.
double missed(const SparseMatrix& matrix, auto& solver) {
  const VectorX rhs = VectorX::LinSpaced(matrix.size, -1, 2);
  VectorX x = rhs;
  solver.solve({x.data(), static_cast<std::size_t>(x.size())});
  VectorX left = rhs;
  VectorX sizes = rhs.cwiseAbs();
  for (int column = 0; column < matrix.size; ++column)
    for (int p = matrix.column_start[column]; p < matrix.column_start[column + 1]; ++p) {
      left[matrix.row[p]] -= matrix.at(p) * x[column];
      sizes[matrix.row[p]] += std::abs(matrix.at(p) * x[column]);
    }
  return (left.array() / sizes.array()).abs().maxCoeff();
}

void set_body(model::Entry& entry, double mass, double inertia) {
  entry.values["mass"] = mass;
  entry.values["inertia"] = math::MatrixX(Mat3(inertia * Mat3::Identity()));
}

SparseMatrix matrix_at_start(const Machine& machine) {
  SparseMatrix matrix = machine.system.make_matrix();
  machine.system.set_matrix(machine.system.initial_state(), {.m = 1, .b = 1}, 1, matrix);
  return matrix;
}

// A joint at the edge of a task adds to the body above it what looks like a tiny pivot in other units, and is none.
TEST(BlockOrder, OfLargeTreesHasTasksInAnyUnitOfMass) {
  for (const double unit : {1.0, 1e6, 1e18}) {
    model::Model model = binary_tree_of_bodies(1023, "spherical");
    for (model::Entry& entry : model.entries)
      if (entry.family == Family::body) set_body(entry, unit, 0.2 * unit);
    const Machine machine(std::move(model));
    const SparseMatrix matrix = matrix_at_start(machine);
    EXPECT_GE(BlockOrder(matrix).task_begin.size(), 3u);
    BlockSolver blocks(matrix);
    ASSERT_TRUE(blocks.factorize()) << unit;
    EXPECT_LE(missed(matrix, blocks), 1e-10) << unit;
  }
}

// A task of the positions before `top`, of an order whose positions follow each other in the elimination tree.
BlockOrder with_task(BlockOrder order, int top) {
  order.task_begin = {0, top};
  order.task_work = {1};
  return order;
}

// A row on ground or in the air that holds a body of another kind than the rest, cut between any two blocks: what is
// nearly a point hides its mass from its joint, and what hangs on a joint is rightly heavy, also where the one is in a
// task and the other is not.
TEST(BlockOrder, TasksJudgePivotsAsEliminationWithoutTasksDoes) {
  constexpr int bodies = 6;
  struct Kind {
    double mass;
    double inertia;
    bool is_held;
  };
  int taken = 0;
  int refused = 0;
  for (const Kind& kind : {Kind{1, 1e-9, true},
                           {1, 1e-9, false},
                           {1e11, 1e11, true},
                           {1e11, 1e11, false},
                           {1e-13, 1e-13, true},
                           {1e-13, 1e-13, false},
                           {1e13, 1, false}})
    for (int other = 0; other < bodies; ++other) {
      model::Model model = row_of_bodies(bodies, "revolute");
      const auto first_joint = std::find_if(model.entries.begin(), model.entries.end(),
                                            [](const model::Entry& entry) { return entry.family == Family::joint; });
      if (!kind.is_held) model.entries.erase(first_joint);
      for (model::Entry& entry : model.entries)
        if (entry.name == "body" + std::to_string(other)) set_body(entry, kind.mass, kind.inertia);
      const Machine machine(std::move(model));
      const SparseMatrix matrix = matrix_at_start(machine);
      const BlockOrder order(matrix);
      BlockSolver by_one(matrix, order);
      const bool is_taken = by_one.factorize();
      ++(is_taken ? taken : refused);
      int cuts = 0;
      for (int top = 1; top < static_cast<int>(order.block.size()); ++top) {
        SCOPED_TRACE(fmt::format("mass {}, inertia {}, body {}, top {}", kind.mass, kind.inertia, other, top));
        if (order.later[order.start[top - 1]] != top) break;
        ++cuts;
        BlockSolver by_task(matrix, with_task(order, top));
        ASSERT_EQ(by_task.factorize(), is_taken);
        if (!is_taken) continue;
        EXPECT_LE(missed(matrix, by_task), 10 * std::max(missed(matrix, by_one), 1e-14));
      }
      EXPECT_GE(cuts, bodies - 1);
    }
  EXPECT_GE(taken, 10);
  EXPECT_GE(refused, 10);
}

TEST(BlockOrder, OfSmallModelsHasNoTasks) {
  EXPECT_EQ(order_of(row_of_bodies(100, "spherical")).task_begin.size(), 1u);
  EXPECT_EQ(order_of(binary_tree_of_bodies(100, "spherical")).task_begin.size(), 1u);
}

// Four blocks in the place of two: body and joint of index 3, p and eta.
TEST(BlockOrder, FillOfTheIndex2MatrixIsProportionalToTheSizeOfRowsAndTrees) {
  for (const int bodies : {15, 127, 1023}) {
    EXPECT_LE(index2_order_of(row_of_bodies(bodies, "revolute")).products, 80 * bodies);
    EXPECT_LE(index2_order_of(binary_tree_of_bodies(bodies, "spherical")).products, 80 * bodies);
  }
}

TEST(BlockOrder, IsAPermutationWhereEachGroupFollowsANodeThatItActsOn) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const Machine machine(random_tree_of_bodies({.seed = seed, .bodies = 40, .loops = 6, .is_held = seed % 2 == 0}));
    const SparseMatrix matrix = machine.system.make_matrix();
    const BlockOrder order(matrix);
    std::vector<int> position(order.block.size(), -1);
    for (std::size_t p = 0; p < order.block.size(); ++p) position[static_cast<std::size_t>(order.block[p])] = int(p);
    EXPECT_EQ(std::count(position.begin(), position.end(), -1), 0);
    for (std::size_t group = 40; group < position.size(); ++group) {
      bool follows = false;
      const int column = matrix.block_start[group];
      for (int p = matrix.column_start[column]; p < matrix.column_start[column + 1]; p += 6)
        follows = follows || position[static_cast<std::size_t>(matrix.row[p] / 6)] < position[group];
      EXPECT_TRUE(follows);
    }
  }
}

// Of a Newton step with multipliers at a consistent start.
SparseMatrix newton_matrix(const assembly::System& system) {
  State q = system.initial_state();
  assembly::Saddle saddle(system);
  if (saddle.factorize(q) && !saddle.set_accelerations(q, VectorX::Zero(system.rows()))) q.lambda.setZero();
  SparseMatrix matrix = system.make_matrix();
  system.set_matrix(q, {.m = 1, .c = 0.01, .k = 1e-4, .b = 1}, 1, matrix);
  return matrix;
}

VectorX solution(LinearSolver& solver, int size) {
  VectorX x = VectorX::LinSpaced(size, -1, 2);
  solver.solve(x);
  return x;
}

TEST(BlockOrder, LeadsToTheSolutionsOfKluOnRandomTreesWithLoops) {
  int closed = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const int bodies = 6 + static_cast<int>(seed % 50);
    const Machine machine(random_tree_of_bodies(
        {.seed = seed, .bodies = bodies, .loops = static_cast<int>(seed % 6), .is_held = seed % 3 != 0}));
    const SparseMatrix matrix = newton_matrix(machine.system);
    LinearSolver klu(matrix, LinearSolver::Method::klu);
    ASSERT_TRUE(klu.factorize());
    const VectorX exact = solution(klu, matrix.size);
    BlockSolver blocks(matrix);
    ASSERT_TRUE(blocks.factorize());
    VectorX x = VectorX::LinSpaced(matrix.size, -1, 2);
    blocks.solve({x.data(), static_cast<std::size_t>(x.size())});
    EXPECT_LE((x - exact).norm(), 1e-10 * exact.norm());
    closed += static_cast<int>(matrix.block_start.size()) - 1 > 2 * bodies;
  }
  EXPECT_GE(closed, 50);
}

// Their own blocks are zero: full pivoting takes over, and stays.
TEST(BlockOrder, LeavesNodesWithoutMassToFullPivoting) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const Machine machine(random_tree_of_bodies({.seed = seed, .bodies = 12, .massless = 2}));
    SparseMatrix matrix = machine.system.make_matrix();
    machine.system.set_matrix(machine.system.initial_state(), {.m = 1, .b = 1}, 1, matrix);
    LinearSolver automatic(matrix);
    LinearSolver klu(matrix, LinearSolver::Method::klu);
    ASSERT_TRUE(automatic.factorize());
    ASSERT_TRUE(klu.factorize());
    EXPECT_FALSE(automatic.uses_blocks());
    const VectorX exact = solution(klu, matrix.size);
    EXPECT_LE((solution(automatic, matrix.size) - exact).norm(), 1e-10 * exact.norm());
  }
}

// One equation too many: whatever the order, no solver takes it for regular.
TEST(BlockOrder, DoesNotHideRedundantEquations) {
  const Machine machine(rigid_four_bar());
  SparseMatrix matrix = machine.system.make_matrix();
  machine.system.set_matrix(machine.system.initial_state(), {.m = 1, .b = 1}, 1, matrix);
  LinearSolver solver(matrix);
  EXPECT_FALSE(solver.factorize() && solver.smallest_pivot_ratio() > 1e-12);
}

TEST(LinearSolver, TakesLongRowsOfBodiesByBlocks) {
  const Machine machine(row_of_bodies(2000, "revolute"));
  EXPECT_TRUE(LinearSolver(machine.system.make_matrix()).uses_blocks());
  const Machine ring(ring_of_bodies(1000));
  EXPECT_TRUE(LinearSolver(ring.system.make_matrix()).uses_blocks());
}

}  // namespace
}  // namespace polhode::support
