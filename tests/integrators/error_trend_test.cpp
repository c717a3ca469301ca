// SPDX-License-Identifier: BSD-3-Clause
// Errors of steps that follow each other: what adds up is kept, vibrations of a small amplitude go, whatever their frequency.
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

constexpr double cut = 0.3;  // rad a step

// Steps from the time 0 on, with the means of the last one.
struct Steps {
  ErrorTrend trend{2, cut};
  double t = 0;
  void step(double h, const Vec6& x, const Mat3& R = Mat3::Identity(), bool accepted = true) {
    trend.propose(t, state(t + h, R), at_node(x), x.norm());
    if (!accepted) return;
    t += h;
    inertial = trend.mean(ErrorTrend::inertial)[1];
    own = trend.mean(ErrorTrend::of_node)[1];
    lead = trend.lead();
    trend.accept();
  }
  Vec6 own = Vec6::Zero();
  Vec6 inertial = Vec6::Zero();
  double lead = 0;
};

const Vec6 error = (Vec6() << 1, -2, 3, 0.5, 0.25, -4).finished();

TEST(ErrorTrend, KeepsWhatAddsUp) {
  Steps run;
  for (int n = 0; n < 8; ++n) {
    run.step(0.1, error);
    EXPECT_LE((run.own - error).norm(), 1e-13);
    EXPECT_LE((run.inertial - error).norm(), 1e-13);
    EXPECT_EQ(run.lead, 1);
  }
}

// Of a vibration of amplitude A, c phi^3 A in a step, the filter leaves cut^3 c A where phi is above cut.
TEST(ErrorTrend, LeavesVibrationsByTheirAmplitude) {
  for (const double phi : {0.1, 0.6, 1.0, 2.0}) {
    Steps run;
    double largest = 0;
    double lead = 1;
    for (int n = 0; n < 400; ++n) {
      run.step(0.1, std::pow(phi, 3) * std::cos(phi * n) * error);
      if (n < 200) continue;
      largest = std::max(largest, run.own.norm());
      lead = std::max(lead, run.lead);
    }
    const double by_amplitude = largest / (std::pow(cut, 3) * error.norm());
    const double by_error = largest / (std::pow(phi, 3) * error.norm());
    if (phi < cut)
      EXPECT_GT(by_error, 0.8) << phi;
    else
      EXPECT_LT(by_amplitude, phi > 1 ? 1.7 : 1.1) << phi;  // of a few steps a turn the filter takes less
    EXPECT_LT(lead, 1.3) << phi;
  }
}

// The mean alone lags behind errors that grow; with the lead it is at least 2/pi of the last.
TEST(ErrorTrend, AnErrorAheadOfTheMeanLeads) {
  Steps run;
  run.step(0.1, 1e-6 * error);
  double x = 1e-6;
  for (int n = 0; n < 12; ++n, x *= 2) {
    run.step(0.1, x * error);
    EXPECT_GT(run.own.norm() * run.lead, 0.63 * x * error.norm());
    EXPECT_LE(run.own.norm() * run.lead, (1 + 1e-13) * x * error.norm());
  }
  for (int n = 0; n < 100; ++n) run.step(0.1, 1e-6 * error);
  run.step(0.1, error);
  EXPECT_GT(run.own.norm() * run.lead, 0.63 * error.norm()) << "something strikes";
}

TEST(ErrorTrend, FollowsErrorsOfATurningBodyInBothFrames) {
  Steps run;
  for (int n = 0; n < 6; ++n) {
    const Mat3 R = math::so3::exp(Vec3(0, 0, 1.2 * n));
    Vec6 x = error;
    x.head<3>() = R * error.head<3>();  // translations are inertial
    run.step(0.1, x, R);
  }
  EXPECT_LE((run.own - error).norm(), 1e-13);
  EXPECT_LT(run.inertial.norm(), 0.95 * error.norm());
  Steps other;
  for (int n = 0; n < 6; ++n) {
    const Mat3 R = math::so3::exp(Vec3(0, 0, 1.2 * n));
    Vec6 x = error;
    x.tail<3>() = R.transpose() * error.tail<3>();  // rotations are in the node's frame
    other.step(0.1, x, R);
  }
  EXPECT_LE((other.inertial - error).norm(), 1e-13);
  EXPECT_LT(other.own.norm(), 0.95 * error.norm());
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
  EXPECT_EQ(other.lead, run.lead);
}

}  // namespace
}  // namespace polhode::integrators
