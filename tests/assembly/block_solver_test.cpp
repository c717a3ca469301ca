// SPDX-License-Identifier: BSD-3-Clause
// The block factorization against dense algebra, and its way out where blocks alone are singular.
#include "polhode/assembly/linear/block_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>

#include "polhode/assembly/linear/linear_solver.hpp"
#include "polhode/math/dense.hpp"
#include "polhode/math/parallel.hpp"

namespace polhode::assembly {
namespace {

// Blocks of the given sizes; `edges` couple them both ways; blocks from `first_late` on have no diagonal.
struct Case {
  SparseMatrix matrix;
  Eigen::MatrixXd dense;

  Case(const std::vector<int>& sizes, const std::vector<std::pair<int, int>>& edges, int first_late, unsigned seed)
      : Case(pattern_of(sizes, edges, first_late), seed) {}
  Case(const SparsePattern& pattern, unsigned seed)
      : matrix(pattern), dense(Eigen::MatrixXd::Zero(pattern.size, pattern.size)) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    for (int column = 0; column < pattern.size; ++column)
      for (int p = pattern.column_start[column]; p < pattern.column_start[column + 1]; ++p)
        dense(pattern.row[p], column) = matrix.at(p) = number(random) + (pattern.row[p] == column ? 8 : 0);
  }
  static const SparsePattern& pattern_of(const std::vector<int>& sizes, const std::vector<std::pair<int, int>>& edges,
                                         int first_late) {
    static std::deque<SparsePattern> patterns;
    SparsePattern& pattern = patterns.emplace_back();
    const int n = static_cast<int>(sizes.size());
    pattern.block_start = {0};
    for (const int s : sizes) pattern.block_start.push_back(pattern.block_start.back() + s);
    pattern.size = pattern.block_start.back();
    Eigen::MatrixXi coupled = Eigen::MatrixXi::Zero(n, n);
    for (const auto& [a, b] : edges) coupled(a, b) = coupled(b, a) = 1;
    for (int b = 0; b < first_late; ++b) coupled(b, b) = 1;
    pattern.column_start = {0};
    for (int c = 0; c < n; ++c)
      for (int column = pattern.block_start[c]; column < pattern.block_start[c + 1]; ++column) {
        for (int r = 0; r < n; ++r)
          if (coupled(r, c))
            for (int row = pattern.block_start[r]; row < pattern.block_start[r + 1]; ++row) pattern.row.push_back(row);
        pattern.column_start.push_back(static_cast<int>(pattern.row.size()));
      }
    return pattern;
  }
  double error(auto& solver) const {
    Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(matrix.size, -1, 2);
    Eigen::VectorXd x = b;
    solver.solve({x.data(), static_cast<std::size_t>(x.size())});
    return (dense * x - b).norm() / b.norm();
  }
  // Of a solution with unit round-off in the matrix it is of the size of unit round-off, whatever the condition.
  double backward_error(auto& solver) const {
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(matrix.size, -1, 2);
    Eigen::VectorXd x = b;
    solver.solve({x.data(), static_cast<std::size_t>(x.size())});
    return (dense * x - b).norm() / (dense.norm() * x.norm() + b.norm());
  }
};

Case chain() { return Case({6, 6, 3, 6, 5, 6}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}, 6, 1); }
Case loop_with_fill() { return Case({6, 6, 6, 6, 6}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {1, 3}}, 5, 2); }
Case with_constraints() { return Case({6, 6, 6, 5, 3, 6}, {{0, 1}, {0, 3}, {1, 3}, {1, 4}, {2, 4}, {2, 5}}, 3, 3); }

TEST(BlockSolver, SolvesChainsLoopsAndConstraints) {
  for (const Case& c : {chain(), loop_with_fill(), with_constraints()}) {
    BlockSolver solver(c.matrix);
    ASSERT_TRUE(solver.factorize());
    EXPECT_LT(c.backward_error(solver), 1e-14);
    EXPECT_GT(solver.smallest_pivot_ratio(), 1e-4);
  }
}

