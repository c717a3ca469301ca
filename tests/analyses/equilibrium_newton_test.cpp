// SPDX-License-Identifier: BSD-3-Clause
// Damping of Newton's method on equilibria of one unknown, and sizes of displacements.
#include "analyses/static/equilibrium_newton.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "support/models.hpp"

namespace polhode::analyses {
namespace {

using support::Machine;
using support::ModelMaker;
using support::State;
using support::Vec3;
using support::VectorX;

// f(x) = 0 by damped Newton steps; the last x, NaN where no part of a correction is accepted.
struct Scalar {
  std::function<double(double)> f;
  std::function<double(double)> slope;

  double solve(double x, bool damped, int most = 50) const {
    for (int i = 0; i < most; ++i) {
      const double k = slope(x);
      const double d = -f(x) / k;
      if (std::abs(d) < 1e-12) return x;
      const double part =
          damped ? damped_part(std::abs(d), [&](double trial) { return std::abs(f(x + trial * d) / k); }) : 1;
      if (part == 0) return std::numeric_limits<double>::quiet_NaN();
      x += part * d;
    }
    return x;
  }
};

TEST(DampedPart, ConvergesFromWhereFullStepsDiverge) {
  const Scalar soft{[](double x) { return std::atan(x); }, [](double x) { return 1 / (1 + x * x); }};
  EXPECT_FALSE(std::abs(soft.solve(3, false)) < 1);
  EXPECT_NEAR(soft.solve(3, true), 0, 1e-12);
}

TEST(DampedPart, IsAllOfACorrectionThatHelps) {
  EXPECT_EQ(damped_part(1, [](double) { return 0.7; }), 1);
  EXPECT_EQ(damped_part(1, [](double part) { return part == 1 ? 0.8 : 0.0; }), 0.5);  // 3/4 at most
}

TEST(DampedPart, GoesOnWhereTheEquationsCannotBeEvaluated) {
  const auto next = [](double part) { return part > 0.2 ? std::numeric_limits<double>::quiet_NaN() : 0.5; };
  EXPECT_EQ(damped_part(1, next), 0.125);
}

TEST(DampedPart, IsNoneWhereNoPartHelps) {
  int trials = 0;
  const auto next = [&](double) {
    ++trials;
    return 1.0;
  };
  EXPECT_EQ(damped_part(1, next), 0);
  EXPECT_EQ(trials, 6);  // down to 1/32
}

// A minimum above zero: no equilibrium.
TEST(DampedPart, EndsAtALimitPoint) {
  const Scalar beyond{[](double x) { return x * x + 0.01; }, [](double x) { return 2 * x; }};
  EXPECT_FALSE(std::abs(beyond.f(beyond.solve(1, true))) < 1e-3);
}

TEST(Displacements, CountRotationsByTheLengthOfTheModel) {
  ModelMaker m;
  m.node("a", Vec3(0, 0, 0));
  m.node("b", Vec3(4, 0, 0));
  m.body("one", "a", 1, Vec3(1, 1, 1));
  m.body("two", "b", 1, Vec3(1, 1, 1));
  const Machine machine(std::move(m.model));
  const Displacements sizes(machine.system);
  VectorX d = VectorX::Zero(12);
  d[0] = 0.4;  // m, of a model of 4 m
  EXPECT_DOUBLE_EQ(sizes.largest(d), 0.1);
  d[9] = 0.3;  // rad
  EXPECT_DOUBLE_EQ(sizes.largest(d), 0.3);
  EXPECT_DOUBLE_EQ(sizes.largest_turn(d), 0.3);
  EXPECT_DOUBLE_EQ(sizes.norm(d), std::sqrt((0.01 + 0.09) / 12));
  EXPECT_EQ(sizes.metric()[3], 16);
}

TEST(Displacements, BetweenStatesGoTheShortWayRound) {
  ModelMaker m;
  m.node("a", Vec3(0, 0, 0));
  m.body("one", "a", 1, Vec3(1, 1, 1));
  const Machine machine(std::move(m.model));
  const Displacements sizes(machine.system);
  const State from = machine.system.initial_state();
  State to = from;
  to.set_rotation(1, math::so3::exp_quaternion(Vec3(0, 0, 6)));
  EXPECT_NEAR(sizes.reach(from, to), 2 * M_PI - 6, 1e-12);
  EXPECT_EQ(sizes.along(VectorX::Ones(6), from, to), 0);  // translations only
}

}  // namespace
}  // namespace polhode::analyses
