// SPDX-License-Identifier: BSD-3-Clause
// Work by the trapezoidal rule, and how far off it may be.
#include "analyses/transient/power_integral.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace polhode::analyses {
namespace {

TEST(PowerIntegral, PowerThatGrowsEvenlyIsExact) {
  PowerIntegral work;
  work.begin(1);
  double sum = 0;
  for (const double t : {0.1, 0.3, 0.4, 1.0}) sum += work.add(t == 0.3 ? 0.2 : t == 1.0 ? 0.6 : 0.1, 1 + t);
  EXPECT_NEAR(sum, 1.5, 1e-15);
  EXPECT_NEAR(work.uncertainty(), 0, 1e-15);
}

TEST(PowerIntegral, TheErrorOfASmoothPowerIsWithinTheUncertainty) {
  PowerIntegral work;
  work.begin(0);
  double sum = 0;
  const int steps = 50;
  const double h = 1.0 / steps;
  for (int n = 1; n <= steps; ++n) sum += work.add(h, std::sin(6 * n * h));
  const double error = std::abs(sum - (1 - std::cos(6.0)) / 6);
  EXPECT_LE(error, work.uncertainty());
  EXPECT_LE(work.uncertainty(), 0.01);
}

TEST(PowerIntegral, APeakOfASingleStateIsUncertainInFull) {
  PowerIntegral start;
  start.begin(-2000);
  double sum = 0;
  for (int n = 1; n <= 10; ++n) sum += start.add(0.01, 0);
  EXPECT_NEAR(sum, -10, 1e-12);
  EXPECT_NEAR(start.uncertainty(), 10, 1e-12);
  PowerIntegral later;
  later.begin(0);
  sum = 0;
  for (int n = 1; n <= 10; ++n) sum += later.add(0.01, n == 5 ? -2000 : 0);
  EXPECT_GE(later.uncertainty(), -sum);
}

TEST(PowerIntegral, AJumpIsNoPeak) {
  PowerIntegral work;
  work.begin(0);
  work.add(0.1, 0);
  work.begin(1000);
  EXPECT_NEAR(work.add(0.1, 1000), 100, 1e-12);
  EXPECT_EQ(work.uncertainty(), 0);
}

}  // namespace
}  // namespace polhode::analyses