// The same with its values kept block by block.
Case by_blocks(const Case& c) {
  static std::deque<SparsePattern> patterns;
  const auto copy = [](std::span<const int> list) { return std::vector<int>(list.begin(), list.end()); };
  SparsePattern& pattern = patterns.emplace_back(SparsePattern{
      c.matrix.size, copy(c.matrix.column_start), copy(c.matrix.row), copy(c.matrix.block_start), c.matrix.late, {}});
  pattern.place.resize(pattern.row.size());
  int next = 0;
  for (std::size_t b = 0; b + 1 < pattern.block_start.size(); ++b) {
    const int begin = pattern.block_start[b];
    const int end = pattern.block_start[b + 1];
    for (std::size_t r = 0; r + 1 < pattern.block_start.size(); ++r)
      for (int column = begin; column < end; ++column)
        for (int p = pattern.column_start[column]; p < pattern.column_start[column + 1]; ++p)
          if (pattern.row[p] >= pattern.block_start[r] && pattern.row[p] < pattern.block_start[r + 1])
            pattern.place[p] = next++;
  }
  Case made = c;
  made.matrix = SparseMatrix(pattern);
  for (std::size_t p = 0; p < pattern.row.size(); ++p)
    made.matrix.at(static_cast<int>(p)) = c.matrix.at(static_cast<int>(p));
  return made;
}

// In place, and with the right-hand side on the way.
TEST(BlockSolver, FactorizesInPlaceWithTheSameBits) {
  for (const Case& c : {chain(), loop_with_fill(), with_constraints()}) {
    Case placed = by_blocks(c);
    const auto before = placed.matrix.values;
    BlockSolver first(c.matrix);
    BlockSolver copying(placed.matrix);
    BlockSolver in_place(placed.matrix, InPlace{});
    std::vector<double> x(static_cast<std::size_t>(c.matrix.size), 1.0);
    std::vector<double> y = x;
    std::vector<double> z = x;
    ASSERT_TRUE(first.factorize() && copying.factorize());
    EXPECT_EQ(placed.matrix.values, before);
    for (int repeat = 0; repeat < 2; ++repeat) {
      placed.matrix.values = before;
      ASSERT_TRUE(in_place.factorize());
    }
    EXPECT_NE(placed.matrix.values, before);
    first.solve(x);
    copying.solve(y);
    in_place.solve(z);
    EXPECT_EQ(x, y);
    EXPECT_EQ(x, z);
    placed.matrix.values = before;
    std::fill(z.begin(), z.end(), 1.0);
    ASSERT_TRUE(in_place.factorize_and_solve(z));
    EXPECT_EQ(x, z);
  }
}

TEST(LinearSolver, AsksForTheValuesOnceMoreWhereBlocksInPlaceFail) {
  Case c = chain();
  for (int column = 0; column < 6; ++column)
    for (int p = c.matrix.column_start[column]; p < c.matrix.column_start[column + 1]; ++p)
      if (c.matrix.row[p] < 6) c.matrix.values[p] = 0;
  c.dense.topLeftCorner<6, 6>().setZero();
  Case placed = by_blocks(c);
  const auto before = placed.matrix.values;
  LinearSolver solver(placed.matrix, InPlace{});
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(c.matrix.size, -1, 2);
  Eigen::VectorXd x = b;
  EXPECT_FALSE(solver.factorize_and_solve(x));
  EXPECT_EQ(x, b);
  ASSERT_TRUE(solver.wants_values_again());
  placed.matrix.values = before;
  ASSERT_TRUE(solver.factorize_and_solve(x));
  EXPECT_LT((c.dense * x - b).norm() / b.norm(), 1e-12);
  EXPECT_FALSE(solver.wants_values_again());
  EXPECT_LT(placed.error(solver), 1e-12);
}

