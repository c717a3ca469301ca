// SPDX-License-Identifier: BSD-3-Clause
// Errors of steps that follow each other: what adds up is kept, what changes its sign goes.
#include "polhode/integrators/generalized_alpha/error_trend.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "polhode/math/so3.hpp"

namespace polhode::integrators {
namespace {

using math::Mat3;
using math::Vec3;

State state(double t, const Mat3& R = Mat3::Identity()) {
  State q;
  q.resize(2, 0, 0);
  q.t = t;
  q.set_rotation(1, Eigen::Quaterniond(R));
  return q;
}

std::vector<Vec6> at_node(const Vec6& x) { return {Vec6::Zero(), x}; }

// Steps from the time 0 on, with the means of the last one.
struct Steps {
  ErrorTrend trend{2};
  double t = 0;
  void step(double h, const Vec6& x, const Mat3& R = Mat3::Identity(), bool accepted = true) {
    trend.propose(t, state(t + h, R), at_node(x), x.norm());
    if (!accepted) return;
    t += h;
    inertial = trend.mean(ErrorTrend::inertial)[1];
    own = trend.mean(ErrorTrend::of_node)[1];
    rise = trend.rise();
    trend.accept();
  }
  Vec6 own = Vec6::Zero();
  Vec6 inertial = Vec6::Zero();
  double rise = 0;
};

const Vec6 error = (Vec6() << 1, -2, 3, 0.5, 0.25, -4).finished();

TEST(ErrorTrend, KeepsWhatAddsUpAndLosesWhatChangesItsSign) {
  Steps same;
  Steps turning;
  Steps quarter;
  double largest = 0;
  for (int n = 0; n < 8; ++n) {
    same.step(0.1, error);
    turning.step(0.1, n % 2 ? error : Vec6(-error));
    quarter.step(0.1, std::cos(n * std::numbers::pi / 2) * error);
    EXPECT_LE((same.own - error).norm(), 1e-13);
    if (n == 0) continue;
    EXPECT_LE(turning.own.norm(), 1e-13) << "half a turn a step";
    if (n >= 4) largest = std::max(largest, quarter.own.norm());
  }
  EXPECT_NEAR(largest, 0.25 * error.norm(), 1e-12) << "a quarter: cos^4 of an eighth of a turn";
}

TEST(ErrorTrend, FollowsErrorsOfATurningBodyInBothFrames) {
  Steps run;
  const Vec6 in_body = error;
  for (int n = 0; n < 6; ++n) {
    const Mat3 R = math::so3::exp(Vec3(0, 0, 1.2 * n));
    Vec6 x = in_body;
    x.head<3>() = R * in_body.head<3>();  // translations are inertial
    run.step(0.1, x, R);
  }
  EXPECT_LE((run.own - in_body).norm(), 1e-13);
  EXPECT_LT(run.inertial.norm(), 0.95 * in_body.norm());
  for (int n = 0; n < 6; ++n) {
    const Mat3 R = math::so3::exp(Vec3(0, 0, 1.2 * n));
    Vec6 x = error;
    x.tail<3>() = R.transpose() * error.tail<3>();  // rotations are in the node's frame
    run.step(0.1, x, R);
  }
  EXPECT_LE((run.inertial - error).norm(), 1e-13);
}

TEST(ErrorTrend, AnErrorBeyondAllBeforeItIsARise) {
  Steps run;
  run.step(0.1, error);
  EXPECT_EQ(run.rise, error.norm()) << "nothing came before";
  run.step(0.1, -error);
  EXPECT_EQ(run.rise, 0);
  run.step(0.1, -3 * error);
  EXPECT_NEAR(run.rise, 2 * error.norm(), 1e-13);
  run.step(0.2, 8 * error);
  EXPECT_LT(run.rise, 0) << "an eighth in a step of half the size";
}

TEST(ErrorTrend, ScalesErrorsOfOtherStepsByTheCubeOfTheirRatio) {
  Steps run;
  double h = 0.1;
  for (int n = 0; n < 6; ++n, h *= 1.5) {
    run.step(h, std::pow(h, 3) * error);
    EXPECT_LE((run.own - std::pow(h, 3) * error).norm(), 1e-13 * std::pow(h, 3) * error.norm());
  }
}

TEST(ErrorTrend, ForgetsRejectedStepsAndMotionsThatDoNotFollowEachOther) {
  Steps run;
  run.step(0.1, error);
  run.step(0.1, -100 * error, Mat3::Identity(), false);
  run.step(0.1, error);
  EXPECT_LE((run.own - error).norm(), 1e-13);
  run.t += 1;
  run.step(0.1, -error);
  EXPECT_LE((run.own + error).norm(), 1e-13);
}

TEST(ErrorTrend, GoesOnFromWhatWasSaved) {
  Steps run;
  for (int n = 0; n < 7; ++n) run.step(0.1, (1 + n) * error);
  std::vector<double> saved;
  run.trend.save(saved);
  saved.push_back(17);
  Steps other;
  other.t = run.t;
  std::span<const double> data = saved;
  std::span<const double> half = data.first(saved.size() / 2);
  EXPECT_FALSE(other.trend.load(half)) << "cut off";
  ASSERT_TRUE(other.trend.load(data));
  ASSERT_EQ(data.size(), 1u);
  EXPECT_EQ(data[0], 17);
  run.step(0.2, error);
  other.step(0.2, error);
  EXPECT_EQ(other.own, run.own);
  EXPECT_EQ(other.inertial, run.inertial);
}

}  // namespace
}  // namespace polhode::integrators
