// SPDX-License-Identifier: BSD-3-Clause
// Bennett's linkage: redundant constraints in space, resolved, against the closed form of its motion.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "verification/measured.hpp"
#include "verification/run.hpp"

namespace polhode::verification {
namespace {

TEST(Bennett, ResolvedHingesKeepTheRelationOfTheirAngles) {
  const double expected = std::sin(80 * std::numbers::pi / 180) / std::sin(20 * std::numbers::pi / 180);
  const double theta_B = 2 * std::atan(expected / std::tan(0.5));  // at the start
  for (const std::string method : {"lie_alpha", "ul_crv", "ul_rotation_vector"}) {
    const Histories bars = run("bennett", {set_method(method), "analysis.newton.relative=1.0e-10"},
                               {"joints.A.coordinates", "joints.B.coordinates"}, 0.01);
    const auto a = (bars[0].col(0).array() + 1.0) / 2;
    const auto b = (bars[1].col(0).array() + theta_B) / 2;
    expect_at_most("Bennett's linkage", method + ": largest error of tan(theta_A/2) tan(theta_B/2)",
                   ((a.tan() * b.tan()) / expected - 1).abs().maxCoeff(), 1e-11);
    EXPECT_GE(bars[0].col(0).maxCoeff() - bars[0].col(0).minCoeff(), 4.2);  // it swings by most of a turn
  }
}

}  // namespace
}  // namespace polhode::verification