// A random tree of nodes, joined by groups of constraints or directly, with `loops` more connections.
Case random_mechanism(unsigned seed, int nodes, int loops) {
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::vector<int> sizes;
  std::vector<std::pair<int, int>> edges;
  for (int node = 0; node < nodes; ++node) sizes.push_back(below(4) == 0 ? 5 : 6);
  const auto connect = [&](int a, int b) {
    if (a == b) return;
    if (below(2) == 0) {
      edges.emplace_back(a, b);
      return;
    }
    const int group = static_cast<int>(sizes.size());
    sizes.push_back(1 + below(2));
    edges.emplace_back(a, group);
    edges.emplace_back(b, group);
    edges.emplace_back(a, b);
  };
  for (int node = 1; node < nodes; ++node) connect(below(node), node);
  for (int loop = 0; loop < loops; ++loop) connect(below(nodes), below(nodes));
  return Case(sizes, edges, nodes, seed);
}

TEST(BlockSolver, AgreesWithKluAndDenseAlgebraOnRandomTreesWithLoops) {
  int by_blocks = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case c = random_mechanism(seed, 4 + static_cast<int>(seed % 12), static_cast<int>(seed % 4));
    LinearSolver klu(c.matrix, LinearSolver::Method::klu);
    ASSERT_TRUE(klu.factorize());
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(c.matrix.size, -1, 2);
    const Eigen::VectorXd exact = math::solve(c.dense, b);
    math::VectorX by_klu = b;
    klu.solve(by_klu);
    EXPECT_LE((by_klu - exact).norm(), 1e-10 * exact.norm());
    BlockSolver blocks(c.matrix);
    if (!blocks.factorize()) continue;  // left to full pivoting
    ++by_blocks;
    Eigen::VectorXd x = b;
    blocks.solve({x.data(), static_cast<std::size_t>(x.size())});
    EXPECT_LE((x - exact).norm(), 1e-9 * exact.norm());
  }
  EXPECT_GE(by_blocks, 35);
}

TEST(BlockLayout, AChainHasNoFillAndEliminatesConstraintsAfterTheirNodes) {
  const Case c = chain();
  const BlockLayout line(c.matrix, BlockOrder(c.matrix), false);
  EXPECT_EQ(line.neighbours.size(), 5u);  // one for each connection
  const Case joints = with_constraints();
  const BlockOrder order(joints.matrix);
  EXPECT_EQ(order.block.size(), 6u);
  const auto place = [&](int block) { return std::find(order.block.begin(), order.block.end(), block); };
  EXPECT_LT(std::min(place(0), place(1)), place(3));
  EXPECT_LT(std::min(place(1), place(2)), place(4));
  EXPECT_LT(place(2), place(5));
}

// Zero in one factorization and not in the next: what was skipped before, and fill-in, are there again.
TEST(BlockSolver, SkipsCouplingsThatAreZeroOnlyAsLongAsTheyAre) {
  const Case full = loop_with_fill();
  Case c = by_blocks(full);
  BlockSolver copying(c.matrix);
  const auto set = [&](Case& to, bool coupled) {
    for (int column = 0; column < to.matrix.size; ++column)
      for (int p = to.matrix.column_start[column]; p < to.matrix.column_start[column + 1]; ++p) {
        const int row = to.matrix.row[p];
        const bool lower = row / 6 == 3 && column / 6 == 1;
        const bool upper = row / 6 == 0 && column / 6 == 4;
        to.matrix.at(p) = !coupled && (lower || upper) ? 0 : full.dense(row, column);
        to.dense(row, column) = to.matrix.at(p);
      }
  };
  for (const bool coupled : {false, true, false, true}) {
    set(c, coupled);
    Case placed = c;
    BlockSolver in_place(placed.matrix, InPlace{});
    ASSERT_TRUE(copying.factorize());
    ASSERT_TRUE(in_place.factorize());
    EXPECT_LT(c.error(copying), 1e-13) << coupled;
    EXPECT_LT(c.error(in_place), 1e-13) << coupled;
  }
}

TEST(BlockSolver, SolvesRowsOfBlocksOfAllSizes) {
  for (int first = 1; first <= 6; ++first)
    for (int second = 1; second <= 6; ++second) {
      Case c = by_blocks(Case({6, first, second, 6, second, first}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 3}}, 6,
                              static_cast<unsigned>(7 * first + second)));
      BlockSolver copying(c.matrix);
      Case placed = c;
      BlockSolver in_place(placed.matrix, InPlace{});
      ASSERT_TRUE(copying.factorize() && in_place.factorize());
      EXPECT_LT(c.error(copying), 1e-12) << first << ' ' << second;
      EXPECT_LT(c.error(in_place), 1e-12) << first << ' ' << second;
    }
}

