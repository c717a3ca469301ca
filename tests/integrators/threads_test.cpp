// SPDX-License-Identifier: BSD-3-Clause
// The number of threads changes no bit of the results.
#include <gtest/gtest.h>
#include <omp.h>

#include <cstring>

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

class Threads : public testing::TestWithParam<std::string> {
 protected:
  void TearDown() override { omp_set_num_threads(1); }
};

TEST_P(Threads, ChangeNoBit) {
  const Machine machine(star());
  const State start = consistent_start(machine.system);
  std::vector<State> ends;
  for (const int threads : {1, 2, 3, 5}) {
    omp_set_num_threads(threads);
    ends.push_back(run(machine.system, start, method(GetParam()), {}, 0.01, 3));
  }
  for (const State& q : ends)
    for (std::size_t i = 0; i < q.x.size(); ++i) {
      ASSERT_EQ(std::memcmp(&q.x[i], &ends[0].x[i], sizeof q.x[i]), 0) << machine.system.node(i).name;
      ASSERT_EQ(std::memcmp(&q.vdot[i], &ends[0].vdot[i], sizeof q.vdot[i]), 0) << machine.system.node(i).name;
    }
}
INSTANTIATE_TEST_SUITE_P(Methods, Threads, testing::Values("lie_alpha", "ul_crv"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace polhode::support
