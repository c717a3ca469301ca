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
    if (monitor.history.empty()) continue;
    for (const results::Channel& channel : sampler.layout().steps) {
      if (channel.path != monitor.history) continue;
      EXPECT_EQ(row[channel.offset], monitor.value({report, 0, watched})) << monitor.name;
      ++found;
    }
  }
  EXPECT_EQ(found, 4u);
}

TEST(Monitors, LinesHaveTheWorstValueItsTimeAndTheLastOne) {
  MonitorExtremes extremes;
  EXPECT_TRUE(extremes.lines().empty());
  integrators::StepReport report;
  report.contraction = std::numeric_limits<double>::quiet_NaN();
  for (const double turn : {0.1, 0.3, 0.2}) {
    report.t += 0.5;
    extremes.add({report, 0, {.turn = turn, .energy_balance = -turn, .pivot_ratio = turn}});
  }
  const std::vector<std::string> lines = extremes.lines();
  ASSERT_EQ(lines.size(), results::monitors().size() - 1) << "no contraction in any step";
  EXPECT_EQ(lines[0], "turn: worst 0.3 rad at t = 1 s, 0.2 rad at the end");
  EXPECT_EQ(lines[1], "energy_balance: worst -0.3 J at t = 1 s, -0.2 J at the end");
  EXPECT_EQ(lines.back(), "pivot_ratio: worst 0.1 at t = 0.5 s, 0.2 at the end");
}

TEST(Monitors, ATransientHasThem) {
  const Transient run(pushed("1", "0.1"));
  const std::vector<std::string> lines = run.result.monitors.lines();
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0].find("turn: worst "), 0u) << lines[0];
}

}  // namespace
}  // namespace polhode::support