TEST(BlockSolver, FactorizesAgainWithNewValues) {
  Case c = loop_with_fill();
  BlockSolver solver(c.matrix);
  ASSERT_TRUE(solver.factorize());
  for (double& v : c.matrix.values) v *= -2;
  c.dense *= -2;
  ASSERT_TRUE(solver.factorize());
  EXPECT_LT(c.error(solver), 1e-13);
}

TEST(BlockSolver, LeavesASingularBlockToFullPivoting) {
  Case c = chain();  // the first block is zero, its neighbours hold it
  for (int column = 0; column < 6; ++column)
    for (int p = c.matrix.column_start[column]; p < c.matrix.column_start[column + 1]; ++p)
      if (c.matrix.row[p] < 6) c.matrix.values[p] = 0;
  c.dense.topLeftCorner<6, 6>().setZero();
  BlockSolver blocks(c.matrix);
  LinearSolver solver(c.matrix);
  ASSERT_TRUE(solver.factorize());
  EXPECT_LT(c.error(solver), 1e-12);
}

TEST(BlockSolver, LeavesABlockThatIsTinyAgainstItsCouplingToFullPivoting) {
  for (const double tiny : {1e-11, 1e-17}) {
    const SparsePattern pattern{2, {0, 2, 4}, {0, 1, 0, 1}, {0, 1, 2}, 2, {}};
    SparseMatrix matrix(pattern);
    matrix.values = {tiny, 1, 1, 1};
    EXPECT_FALSE(BlockSolver(matrix).factorize());
    LinearSolver solver(matrix);
    ASSERT_TRUE(solver.factorize());
    std::vector<double> x{1, 3};
    solver.solve(x);
    EXPECT_NEAR(x[0], 2, 1e-10);
    EXPECT_NEAR(x[1], 1, 1e-10);
  }
}

TEST(BlockSolver, TellsASingularMatrix) {
  Case c = chain();
  for (int row = 0; row < c.matrix.size; ++row) c.dense(row, 7) = 0;
  for (int p = c.matrix.column_start[7]; p < c.matrix.column_start[8]; ++p) c.matrix.values[p] = 0;
  EXPECT_FALSE(BlockSolver(c.matrix).factorize());
  EXPECT_FALSE(LinearSolver(c.matrix).factorize());
}

// By blocks, with a diagonal that is large against all that stands beside it.
Case made_dominant(Case c) {
  for (int column = 0; column < c.matrix.size; ++column)
    for (int p = c.matrix.column_start[column]; p < c.matrix.column_start[column + 1]; ++p)
      if (c.matrix.row[p] == column) c.dense(column, column) = c.matrix.at(p) += 50;
  return by_blocks(c);
}

// Vertices of three blocks that are all coupled with each other, and with those of their parents.
Case of_parents(const std::vector<int>& parents, unsigned seed) {
  std::vector<std::pair<int, int>> edges;
  for (int v = 0; v < static_cast<int>(parents.size()); ++v)
    for (int a = 3 * v; a < 3 * v + 3; ++a) {
      for (int b = 3 * v; b < a; ++b) edges.push_back({b, a});
      for (int b = 3 * parents[v]; parents[v] >= 0 && b < 3 * parents[v] + 3; ++b) edges.push_back({b, a});
    }
  const int blocks = 3 * static_cast<int>(parents.size());
  std::vector<int> sizes(static_cast<std::size_t>(blocks), 6);
  for (int b = 0; b < blocks; b += 7) sizes[b] = 3 + b % 3;
  return made_dominant(Case(sizes, edges, blocks, seed));
}

Case wide_tree() {
  std::vector<int> parents{-1};
  for (int v = 1; v < 120; ++v) parents.push_back((v - 1) / 2);
  return of_parents(parents, 11);
}

