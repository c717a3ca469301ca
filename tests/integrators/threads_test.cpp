// SPDX-License-Identifier: BSD-3-Clause
// The number of threads changes no bit of the results.
#include <gtest/gtest.h>

#include <cstring>
#include <numbers>

#include "polhode/analyses/redundancy.hpp"
#include "polhode/math/parallel.hpp"
#include "polhode/results/sampler.hpp"
#include "support/mechanisms.hpp"
#include "support/runs.hpp"

namespace polhode::support {
namespace {

// A star: beams of many elements that meet at one hub, so that chunks of elements share a node from far away.
model::Model star() {
  ModelMaker m;
  m.model.gravity = Vec3(1, 2, -9);
  m.node("hub", Vec3(0, 0, 0));
  Vec6 stiffness;
  stiffness << 1e4, 6e3, 7e3, 80, 90, 100;
  m.section("bar", stiffness, 1.5, Vec3(0.2, 0.1, 0.1));
  for (int i = 0; i < 5; ++i) {
    const std::string end = "end_" + std::to_string(i);
    const double angle = 1.2 * i;
    m.node(end, 30 * Vec3(std::cos(angle), std::sin(angle), 0.1 * i));
    m.add(Family::beam, "beam", "ray_" + std::to_string(i),
          {{"section", value("bar")}, {"from", value("hub")}, {"to", value(end.c_str())}, {"elements", 900.0}});
  }
  m.joint("spherical", "pivot", "ground", "end_0", Vec3(30, 0, 0));
  m.add(Family::force, "load", "push", {{"node", value("hub")}, {"force", value(Vec3(1, -2, 30))}});
  return std::move(m.model);
}

// A lattice of beams, clamped along one side: its factorization has wide fronts.
model::Model lattice(int n) {
  ModelMaker m;
  m.model.gravity = Vec3(1, 2, -9);
  Vec6 stiffness;
  stiffness << 1e4, 6e3, 7e3, 80, 90, 100;
  m.section("bar", stiffness, 1.5, Vec3(0.2, 0.1, 0.1));
  const auto name = [](int i, int j) { return "n" + std::to_string(i) + "_" + std::to_string(j); };
  const auto beam = [&](const std::string& from, const std::string& to) {
    m.add(Family::beam, "beam", from + to,
          {{"section", value("bar")}, {"from", value(from.c_str())}, {"to", value(to.c_str())}, {"elements", 1.0}});
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      m.node(name(i, j), Vec3(i, j, 0)).fixed.fill(i == 0);
      if (i > 0) beam(name(i - 1, j), name(i, j));
      if (i > 0 && j > 0) beam(name(i, j - 1), name(i, j));
    }
  return std::move(m.model);
}

model::Model tree() { return binary_tree_of_bodies(1023, "spherical"); }

// Elements of five nodes.
model::Model high_order_chain() {
  model::Model model = cantilever(200);
  model.entries[0].values["order"] = 4.0;
  return model;
}

// Loops of six hinges: three equations of each are redundant.
model::Model six_bars(int loops) {
  ModelMaker m;
  m.model.gravity = Vec3(1, 2, -9);
  m.model.resolve_redundant = true;
  const auto corner = [](int i, int loop) {
    const double angle = i * std::numbers::pi / 3;
    return Vec3(std::cos(angle), std::sin(angle), loop);
  };
  for (int loop = 0; loop < loops; ++loop) {
    std::string before = "ground";
    for (int i = 0; i < 6; ++i) {
      const std::string name = std::to_string(loop) + "_" + std::to_string(i);
      const std::string body = i < 5 ? "body" + name : "ground";
      if (i < 5) {
        m.node(body, (corner(i, loop) + corner(i + 1, loop)) / 2);
        m.body(body, body, 1, Vec3(0.1, 0.1, 0.1));
      }
      m.joint("revolute", "hinge" + name, before, body, corner(i, loop)).values.emplace("axis", value(Vec3::UnitZ()));
      before = body;
    }
  }
  return std::move(m.model);
}

// One of the bodies is nearly a point: its pivots are small.
model::Model tree_with_a_point() {
  model::Model model = binary_tree_of_bodies(511, "revolute");
  for (model::Entry& entry : model.entries)
    if (entry.name == "body9") entry.values["inertia"] = math::MatrixX(Mat3(1e-9 * Mat3::Identity()));
  return model;
}

State start_of(const assembly::System& system) {
  if (!system.model().resolve_redundant) return consistent_start(system);
  State q = system.initial_state();
  model::Problems problems;
  EXPECT_NE(analyses::Redundancy(system).begin(q), "");
  analyses::set_accelerations(system, q, problems);
  EXPECT_TRUE(problems.empty());
  return q;
}

class Threads : public testing::TestWithParam<std::string> {
 protected:
  void TearDown() override { math::set_number_of_threads(1); }
  // Ends of runs, and what is stored of them.
  void expect_same_bits(model::Model model);
};

void Threads::expect_same_bits(model::Model model) {
  const Machine machine(std::move(model));
  const State start = start_of(machine.system);
  results::Sampler sampler(machine.system, {});
  std::vector<State> ends;
  std::vector<std::vector<double>> rows;
  for (const int threads : {1, 2, 3, 4}) {
    math::set_number_of_threads(threads);
    ends.push_back(run(machine.system, start, method(GetParam()), {}, 0.001, 3));
    const auto row = sampler.state_row(ends.back(), nullptr, 0, 0);
    rows.emplace_back(row.begin(), row.end());
  }
  for (const State& q : ends)
    for (std::size_t i = 0; i < q.x.size(); ++i) {
      ASSERT_EQ(std::memcmp(&q.x[i], &ends[0].x[i], sizeof q.x[i]), 0) << machine.system.node(i).name;
      ASSERT_EQ(std::memcmp(&q.vdot[i], &ends[0].vdot[i], sizeof q.vdot[i]), 0) << machine.system.node(i).name;
    }
  for (const auto& row : rows) ASSERT_EQ(std::memcmp(row.data(), rows[0].data(), sizeof(double) * row.size()), 0);
}

TEST_P(Threads, ChangeNoBitOfAStar) { expect_same_bits(star()); }
TEST_P(Threads, ChangeNoBitOfALattice) { expect_same_bits(lattice(18)); }
TEST_P(Threads, ChangeNoBitOfATree) { expect_same_bits(tree()); }
TEST_P(Threads, ChangeNoBitOfAHighOrderChain) { expect_same_bits(high_order_chain()); }
TEST_P(Threads, ChangeNoBitOfRedundantLoops) { expect_same_bits(six_bars(100)); }
TEST_P(Threads, ChangeNoBitOfATreeWithANearPoint) { expect_same_bits(tree_with_a_point()); }
INSTANTIATE_TEST_SUITE_P(Methods, Threads, testing::Values("lie_alpha", "ul_crv"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace polhode::support
