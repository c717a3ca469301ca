// SPDX-License-Identifier: BSD-3-Clause
// Results have the order of the deck, whatever the order in which the system numbers its nodes and builds its entries.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "polhode/model/node_order.hpp"
#include "polhode/results/sampler.hpp"
#include "support/models.hpp"

namespace polhode::support {
namespace {

// A tree of bodies that hang on ball joints and beams of two elements; the deck lists it in no order.
model::Model tree_in_no_order(int count) {
  ModelMaker m;
  Vec6 stiffness;
  stiffness << 1e4, 5e3, 5e3, 60, 80, 100;
  m.section("bar", stiffness, 1.5, Vec3(0.02, 0.01, 0.01));
  const auto name = [](int i) { return "n" + std::to_string(i); };
  const auto place = [](int i) { return Vec3(std::cos(i), std::sin(2.0 * i), -0.1 * i); };
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  for (const int i : order) {
    model::NodeEntry& node = m.node(name(i), place(i));
    if (i == 0) node.fixed = {true, true, true, false, true, false};
  }
  for (const int i : order) m.body("b" + std::to_string(i), name(i), 1 + 0.01 * i, Vec3(1, 2, 2.5));
  for (const int i : order)
    if (i > 0 && i % 3 == 0)
      m.add(Family::beam, "beam", "s" + std::to_string(i),
            {{"section", value("bar")},
             {"from", value(name(i / 2).c_str())},
             {"to", value(name(i).c_str())},
             {"elements", 2.0}});
  for (const int i : order)
    if (i > 0 && i % 3 > 0)
      m.joint("spherical", "j" + std::to_string(i), name(i / 2), name(i), 0.5 * (place(i) + place(i / 2)));
  m.add(Family::force, "load", "push", {{"node", value("n7")}, {"force", value(Vec3(3, 8, 5))}});
  m.model.gravity = Vec3(0, 0, -9.81);
  return std::move(m.model);
}

TEST(NodeAxis, IsThatOfTheDeckWhateverTheNumbering) {
  model::Model model = tree_in_no_order(300);
  const Machine as_listed(model);
  model::set_order(model);
  ASSERT_FALSE(model.node_order.empty());
  ASSERT_FALSE(model.build_order.empty());
  const Machine sorted(model);
  EXPECT_NE(as_listed.system.node(1).name, sorted.system.node(1).name);
  results::Sampler before(as_listed.system, {});
  results::Sampler after(sorted.system, {});

  const results::Layout& expected = before.layout();
  const results::Layout& layout = after.layout();
  ASSERT_EQ(expected.states.size(), layout.states.size());
  for (std::size_t i = 0; i < layout.states.size(); ++i) {
    EXPECT_EQ(expected.states[i].path, layout.states[i].path);
    EXPECT_EQ(expected.states[i].offset, layout.states[i].offset);
  }
  ASSERT_EQ(expected.statics.size(), layout.statics.size());
  for (std::size_t i = 0; i < layout.statics.size(); ++i) {
    EXPECT_EQ(expected.statics[i].path, layout.statics[i].path);
    EXPECT_EQ(expected.statics[i].names, layout.statics[i].names) << layout.statics[i].path;
    EXPECT_EQ(expected.statics[i].indices, layout.statics[i].indices) << layout.statics[i].path;
    EXPECT_EQ(expected.statics[i].numbers, layout.statics[i].numbers) << layout.statics[i].path;
  }

  const auto values = before.state_row(consistent_start(as_listed.system), nullptr, 0, 0);
  const auto again = after.state_row(consistent_start(sorted.system), nullptr, 0, 0);
  ASSERT_EQ(values.size(), again.size());
  double largest = 0;
  for (const double one : values) largest = std::max(largest, std::abs(one));
  EXPECT_GT(largest, 1);
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(values[i], again[i], 1e-9 * largest) << i;
}

}  // namespace
}  // namespace polhode::support
