// SPDX-License-Identifier: BSD-3-Clause
// The axis of a beam: lengths, positions and tangents of each form.
#include "elements/beams/axis/axis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace polhode::elements {
namespace {

constexpr double pi = std::numbers::pi;

Vec3 on_circle(double angle) { return {1 - 2 * std::cos(angle), 3 + 2 * std::sin(angle), 4}; }

TEST(Axis, ArcIsTheCircleThroughThreePointsOfLessAndMoreThanHalfATurn) {
  for (const double angle : {0.3, pi / 2, 3.0, 5.5}) {
    const Axis arc = Axis::arc(on_circle(0), on_circle(0.4 * angle), on_circle(angle));
    EXPECT_NEAR(arc.length(), 2 * angle, 1e-13);
    for (const double part : {0.0, 0.25, 0.8, 1.0}) {
      EXPECT_LE((arc.position(part) - on_circle(part * angle)).norm(), 1e-13);
      EXPECT_LE((arc.tangent(part) - Vec3(std::sin(part * angle), std::cos(part * angle), 0)).norm(), 1e-13);
    }
    EXPECT_FALSE(arc.is_straight());
    EXPECT_TRUE(arc.corners().empty());
  }
}

TEST(Axis, PolylineHasCornersAtItsPoints) {
  const Axis line = Axis::polyline({Vec3(0, 0, 0), Vec3(3, 0, 0), Vec3(3, 1, 0)});
  EXPECT_EQ(line.length(), 4);
  ASSERT_EQ(line.corners().size(), 1u);
  EXPECT_EQ(line.corners()[0], 0.75);
  EXPECT_EQ(line.position(0.875), Vec3(3, 0.5, 0));
  EXPECT_EQ(line.tangent(0.7), Vec3(1, 0, 0));
  EXPECT_EQ(line.tangent(0.75), Vec3(0, 1, 0));  // of what follows
}

// Equal parts are of equal length, the tangent is the direction of the way, and the points lie on it.
TEST(Axis, SplineRunsEvenlyThroughItsPoints) {
  const std::vector<Vec3> points{Vec3(0, 0, 0), Vec3(1, 0.5, 0), Vec3(2, 0.3, 0.7), Vec3(2.2, -1, 1)};
  const Axis spline = Axis::spline(points);
  const double d = 1e-4;
  for (int i = 1; i < 40; ++i) {
    const double part = i / 40.0;
    const Vec3 rate = (spline.position(part + d) - spline.position(part - d)) / (2 * d);
    EXPECT_NEAR(rate.norm(), spline.length(), 1e-5);
    EXPECT_LE((rate.normalized() - spline.tangent(part)).norm(), 1e-6);
  }
  for (const Vec3& point : points) {
    double nearest = 1;
    for (int i = 0; i <= 20000; ++i) nearest = std::min(nearest, (spline.position(i / 20000.0) - point).norm());
    EXPECT_LE(nearest, 2e-4);
  }
}

TEST(Axis, SplineOfPointsInLineIsTheLine) {
  const Axis spline = Axis::spline({Vec3(0, 0, 0), Vec3(1, 1, 0), Vec3(4, 4, 0)});
  EXPECT_NEAR(spline.length(), std::sqrt(32), 1e-14);
  EXPECT_LE((spline.position(0.6) - Vec3(2.4, 2.4, 0)).norm(), 1e-14);
}

}  // namespace
}  // namespace polhode::elements
