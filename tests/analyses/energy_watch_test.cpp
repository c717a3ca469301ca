// SPDX-License-Identifier: BSD-3-Clause
// The balance of energy of a transient, and numbers that are not finite.
#include "analyses/transient/energy_watch.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/models.hpp"

namespace polhode::support {
namespace {

using analyses::EnergyBalance;
using analyses::EnergyWatch;

model::Model stone_of_two_kg() {
  ModelMaker m;
  m.model.gravity = Vec3(0, 0, -10);
  m.node("stone", Vec3(1, 2, 3));
  m.body("stone", "stone", 2, Vec3(0.5, 0.5, 0.5));
  return std::move(m.model);
}

// A stone thrown up under gravity, t after the start; `gained`: J of kinetic energy that nothing gave.
State thrown(const assembly::System& system, double t, double gained = 0) {
  State q = system.initial_state();
  q.t = t;
  const double speed = 6 - 10 * t;
  q.x[1] = Vec3(1 + 2 * t, 2, 3 + 6 * t - 5 * t * t);
  q.v[1] << std::sqrt(4 + gained), 0, speed, 1, 2, 3;
  return q;
}

TEST(EnergyWatch, BalanceOfAThrownStoneCloses) {
  const Machine machine(stone_of_two_kg());
  EnergyWatch watch(machine.system, 1, {});
  ASSERT_TRUE(watch.begin(thrown(machine.system, 0), 5));
  for (int n = 1; n <= 100; ++n) {
    ASSERT_TRUE(watch.add_step(thrown(machine.system, 0.01 * n), 5, n == 100));
    EXPECT_NEAR(watch.balance().unexplained(), 0, 1e-12);
  }
  EXPECT_GE(watch.balance().scale(), machine.system.energies(thrown(machine.system, 0)).kinetic);
}

TEST(EnergyWatch, WhatWorkExplainsIsTakenOutAndWhatItDoesNotIsLeft) {
  const Machine machine(stone_of_two_kg());  // 2 kg: 1 J for each unit of `gained`
  for (const double work : {0.0, 2.5, -1.0}) {
    EnergyWatch watch(machine.system, 1, {});
    ASSERT_TRUE(watch.begin(thrown(machine.system, 0), 7));
    ASSERT_TRUE(watch.add_step(thrown(machine.system, 0.3, 2.5), 7 + work, true));
    EXPECT_NEAR(watch.balance().unexplained(), 2.5 - work, 1e-12);
    EXPECT_GE(watch.balance().scale(), std::abs(work));
  }
}

TEST(EnergyWatch, ImpulsesOfDrivesCountAsWork) {
  const Machine machine(stone_of_two_kg());
  for (const bool told : {true, false}) {
    EnergyWatch watch(machine.system, 1, told ? std::vector<double>{0.25} : std::vector<double>{0.9});
    ASSERT_TRUE(watch.begin(thrown(machine.system, 0), 0));
    ASSERT_TRUE(watch.add_step(thrown(machine.system, 0.2), 0, true));
    ASSERT_TRUE(watch.add_step(thrown(machine.system, 0.3, 4), 0, true));
    EXPECT_NEAR(watch.balance().unexplained(), told ? 0 : 4, 1e-12);
  }
}

TEST(EnergyBalance, WorkThatDampersTakeAndLoadsGiveBackCountsTwice) {
  EnergyBalance balance;
  balance.begin({10, 0, 0}, 3, 0);
  for (const double work : {5.0, 3.0, 5.0}) balance.add_work(work);
  EXPECT_EQ(balance.given(), 10 + 2 + 2 + 2);
  balance.add({12, 0, 0}, 5, false);
  EXPECT_EQ(balance.unexplained(), 0) << "2 J of work";
}

TEST(EnergyBalance, GravityGivesWhatItTakesAndIsNoScale) {
  EnergyBalance balance;
  balance.begin({1, 0, 100}, 0, 0);
  balance.add({31, 0, 70}, 0, false);
  balance.add({1, 0, 100}, 0, false);
  EXPECT_EQ(balance.given(), 1 + 30 + 30);
  EXPECT_EQ(balance.scale(), 31);
  EXPECT_EQ(balance.unexplained(), 0);
}

TEST(EnergyBalance, WorkBeyondAllThatTheModelHadIsOvercounted) {
  EnergyBalance balance;
  balance.begin({1, 0.5, 0}, 0, 0);
  balance.add({0, 0, 0}, -4, false);
  EXPECT_EQ(balance.overcounted(), 4 - 1.5);
  EXPECT_EQ(balance.unexplained(), 4 - 1.5);
}

TEST(EnergyWatch, NumbersThatAreNotFiniteAreFoundWhereverTheyStand) {
  const Machine machine(stone_of_two_kg());
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (int k = 0; k < 9; ++k) {
      EnergyWatch watch(machine.system, 1, {});
      ASSERT_TRUE(watch.begin(thrown(machine.system, 0), 0));
      State q = thrown(machine.system, 0.1);
      EXPECT_TRUE(watch.is_finite(q));
      double& number = k < 3 ? q.x[1][k] : q.v[1][k - 3];
      number = bad;
      EXPECT_FALSE(watch.is_finite(q)) << k;
      integrators::StepReport report;
      watch.describe(report);
      EXPECT_EQ(report.outcome, integrators::Outcome::not_finite);
      EXPECT_NE(report.said.find("stone"), std::string::npos) << report.said;
    }
}

TEST(FiniteMotion, SpeedsAreThoseOfTheFastestNodeOfTheLastState) {
  const Machine machine(stone_of_two_kg());
  analyses::FiniteMotion motion(machine.system);
  ASSERT_TRUE(motion.check(thrown(machine.system, 0.6)));
  EXPECT_NEAR(motion.square_speed(), 4 + 14, 1e-12);
  EXPECT_NEAR(motion.fastest_rotation(), std::sqrt(14.0), 1e-12);
}

// The check of each step looks at positions and velocities alone.
TEST(FiniteMotion, AccelerationsAreLookedAtByTheWholeCheck) {
  const Machine machine(stone_of_two_kg());
  analyses::FiniteMotion motion(machine.system);
  State q = thrown(machine.system, 0.1);
  q.vdot[1][2] = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(motion.check(q));
  EXPECT_FALSE(motion.check_wholly(q));
  EXPECT_EQ(motion.problem(), "the acceleration of nodes.stone is not finite at t = 0.1 s");
}

}  // namespace
}  // namespace polhode::support
