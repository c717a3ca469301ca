// SPDX-License-Identifier: BSD-3-Clause
// The chart of methods in state-space form: its velocities and accelerations against differences of its positions.
#include "polhode/integrators/rosenbrock/state_chart.hpp"

#include <gtest/gtest.h>

#include "integrators/nodal.hpp"
#include "support/bench.hpp"
#include "support/models.hpp"

namespace polhode::support {
namespace {

using integrators::StateChart;

// theta = a + b t + c t^2 of each node.
struct ChartCurve {
  std::vector<std::array<Vec6, 3>> coefficients;

  ChartCurve(std::size_t nodes, std::mt19937& random) : coefficients(nodes) {
    for (auto& of_node : coefficients)
      for (Vec6& k : of_node) k << random_vector(random), random_vector(random, 0.5);
  }
  Vec6 at(std::size_t i, double t) const {
    return coefficients[i][0] + t * coefficients[i][1] + t * t * coefficients[i][2];
  }
  Vec6 rate(std::size_t i, double t) const { return coefficients[i][1] + 2 * t * coefficients[i][2]; }
  Vec6 second(std::size_t i) const { return 2 * coefficients[i][2]; }

  // The stage at t.
  State stage(StateChart& chart, double t) const {
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
      chart.theta()[i] = at(i, t);
      chart.thetad()[i] = rate(i, t);
    }
    EXPECT_TRUE(chart.place(t));
    chart.set_T();
    chart.set_velocities();
    return chart.stage();
  }
};

TEST(StateChart, VelocitiesAndAccelerationsAreThoseOfTheMotion) {
  const Machine machine(cantilever(2));
  std::mt19937 random(5);
  State origin = machine.system.initial_state();
  for (std::size_t i = 1; i < origin.x.size(); ++i)
    origin.set_rotation(i, math::so3::exp_quaternion(random_vector(random, 2)));
  StateChart chart(machine.system);
  chart.begin(origin);
  const ChartCurve curve(origin.x.size(), random);
  constexpr double d = 1e-5;
  constexpr double t = 0.3;
  const State before = curve.stage(chart, t - d);
  const State after = curve.stage(chart, t + d);
  const State here = curve.stage(chart, t);
  for (std::size_t i = 0; i < here.x.size(); ++i) {
    const Vec3 turn = math::so3::log(math::so3::Quaternion(before.quat[i].conjugate() * after.quat[i]));
    EXPECT_LE((here.v[i].head<3>() - (after.x[i] - before.x[i]) / (2 * d)).norm(), 1e-8);
    EXPECT_LE((here.v[i].tail<3>() - turn / (2 * d)).norm(), 1e-8);
    chart.stage().vdot[i] = (after.v[i] - before.v[i]) / (2 * d);
  }
  const std::vector<Vec6>& thetadd = chart.thetadd();
  for (std::size_t i = 0; i < here.x.size(); ++i) EXPECT_LE((thetadd[i] - curve.second(i)).norm(), 1e-7);
}

TEST(StateChart, EndsBeforeAWholeTurn) {
  const Machine machine(cantilever(1));
  StateChart chart(machine.system);
  chart.begin(machine.system.initial_state());
  chart.theta()[1] << 1e6, 0, 0, 0, 2.9, 0;
  EXPECT_TRUE(chart.place(0)) << "positions have no end";
  chart.theta()[1] << 0, 0, 0, 0, 3.1, 0;
  EXPECT_FALSE(chart.place(0));
}

TEST(SizeOfNodalVectors, IsTheLargestComponentWithTranslationsByTheLength) {
  Vec6 moved = Vec6::Zero();
  moved[1] = -6;
  Vec6 turned = Vec6::Zero();
  turned[5] = -0.5;
  EXPECT_EQ(integrators::size_of(moved, 4), 1.5);
  EXPECT_EQ(integrators::size_of(turned, 4), 0.5);
  EXPECT_EQ(integrators::size_of(std::vector<Vec6>{turned, moved, Vec6::Zero()}, 4), 1.5);
}

}  // namespace
}  // namespace polhode::support
