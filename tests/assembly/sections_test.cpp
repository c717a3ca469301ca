// SPDX-License-Identifier: BSD-3-Clause
// Sections of elements: each element once, colors without common nodes, each node cleared before anyone adds to it.
#include "polhode/assembly/sections.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/bench.hpp"
#include "support/models.hpp"

namespace polhode::support {
namespace {

// A row of bodies from the ground, and in the second half of the deck its joints: `stride` apart in its order.
model::Model row_of(int bodies, int stride) {
  ModelMaker m;
  const auto name = [](int i) { return "body" + std::to_string(i); };
  for (int i = 0; i < bodies; ++i) {
    m.node(name(i), Vec3(i + 1, 0.1 * i, 0));
    m.body(name(i), name(i), 1, Vec3(0.1, 0.2, 0.2));
  }
  for (int k = 0; k < bodies; ++k) {
    const int i = k * stride % bodies;
    m.joint("spherical", "joint" + std::to_string(i), i == 0 ? "ground" : name(i - 1), name(i),
            Vec3(i + 0.5, 0.1 * i, 0));
  }
  return std::move(m.model);
}

class SectionsOf : public testing::TestWithParam<std::pair<int, int>> {};
// 163 is prime to the numbers of bodies: joints of a section lie anywhere.
INSTANTIATE_TEST_SUITE_P(Rows, SectionsOf, testing::Values(std::pair(20, 1), std::pair(1000, 1), std::pair(1000, 163)));

TEST_P(SectionsOf, HoldEachElementOnceAndClearEachNodeBeforeAnyoneAdds) {
  const auto [bodies, stride] = GetParam();
  const Machine machine{row_of(bodies, stride)};
  const auto& batches = machine.system.batches();
  const assembly::Sections& sections = machine.system.sections();
  std::map<std::pair<std::size_t, std::size_t>, int> seen;
  std::vector<char> cleared(machine.system.nodes(), 0);
  int last_value = 0;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    for (const auto& claim : sections[i].claims) {
      EXPECT_LT(claim.first_value, claim.end_value);
      last_value = std::max(last_value, claim.end_value);
      for (int node = claim.first_node; node < claim.end_node; ++node) {
        EXPECT_FALSE(cleared[node]) << "once";
        cleared[node] = 1;
      }
    }
    for (const auto& part : sections[i].parts)
      for (std::size_t e = part.elements.begin; e < part.elements.end; ++e) {
        ++seen[{part.batch, e}];
        for (const int node : batches[part.batch]->nodes_of(e)) EXPECT_TRUE(node == 0 || cleared[node]) << i;
      }
  }
  EXPECT_EQ(seen.size(), machine.system.elements());
  for (const auto& [element, times] : seen) EXPECT_EQ(times, 1);
  EXPECT_EQ(last_value, static_cast<int>(machine.system.make_matrix().values.size()));
}

// The order in which they run is that of the numbers; each() takes those of one color at a time.
TEST_P(SectionsOf, HaveNoNodeInCommonWithOthersOfTheirColor) {
  const auto [bodies, stride] = GetParam();
  const Machine machine{row_of(bodies, stride)};
  const auto& batches = machine.system.batches();
  const assembly::Sections& sections = machine.system.sections();
  const std::vector<int> last = sections.last_of_nodes(batches, machine.system.nodes());
  for (std::size_t color = 0; color < sections.colors(); ++color) {
    std::set<int> of_color;
    for (std::size_t i = sections.first_of(color); i < sections.first_of(color + 1); ++i) {
      std::set<int> own;
      for (const auto& part : sections[i].parts)
        for (std::size_t e = part.elements.begin; e < part.elements.end; ++e)
          for (const int node : batches[part.batch]->nodes_of(e)) own.insert(node);
      own.erase(0);
      for (const int node : own) {
        EXPECT_TRUE(of_color.insert(node).second) << "node " << node << ", section " << i;
        EXPECT_LE(static_cast<int>(i), last[node]);
      }
    }
  }
  if (bodies < 100) {
    EXPECT_EQ(sections.size(), 1U) << "small models are for one thread";
  } else {
    EXPECT_EQ(sections.colors(), 1U) << "of those between two runs";
    EXPECT_EQ(sections.runs(), 8U);
    EXPECT_GE(sections.size(), 2 * sections.runs());
  }
}

// A row is eliminated from its free end: sections of its runs stand in that order.
TEST(Sections, OfARunHaveNodesOfNoOtherAndFollowTheElimination) {
  const Machine machine{row_of(1000, 1)};
  const auto& batches = machine.system.batches();
  const assembly::Sections& sections = machine.system.sections();
  std::map<int, std::size_t> run_of;
  int least_before = static_cast<int>(machine.system.nodes());
  ASSERT_GT(sections.runs(), 1U);
  for (std::size_t run = 0; run < sections.runs(); ++run)
    for (std::size_t i = sections.first_of_run(run); i < sections.first_of_run(run + 1); ++i) {
      int least = least_before;
      for (const auto& part : sections[i].parts)
        for (std::size_t e = part.elements.begin; e < part.elements.end; ++e)
          for (const int node : batches[part.batch]->nodes_of(e)) {
            if (node == 0) continue;
            EXPECT_EQ(run_of.emplace(node, run).first->second, run) << node;
            least = std::min(least, node);
          }
      EXPECT_LT(least, least_before) << i;
      least_before = least;
    }
}

}  // namespace
}  // namespace polhode::support
