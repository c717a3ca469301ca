// SPDX-License-Identifier: BSD-3-Clause
// States between the steps are as good as those at their ends.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/places.hpp"
#include "verification/controlled.hpp"
#include "verification/measured.hpp"
#include "verification/run.hpp"

namespace polhode::verification {
namespace {

// What the joint at the origin misses in states between steps of h, by the length of the top.
double gap_between(const std::string& method, double h) {
  const GridRun run = grid_run("benchmarks/heavy_top",
                               {"analysis.newton={}", set_duration(0.2), set_step(h), set_method(method),
                                "analysis.integrator.initial=perturbed"},
                               1.37 * h);
  double largest = 0;
  for (const model::State& q : run.states) largest = std::max(largest, (q.x[1] - q.R[1] * math::Vec3::UnitY()).norm());
  return largest;
}

// Velocities of index 3 are off the constraints by O(h^2): taken for rates of positions they leave O(h^3).
TEST(BetweenSteps, JointsHoldToTheFourthOrder) {
  for (const char* method : {"lie_alpha", "ul_crv", "ul_rotation_vector"}) {
    const std::vector<double> steps{1e-3, 5e-4, 2.5e-4};
    std::vector<double> gaps;
    for (const double h : steps) gaps.push_back(gap_between(method, h));
    expect_between(std::string("heavy top, ") + method, "order of what the joint misses between steps",
                   observed_order(steps, gaps), 3.8, 4.3, 3);
    EXPECT_LT(gaps.back(), 1e-6);
  }
}

}  // namespace
}  // namespace polhode::verification
