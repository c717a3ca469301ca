// SPDX-License-Identifier: BSD-3-Clause
// Graph of the blocks, spanning forest and symbolic factor of random mechanisms: what each promises of any of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "assembly/linear/constraint_forest.hpp"
#include "polhode/assembly/linear/block_order.hpp"
#include "polhode/integrators/generalized_alpha/index2_layout.hpp"
#include "support/mechanisms.hpp"

namespace polhode::support {
namespace {

using assembly::BlockGraph;
using assembly::BlockOrder;
using assembly::ConstraintForest;

// Bodies first, then joints, as a system numbers them.
class ForestOf : public testing::TestWithParam<unsigned> {
 protected:
  static constexpr int bodies = 25;
  const unsigned seed = GetParam();
  const bool held = seed % 3 != 0;
  const Machine machine{
      random_tree_of_bodies({.seed = seed, .bodies = bodies, .loops = static_cast<int>(seed % 5), .is_held = held})};
  const assembly::SparseMatrix matrix = machine.system.make_matrix();
  const BlockGraph graph{matrix};
  const std::vector<int> leaders = [this] {
    std::vector<int> own(static_cast<std::size_t>(graph.count()));
    std::iota(own.begin(), own.end(), 0);
    return own;
  }();
  const ConstraintForest forest{graph, leaders};