Case wide_chain() {
  std::vector<int> parents{-1};
  for (int v = 1; v < 120; ++v) parents.push_back(v - 1);
  return of_parents(parents, 12);
}

// Of n by n blocks, coupled with those that are no more than so many steps away.
Case grid(int n, int size, int reach) {
  std::vector<std::pair<int, int>> edges;
  for (int a = 0; a < n * n; ++a)
    for (int b = 0; b < a; ++b)
      if (std::abs(a / n - b / n) + std::abs(a % n - b % n) <= reach) edges.push_back({b, a});
  return made_dominant(Case(std::vector<int>(n * n, size), edges, n * n, 13));
}

class BlockTasks : public testing::Test {
 protected:
  void TearDown() override { math::set_number_of_threads(1); }
};

// Parents come later, and a subtree is the positions just before its root.
TEST_F(BlockTasks, AreWholeSubtreesBelowATop) {
  for (const Case& c : {wide_tree(), wide_chain(), grid(17, 6, 1)}) {
    const BlockOrder order(c.matrix);
    const int count = static_cast<int>(order.block.size());
    const int top = order.task_begin.back();
    ASSERT_GE(order.task_begin.size(), 3u);
    EXPECT_TRUE(std::is_sorted(order.task_begin.begin(), order.task_begin.end()));
    std::vector<int> seen = order.block;
    std::sort(seen.begin(), seen.end());
    for (int b = 0; b < count; ++b) EXPECT_EQ(seen[b], b);
    std::vector<int> below(order.block.size(), 1);  // positions of the subtree
    std::vector<int> first(order.block.size());
    for (int p = 0; p < count; ++p) first[p] = p;
    for (int p = 0; p < count; ++p) {
      const auto begin = order.later.begin() + order.start[p];
      const auto end = order.later.begin() + order.start[p + 1];
      EXPECT_TRUE(std::is_sorted(begin, end));
      if (begin == end) continue;
      EXPECT_GT(*begin, p);
      below[*begin] += below[p];
      first[*begin] = std::min(first[*begin], first[p]);
    }
    for (std::size_t task = 0; task + 1 < order.task_begin.size(); ++task)
      for (int p = order.task_begin[task]; p < order.task_begin[task + 1]; ++p) {
        EXPECT_EQ(first[p], p + 1 - below[p]);
        for (int i = order.start[p]; i < order.start[p + 1]; ++i)
          EXPECT_TRUE(order.later[i] < order.task_begin[task + 1] || order.later[i] >= top);
      }
  }
}

TEST_F(BlockTasks, SolveWithTheSameBitsForAnyNumberOfThreads) {
  for (const auto& [c, is_wide] : {std::pair(wide_tree(), false), std::pair(wide_chain(), false),
                                   std::pair(grid(28, 1, 1), true), std::pair(grid(6, 6, 10), true)}) {
    EXPECT_EQ(!BlockLayout(c.matrix, BlockOrder(c.matrix), false).updates.empty(), is_wide) << "of the top";
    std::vector<std::vector<double>> solutions;
    for (const int threads : {1, 2, 3, 4}) {
      math::set_number_of_threads(threads);
      Case placed = c;
      BlockSolver copying(c.matrix);
      BlockSolver in_place(placed.matrix, InPlace{});
      ASSERT_TRUE(copying.factorize());
      ASSERT_TRUE(in_place.factorize());
      EXPECT_LT(c.error(copying), 1e-13);
      for (BlockSolver* solver : {&copying, &in_place}) {
        std::vector<double>& x = solutions.emplace_back(static_cast<std::size_t>(c.matrix.size), 1.0);
        solver->solve(x);
        EXPECT_EQ(x, solutions.front());
        EXPECT_GT(solver->smallest_pivot_ratio(), 1e-6);
      }
      placed.matrix.values = c.matrix.values;
      ASSERT_TRUE(in_place.factorize());
      std::vector<double> again(static_cast<std::size_t>(c.matrix.size), 1.0);
      in_place.solve(again);
      EXPECT_EQ(again, solutions.front());
      placed.matrix.values = c.matrix.values;
      std::fill(again.begin(), again.end(), 1.0);
      ASSERT_TRUE(in_place.factorize_and_solve(again));
      EXPECT_EQ(again, solutions.front());
    }
  }
}

