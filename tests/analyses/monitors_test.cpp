// SPDX-License-Identifier: BSD-3-Clause
// Numbers of steps for the monitors, and their lines.
#include "analyses/transient/monitors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "polhode/results/sampler.hpp"
#include "support/transients.hpp"

namespace polhode::support {
namespace {

using analyses::ElementTwist;
using analyses::FastestMotion;
using analyses::MultiplierOscillation;
using results::Monitor;
using results::MonitorExtremes;

VectorX multipliers(double first, double second) {
  VectorX lambda(2);
  lambda << first, second;
  return lambda;
}

TEST(MultiplierOscillation, OfMultipliersThatChangeSignIsTwiceTheirSize) {
  MultiplierOscillation oscillation(2);
  double last = 0;
  for (int n = 1; n <= 6; ++n) {
    const double sign = n % 2 == 0 ? 1 : -1;
    last = oscillation.add(multipliers(-3 * sign, -4 * sign), multipliers(3 * sign, 4 * sign));
  }
  EXPECT_NEAR(last, 2, 1e-15);
}

TEST(MultiplierOscillation, OfASmoothMotionIsZero) {
  MultiplierOscillation oscillation(2);
  for (int n = 1; n <= 20; ++n)
    EXPECT_EQ(oscillation.add(multipliers(std::sin(0.05 * (n - 1)), 1), multipliers(std::sin(0.05 * n), 1)), 0);
}

TEST(MultiplierOscillation, OfASingleJumpIsZero) {
  MultiplierOscillation oscillation(2);
  EXPECT_EQ(oscillation.add(multipliers(0, 0), multipliers(5, 0)), 0);
  EXPECT_EQ(oscillation.add(multipliers(5, 0), multipliers(5, 0)), 0);
  EXPECT_EQ(MultiplierOscillation(0).add(VectorX(), VectorX()), 0) << "of no multipliers too";
}

TEST(Monitors, HaveDistinctNamesAndAreDescribed) {
  std::set<std::string_view> names;
  for (const Monitor& monitor : results::monitors()) {
    EXPECT_TRUE(names.insert(monitor.name).second) << monitor.name;
    EXPECT_FALSE(monitor.doc.empty()) << monitor.name;
    EXPECT_FALSE(monitor.unit.empty()) << monitor.name;
    EXPECT_NE(monitor.value, nullptr) << monitor.name;
  }
}

TEST(Monitors, HistoriesStandInTheResults) {
  const io::Deck deck = pushed("1", "0.1");
  const Machine machine(deck.model);
  results::Sampler sampler(machine.system, {});
  integrators::StepReport report;
  report.contraction = 0.25;
  const integrators::WatchedStep watched{0.5, -3, 0.125, 1e-4};
  const auto row = sampler.step_row(report, 0, watched);
  std::size_t found = 0;
  for (const Monitor& monitor : results::monitors()) {
    for (const results::Channel& channel : sampler.layout().steps) {
      if (channel.path != monitor.history) continue;
      EXPECT_EQ(row[channel.offset], monitor.value({report, 0, watched})) << monitor.name;
      ++found;
    }
  }
  EXPECT_EQ(found, results::monitors().size());
}

TEST(Monitors, LinesHaveTheWorstValueItsTimeAndTheLastOne) {
  MonitorExtremes extremes;
  EXPECT_TRUE(extremes.lines().empty());
  integrators::StepReport report;
  report.contraction = std::numeric_limits<double>::quiet_NaN();
  for (const double turn : {0.1, 0.3, 0.2}) {
    report.t += 0.5;
    extremes.add({report, 0, {.turn = turn, .energy_balance = -turn, .pivot_ratio = turn}}, true);
  }
  const std::vector<std::string> lines = extremes.lines();
  ASSERT_EQ(lines.size(), results::monitors().size() - 2) << "no contraction in any step, and one for the log only";
  EXPECT_EQ(lines[0], "turn: worst 0.3 rad at t = 1 s, 0.2 rad at the end");
  EXPECT_EQ(lines[2], "energy_balance: worst -0.3 J at t = 1 s, -0.2 J at the end");
  EXPECT_EQ(lines.back(), "pivot_ratio: worst 0.1 at t = 0.5 s, 0.2 at the end");
  EXPECT_EQ(extremes.lines(true), std::vector<std::string>{"fastest_motion: worst 0 at t = 0.5 s, 0 at the end"});
}

// A body 1 m from the ground on a spring of 1e6 N/m: 1000 rad/s.
io::Deck vibrating(const std::string& step, const std::string& rho_infinity = "1") {
  return deck_of(
      "format: polhode-deck/1\nnodes: {mass: {position: [1.001, 0, 0]}}\n"
      "bodies: {mass: {type: rigid_body, node: mass, mass: 1, inertia: [1, 1, 1]}}\n"
      "forces: {spring: {type: spring_damper, connects: [ground, mass], at: [[0, 0, 0], [1.001, 0, 0]], "
      "stiffness: 1.0e+6, free_length: 1}}\nanalysis: {type: transient, duration: 2, step: " +
      step + ", integrator: {method: lie_alpha, rho_infinity: " + rho_infinity + "}}\n");
}

// x = sin(omega t) at the ends of steps of any size, and a = -omega^2 x.
TEST(FastestMotion, OfAVibrationIsItsFrequencyWhetherStepsResolveItOrNot) {
  const io::Deck deck = vibrating("0.1");
  const Machine machine(deck.model);
  for (const double ratio : {0.01, 0.5, 3.0, 20.0}) {
    FastestMotion motion(machine.system);
    const double h = 0.1;
    const double omega = ratio / h;
    State before = machine.system.initial_state();
    const auto move = [&](State& q, double t) {
      q.t = t;
      q.x[1][0] = 1 + 0.1 * std::sin(omega * t);
      q.vdot[1][0] = -0.1 * omega * omega * std::sin(omega * t);
    };
    move(before, 0);
    State q = before;
    move(q, h);
    EXPECT_NEAR(motion.add(before, q), ratio, 1e-9 * ratio);
  }
}

TEST(FastestMotion, OfATurningBodyIsItsSpeedAndOfOneThatComesToRestNothing) {
  const io::Deck deck = vibrating("0.1");
  const Machine machine(deck.model);
  FastestMotion motion(machine.system);
  State before = machine.system.initial_state();
  State q = before;
  q.t = 0.1;
  before.x[1] = Vec3(1, 0, 0);
  before.vdot[1].head<3>() = Vec3(-9, 0, 0);
  q.x[1] = Vec3(std::cos(0.3), std::sin(0.3), 0);
  q.vdot[1].head<3>() = -9 * q.x[1];
  EXPECT_NEAR(motion.add(before, q), 0.3, 1e-12);
  q.vdot[1].head<3>() = -before.vdot[1].head<3>();
  q.x[1] = Vec3(1.5, 0, 0);
  EXPECT_EQ(motion.add(before, q), 0) << "accelerations grow with the way: no vibration";
  q.x[1] = Vec3(1 + 1e-8, 0, 0);
  EXPECT_TRUE(std::isnan(motion.add(before, q))) << "as good as at rest";
}

TEST(FastestMotion, ThatStepsPassOverIsAWarning) {
  const Transient coarse(vibrating("0.004"));
  ASSERT_EQ(coarse.looker.warnings.size(), 1u);
  EXPECT_NE(coarse.looker.warnings[0].find("the fastest part of the motion is not resolved"), std::string::npos);
  EXPECT_EQ(coarse.result.monitors.lines(true).at(0).find("fastest_motion: worst 4 at t = "), 0u);
  const Transient fine(vibrating("0.001"));
  for (const std::string& warning : fine.looker.warnings) ADD_FAILURE() << warning;
  EXPECT_EQ(fine.result.monitors.lines(true).at(0).find("fastest_motion: worst 1"), 0u)
      << fine.result.monitors.lines(true).at(0);
}

TEST(ElementTwist, IsTheLargestRotationBetweenEndsOfElementsAgainstTheDeck) {
  ModelMaker m;
  m.node("foot", Vec3(0, 0, 0)).fixed.fill(true);
  m.node("tip", Vec3(1, 0, 0)).orientation = Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vec3::UnitX()));
  m.section("bar", (Vec6() << 100, 60, 70, 8, 9, 10).finished(), 1.5, Vec3(0.2, 0.1, 0.1));
  m.add(model::Family::beam, "beam", "arm",
        {{"section", value("bar")}, {"from", value("foot")}, {"to", value("tip")}, {"elements", 4.0}});
  const Machine machine(std::move(m.model));
  const ElementTwist twist(machine.system);
  State q = machine.system.initial_state();
  EXPECT_NEAR(twist.of(q), 0, 1e-7);
  const std::size_t last = q.x.size() - 1;
  q.set_rotation(last, (q.quat[last] * Eigen::Quaterniond(Eigen::AngleAxisd(2.5, Vec3::UnitY()))).normalized());
  EXPECT_NEAR(twist.of(q), 2.5, 1e-7);
  const Machine rigid(vibrating("0.1").model);
  EXPECT_TRUE(std::isnan(ElementTwist(rigid.system).of(rigid.system.initial_state())));
}

TEST(Monitors, ATransientHasThem) {
  const Transient run(pushed("1", "0.1"));
  const std::vector<std::string> lines = run.result.monitors.lines();
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0].find("turn: worst "), 0u) << lines[0];
}

}  // namespace
}  // namespace polhode::support
