// SPDX-License-Identifier: BSD-3-Clause
// The order in which systems number nodes: what is next to each other in the machine is so in memory, and results do not
// show it.
#include "polhode/model/node_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "support/models.hpp"

namespace polhode::model::node_order_test {
namespace {

using math::Vec3;
using support::ModelMaker;

std::string name_of(int i) { return "n" + std::to_string(i); }

std::vector<int> in_turn(int count) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<int> shuffled(int count) {
  std::vector<int> order = in_turn(count);
  std::shuffle(order.begin(), order.end(), std::mt19937(7));
  return order;
}

// Bodies on ball joints, each on the one before it; nodes, bodies and joints are listed as `order` says.
Model row(const std::vector<int>& order) {
  ModelMaker maker;
  for (const int i : order) maker.node(name_of(i), Vec3(i, 0, 0));
  for (const int i : order) maker.body("b" + std::to_string(i), name_of(i), 1, Vec3(1, 1, 1));
  for (const int i : order)
    maker.joint("spherical", "j" + std::to_string(i), i == 0 ? "ground" : name_of(i - 1), name_of(i),
                Vec3(i - 0.5, 0, 0));
  return maker.model;
}

bool is_permutation_of_all(std::vector<int> order, std::size_t count) {
  std::sort(order.begin(), order.end());
  return order == in_turn(static_cast<int>(count));
}

Model ordered(Model model) {
  set_order(model);
  return model;
}

TEST(NodeOrder, LeavesWhatIsSmallOrStandsInARowAlone) {
  std::vector<int> backwards = in_turn(1000);
  std::reverse(backwards.begin(), backwards.end());
  for (const std::vector<int>& listed : {in_turn(1000), shuffled(100), backwards})
    EXPECT_TRUE(ordered(row(listed)).node_order.empty());
  EXPECT_TRUE(ordered(row(in_turn(1000))).build_order.empty());
  EXPECT_TRUE(ordered(row(shuffled(100))).build_order.empty());
}

// Each node has its neighbor next to it, or nearly so.
TEST(NodeOrder, PutsNeighborsNextToEachOther) {
  const Model model = ordered(row(shuffled(1000)));
  ASSERT_TRUE(is_permutation_of_all(model.node_order, 1000));
  std::vector<int> place(1000);
  for (int i = 0; i < 1000; ++i) {
    const NodeEntry& node = model.nodes[static_cast<std::size_t>(model.node_order[static_cast<std::size_t>(i)])];
    place[static_cast<std::size_t>(std::stoi(node.name.substr(1)))] = i;
  }
  int near = 0;
  for (std::size_t i = 1; i < place.size(); ++i) near += std::abs(place[i] - place[i - 1]) <= 8;
  EXPECT_GT(near, 900);
}

// Bodies first, then joints.
TEST(NodeOrder, EntriesAreBuiltAsTheirNodesAreNumbered) {
  const Model model = ordered(row(shuffled(300)));
  ASSERT_TRUE(is_permutation_of_all(model.build_order, 600));
  for (std::size_t i = 0; i < 300; ++i) {
    const Entry& body = model.entries[static_cast<std::size_t>(model.build_order[i])];
    EXPECT_EQ(body.text("node"), model.nodes[static_cast<std::size_t>(model.node_order[i])].name);
  }
  for (std::size_t i = 300; i < 600; ++i)
    EXPECT_EQ(model.entries[static_cast<std::size_t>(model.build_order[i])].family, Family::joint);
}

// What hangs on one fixed node stands where its other node does.
TEST(NodeOrder, DoesNotReachThroughFixedNodes) {
  ModelMaker maker;
  maker.node("wall", Vec3(0, 5, 0)).fixed.fill(true);
  for (int i = 0; i < 300; ++i) maker.node(name_of(i), Vec3(i, 0, 0));
  for (int i = 299; i >= 0; --i) maker.joint("spherical", "j" + std::to_string(i), "wall", name_of(i), Vec3(i, 1, 0));
  std::vector<int> backwards = in_turn(300);
  std::reverse(backwards.begin(), backwards.end());
  EXPECT_EQ(ordered(maker.model).build_order, backwards) << "of the entries, so that nodes follow each other";
}

}  // namespace
}  // namespace polhode::model::node_order_test