  std::vector<int> nodes_of(int group) const {
    const auto all = graph.neighbours(group);
    std::vector<int> nodes(all.begin(), all.end());
    std::erase_if(nodes, [&](int b) { return graph.is_group[b]; });
    return nodes;
  }
  std::vector<int> groups() const {
    std::vector<int> all;
    for (int b = 0; b < graph.count(); ++b)
      if (graph.is_group[b]) all.push_back(b);
    return all;
  }
  // The node of the group that a node follows its parent by; -1: ground, -2: it is a root that stands on nothing.
  int parent_of(int node) const {
    for (const int group : groups())
      if (forest.partner(group) == node)
        for (const int other : nodes_of(group))
          if (other != node) return other;
    return forest.depth(node) == 1 && !held ? -2 : -1;
  }
};
INSTANTIATE_TEST_SUITE_P(Seeds, ForestOf, testing::Range(1u, 16u));

TEST_P(ForestOf, NeighborsAreMutualAndGroupsHaveNoDiagonal) {
  EXPECT_EQ(std::accumulate(graph.size.begin(), graph.size.end(), 0), matrix.size);
  for (int b = 0; b < graph.count(); ++b) {
    EXPECT_EQ(graph.is_group[b] != 0, matrix.block_start[b] >= machine.system.free_unknowns());
    for (const int other : graph.neighbours(b)) {
      const auto back = graph.neighbours(other);
      EXPECT_NE(std::find(back.begin(), back.end(), b), back.end()) << b << " " << other;
      EXPECT_FALSE(graph.is_group[b] && graph.is_group[other]) << "equations are coupled by nodes alone";
    }
  }
}

TEST_P(ForestOf, APartnerIsANodeOfItsGroupAndOfNoOther) {
  std::set<int> taken;
  for (int b = 0; b < graph.count(); ++b) {
    const int partner = forest.partner(b);
    EXPECT_TRUE(graph.is_group[b] || partner == -1) << "nodes have none";
    if (partner < 0) continue;
    const std::vector<int> nodes = nodes_of(b);
    EXPECT_NE(std::find(nodes.begin(), nodes.end(), partner), nodes.end());
    EXPECT_LE(graph.size[b], graph.size[partner]) << "room for its equations";
    EXPECT_TRUE(taken.insert(partner).second) << "node " << partner;
  }
}

TEST_P(ForestOf, APartnerIsTheFarEndOfItsGroup) {
  for (const int group : groups()) {
    const int partner = forest.partner(group);
    EXPECT_EQ(forest.depth(group), 0);
    if (partner < 0) continue;
    const std::vector<int> nodes = nodes_of(group);
    EXPECT_TRUE(nodes.size() > 1 || forest.depth(partner) == 1) << "on ground";
    for (const int other : nodes) EXPECT_EQ(forest.depth(partner), forest.depth(other) + (other == partner ? 0 : 1));
  }
}

// As many groups close loops as there are more of them than a tree has.
TEST_P(ForestOf, GroupsWithoutAPartnerAreThoseOfTheLoops) {
  const std::vector<int> all = groups();
  const auto closing = std::count_if(all.begin(), all.end(), [&](int g) { return forest.partner(g) < 0; });
  EXPECT_EQ(closing, static_cast<int>(all.size()) - (held ? bodies : bodies - 1));
}

TEST_P(ForestOf, ALoopReachesFromBothEndsToOneNodeThatIsNotListed) {
  constexpr std::size_t any = 1000;
  for (const int group : groups()) {
    if (forest.partner(group) >= 0) continue;
    const std::vector<int> loop = forest.loop_of(group, any);
    const std::set<int> listed(loop.begin(), loop.end());
    EXPECT_EQ(listed.size(), loop.size()) << "each node once";
    std::set<int> tops;
    for (const int node : loop)
      if (!listed.contains(parent_of(node))) tops.insert(parent_of(node));
    EXPECT_EQ(tops.size(), 1u) << "group " << group;
    for (const int node : nodes_of(group))
      EXPECT_TRUE(listed.contains(node) || tops.contains(node)) << "node " << node << " of group " << group;
    EXPECT_LE(forest.loop_of(group, 1).size(), 1u) << "not followed beyond";
  }
}

// By elimination of a dense pattern.
TEST_P(ForestOf, FactorHasTheEntriesThatEliminationMakes) {
  const BlockOrder order(matrix);
  const auto n = static_cast<std::size_t>(graph.count());
  ASSERT_EQ(order.block.size(), n);
  std::vector<std::vector<char>> entry(n, std::vector<char>(n, 0));
  std::vector<std::size_t> position(n);
  for (std::size_t p = 0; p < n; ++p) position[static_cast<std::size_t>(order.block[p])] = p;
  for (int b = 0; b < graph.count(); ++b)
    for (const int other : graph.neighbours(b))
      entry[position[static_cast<std::size_t>(b)]][position[static_cast<std::size_t>(other)]] = 1;
  double products = 0;
  for (std::size_t p = 0; p < n; ++p) {
    std::vector<int> later;
    for (std::size_t i = p + 1; i < n; ++i)
      if (entry[i][p]) later.push_back(static_cast<int>(i));
    for (const int i : later)
      for (const int j : later) entry[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = 1;
    products += static_cast<double>(later.size() * later.size());
    const std::vector<int> listed(order.later.begin() + order.start[p], order.later.begin() + order.start[p + 1]);
    EXPECT_EQ(listed, later) << "position " << p;
    EXPECT_EQ(order.is_group[p], graph.is_group[order.block[p]]);
  }
  EXPECT_EQ(order.products, products);
  EXPECT_EQ(order.operations(), 2 * 6 * 6 * 6 * products);
}

// Eliminated as it is reached, no group comes before its partner, and none that closes a loop before the whole of it.
TEST_P(ForestOf, GroupsComeBehindThePartnersThatTheForestGivesThem) {
  const BlockOrder order(matrix);
  const auto place = [&](int b) { return std::find(order.block.begin(), order.block.end(), b) - order.block.begin(); };
  for (const int group : groups()) {
    const int partner = forest.partner(group);
    for (const int node : partner >= 0 ? std::vector<int>{partner} : forest.loop_of(group, 1000))
      EXPECT_GT(place(group), place(node));
  }
}

TEST_P(ForestOf, BlocksThatShareAPlaceComeBeforeTheirNodeAndBehindTheirGroup) {
  const auto layout = integrators::make_index2_layout(machine.system);
  const assembly::SparseMatrix of_index2(layout.pattern);
  const BlockOrder order(of_index2, layout.leaders);
  const std::set<int> all(order.block.begin(), order.block.end());
  EXPECT_EQ(all.size(), order.block.size());
  EXPECT_EQ(order.block.size(), layout.leaders.size());
  const auto place = [&](int b) { return std::find(order.block.begin(), order.block.end(), b) - order.block.begin(); };
  const auto is_node = [&](std::size_t b) { return of_index2.block_start[b] < layout.first_lambda; };
  for (std::size_t b = 0; b < layout.leaders.size(); ++b) {
    const auto leader = static_cast<std::size_t>(layout.leaders[b]);
    if (leader == b) continue;
    EXPECT_EQ(is_node(b), is_node(leader));
    EXPECT_EQ(place(static_cast<int>(b)) < place(static_cast<int>(leader)), is_node(b)) << b;
  }
}

}  // namespace
}  // namespace polhode::support
