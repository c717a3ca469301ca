// SPDX-License-Identifier: BSD-3-Clause
// Samples, switches and modes in radau5, the Rosenbrock methods and those of SUNDIALS: numbers that steps hold.
//
// The sampled pendulums are those of their equation with the held torque, solved from sample to sample with the classical
// Runge-Kutta method in 1000 and 2000 steps a period, which agree to 1e-14; 100 Hz and the switch as in
// signals_test.cpp and signal_switches_test.cpp, by DOP853.
#include <array>
#include <cmath>

#include "support/controlled_pendulum.hpp"
#include "support/methods.hpp"

namespace polhode::support {
namespace {

const std::string at_10_hz = "  torque: {type: sample_hold, input: \"=-8*angle - 2*rate\", period: 0.1}\n";
constexpr double angle_at_10_hz = 0.813920643680645;
const std::string filtered_at_10_hz =
    "  held: {type: sample_hold, input: \"=-8*angle - 2*rate\", period: 0.1}\n"
    "  torque: {type: low_pass, input: held, time_constant: 0.05}\n";
constexpr double filtered_angle_at_10_hz = 0.660025547049690;
constexpr double filter_at_10_hz = -3.09100808561432;
const std::string at_100_hz = "  torque: {type: sample_hold, input: \"=-40*angle - 6*rate\", period: 0.01}\n";
constexpr double angle_at_100_hz = 0.2364877911516;
const std::string held_relay =
    "  torque: {type: switch, input: angle, on_above: 0.6, off_below: 0.3, when_on: \"=-30 - 2*rate\", "
    "when_off: \"=5 - rate\"}\n";
constexpr double angle_of_relay = 0.7562741995525;

std::string by_method(const std::string& method) { return "{method: " + method + "}"; }

struct HeldOrder {
  std::string method;
  double order;
  double h;
};
std::ostream& operator<<(std::ostream& out, const HeldOrder& order) { return out << order.method; }

class HeldByMethod : public testing::TestWithParam<HeldOrder> {
 protected:
  // Of the angle, over one halving.
  static void expect_order(const std::string& signals, double exact, double h) {
    const auto error = [&](double step) {
      return std::abs(angle_at_end(controlled_pendulum(signals, "=torque", 1, step, by_method(GetParam().method))) -
                      exact);
    };
    const double first = error(h);
    const double second = error(h / 2);
    EXPECT_NEAR(std::log2(first / second), GetParam().order, 0.3) << first << " " << second;
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, HeldByMethod,
                         testing::Values(HeldOrder{"radau5", 5, 0.05}, HeldOrder{"rosenbrock4", 4, 0.0125},
                                         HeldOrder{"rosenbrock_w2", 2, 0.002}));

TEST_P(HeldByMethod, SamplesHaveItsOrder) { expect_order(at_10_hz, angle_at_10_hz, GetParam().h); }

TEST_P(HeldByMethod, SamplesInFrontOfAFilterHaveItsOrder) {
  expect_order(filtered_at_10_hz, filtered_angle_at_10_hz, GetParam().h);
}

TEST_P(HeldByMethod, SwitchesHaveItsOrder) { expect_order(held_relay, angle_of_relay, GetParam().h); }

// Steps end at the moments of sampling, whatever their grid.
TEST_P(HeldByMethod, StepsEndAtSamples) {
  const double step = GetParam().method == "rosenbrock_w2" ? 0.0003 : 0.003;
  const double angle = angle_at_end(controlled_pendulum(at_100_hz, "=torque", 1, step, by_method(GetParam().method)));
  EXPECT_NEAR(angle, angle_at_100_hz, GetParam().method == "rosenbrock_w2" ? 1e-6 : 1e-8);
}

// What is stored at a moment of sampling is what was held up to it; behind it the new sample is held.
TEST_P(HeldByMethod, ValuesAtASampleAreThoseBeforeIt) {
  const std::string ramp = "  torque: {type: sample_hold, input: \"=t\", period: 0.1}\n";
  for (const auto& [duration, held] : {std::pair{0.3, 0.2}, std::pair{0.35, 0.3}}) {
    Transient run(deck_of(controlled_pendulum(ramp, "=torque", duration, 0.05, by_method(GetParam().method))));
    EXPECT_NEAR(run.q.signals.values[2], held, 1e-12) << duration;
  }
}

// Set by an event at 0.1234 s, which no grid has: the torque of before up to there, the other behind. The angle is that of
// the Runge-Kutta method from one to the other, to 1e-14.
TEST_P(HeldByMethod, EventsSetModes) {
  const std::string events = "events: {turn: {when: 0.1234, do: {set: signals.torque, value: -8}}}\n";
  const auto error = [&](double h) {
    return std::abs(angle_at_end(controlled_pendulum("  torque: {type: mode, initial: 2}\n", "=torque", 0.5, h,
                                                     by_method(GetParam().method)) +
                                 events) -
                    1.12007489268512);
  };
  const double first = error(GetParam().h);
  const double second = error(GetParam().h / 2);
  EXPECT_GE(std::log2(first / second), GetParam().order - 0.5) << first << " " << second;
  EXPECT_LE(second, 1e-4);
}

std::vector<std::string> methods_that_hold() { return and_of_sundials({"radau5", "rosenbrock4", "rosenbrock_w2"}); }

class ControlledSamples : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, ControlledSamples, testing::ValuesIn(methods_that_hold()));

TEST_P(ControlledSamples, AreWithinTheTolerance) {
  constexpr double growth = 30;  // of local errors over the motion
  for (const double tolerance : {1e-5, 1e-6}) {
    const std::string step = "{tolerance: " + std::to_string(tolerance * 1e7) + "e-7}";
    const auto run = [&](const std::string& signals) {
      return angle_at_end(controlled_pendulum(signals, "=torque", 1, step, by_method(GetParam())));
    };
    EXPECT_NEAR(run(at_10_hz), angle_at_10_hz, growth * tolerance);
    EXPECT_NEAR(run(at_100_hz), angle_at_100_hz, growth * tolerance);
    Transient filtered(deck_of(controlled_pendulum(filtered_at_10_hz, "=torque", 1, step, by_method(GetParam()))));
    EXPECT_NEAR(angle_of(filtered.q), filtered_angle_at_10_hz, growth * tolerance);
    EXPECT_NEAR(filtered.q.signals.z[0], filter_at_10_hz, 10 * growth * tolerance);
  }
}

// Values of results are those of the state, also of signals without states.
TEST_P(ControlledSamples, ValuesFollowTheMotion) {
  Transient run(deck_of(controlled_pendulum("  torque: \"=-20*angle - rate\"\n", "=torque", 0.5, "{tolerance: 1e-5}",
                                            by_method(GetParam()))));
  ASSERT_EQ(run.result.end, TransientResult::End::done);
  EXPECT_NEAR(run.q.signals.values[0], angle_of(run.q), 1e-12);
  EXPECT_NEAR(run.q.signals.values[2], -20 * run.q.signals.values[0] - run.q.signals.values[1], 1e-12);
}

}  // namespace
}  // namespace polhode::support