TEST_F(BlockTasks, LoseNoDigitsOnTreesWithLoops) {
  math::set_number_of_threads(2);
  for (unsigned seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case c = random_mechanism(seed, 500, static_cast<int>(seed % 4));
    const BlockOrder order(c.matrix);
    ASSERT_GE(order.task_begin.size(), 3u);
    BlockOrder without = order;
    without.task_begin = {0};
    without.task_work.clear();
    BlockSolver by_tasks(c.matrix, order);
    BlockSolver by_one(c.matrix, without);
    ASSERT_TRUE(by_one.factorize());
    ASSERT_TRUE(by_tasks.factorize());
    EXPECT_LE(c.error(by_tasks), 10 * c.error(by_one));
  }
}

// One block after the other is zero with all that couples it, below the top and in it.
TEST_F(BlockTasks, FindSingularBlocksWhereverTheyAre) {
  math::set_number_of_threads(2);
  for (const Case& regular : {wide_tree(), grid(6, 6, 10)}) {
    const BlockOrder order(regular.matrix);
    for (std::size_t p = 0; p < order.block.size(); p += order.block.size() / 9) {
      Case c = regular;
      const int begin = c.matrix.block_start[order.block[p]];
      const int end = c.matrix.block_start[order.block[p] + 1];
      for (int column = 0; column < c.matrix.size; ++column)
        for (int i = c.matrix.column_start[column]; i < c.matrix.column_start[column + 1]; ++i)
          if ((column >= begin && column < end) || (c.matrix.row[i] >= begin && c.matrix.row[i] < end))
            c.matrix.at(i) = 0;
      EXPECT_FALSE(BlockSolver(c.matrix).factorize()) << p;
    }
  }
}

TEST(BlockSolver, TakesBlocksOfSixAtMost) {
  Case c = chain();
  EXPECT_TRUE(BlockSolver::takes(c.matrix));
  const std::array wide{0, 6, 13, c.matrix.size};
  c.matrix.block_start = wide;
  EXPECT_FALSE(BlockSolver::takes(c.matrix));
  c.matrix.block_start = {};
  EXPECT_FALSE(BlockSolver::takes(c.matrix));
}

// A platform on many legs: nodes first, each pair of constraints on the hub would fill a block.
TEST(LinearSolver, TakesAPlatformOnManyLegsByBlocks) {
  constexpr int legs = 40;
  std::vector<int> sizes(2 * legs + 1, 6);
  std::vector<std::pair<int, int>> edges;
  for (int leg = 1; leg <= legs; ++leg) {
    edges.push_back({0, legs + leg});
    edges.push_back({leg, legs + leg});
    sizes[static_cast<std::size_t>(legs + leg)] = 3;
  }
  Case star(sizes, edges, legs + 1, 3);
  star.matrix.late = 6 * (legs + 1);  // as the pattern of a model has it
  LinearSolver solver(star.matrix);
  ASSERT_TRUE(solver.factorize());
  EXPECT_TRUE(solver.uses_blocks());
  EXPECT_LE(star.error(solver), 1e-9);
}

// Unknowns that are coupled one by one, each with each other one: blocks of six would be nearly empty.
TEST(LinearSolver, LeavesToKluWhatWouldFillTheBlocks) {
  constexpr int count = 60;
  std::vector<std::pair<int, int>> edges;
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < a; ++b) edges.push_back({a, b});
  Case dense(std::vector<int>(count, 1), edges, count, 3);
  Case line = chain();
  LinearSolver klu(dense.matrix);
  LinearSolver blocks(line.matrix);
  ASSERT_TRUE(klu.factorize());
  ASSERT_TRUE(blocks.factorize());
  EXPECT_FALSE(klu.uses_blocks());
  EXPECT_TRUE(blocks.uses_blocks());
  EXPECT_LE(dense.error(klu), 1e-9);
}

}  // namespace
}  // namespace polhode::assembly
