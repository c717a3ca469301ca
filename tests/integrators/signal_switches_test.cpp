// SPDX-License-Identifier: BSD-3-Clause
// Switches: times and motion against DOP853 with located events (relative tolerance 1e-13), thresholds, hysteresis.
#include "support/controlled_pendulum.hpp"
#include "support/methods.hpp"

namespace polhode::support {
namespace {

// Falls freely, but for damping and 5 N m, up to 0.6 rad; is then pulled back to 0.3 rad.
const std::string relay =
    "  torque: {type: switch, input: angle, on_above: 0.6, off_below: 0.3, when_on: \"=-30 - 2*rate\", "
    "when_off: \"=5 - rate\"}\n";

TEST(Switches, HaveTheOrderOfTheMethod) {
  const double exact = 0.7562741995525;
  std::vector<double> errors;
  for (const double h : {0.004, 0.002, 0.001})
    errors.push_back(std::abs(angle_at_end(controlled_pendulum(relay, "=torque", 1, h)) - exact));
  EXPECT_NEAR(std::log2(errors[0] / errors[2]) / 2, 2, 0.15);
  EXPECT_NEAR(angle_at_end(controlled_pendulum(relay, "=torque", 0.5, 0.0001)), 0.4124263552939, 1e-6);
}

TEST(Switches, ChangeAtTheirTimes) {
  for (const char* step : {"0.0005", "{tolerance: 1.0e-7}"}) {
    Transient run(deck_of(controlled_pendulum(relay, "=torque", 1, step)));
    ASSERT_EQ(run.result.events.size(), 3u) << step;
    const double times[] = {0.236019435538, 0.523132571428, 0.962122578684};
    for (std::size_t i = 0; i < 3; ++i) {
      const analyses::EventRecord& event = run.result.events[i];
      EXPECT_NEAR(event.t, times[i], 1e-5) << step;
      EXPECT_EQ(event.name, "torque");
      EXPECT_EQ(event.what, i == 1 ? "switches off" : "switches on");
    }
  }
}

// Without hysteresis both ways at one threshold.
TEST(Switches, OfOneThreshold) {
  const std::string one =
      "  torque: {type: switch, input: angle, on_above: 0.6, when_on: \"=-30 - 2*rate\", when_off: \"=5 - rate\"}\n";
  Transient run(deck_of(controlled_pendulum(one, "=torque", 1, 0.0002)));
  EXPECT_EQ(run.result.events.size(), 4u);
  EXPECT_NEAR(angle_of(run.q), 0.4655523196692, 4e-6);
}

// 1 and 0 unless they are given; nothing happens between the thresholds, nor where it is on already.
TEST(Switches, StayAsTheyAreBetweenTheThresholds) {
  const auto run = [](const std::string& more) {
    return Transient(deck_of(controlled_pendulum(
        "  wave: {type: switch, input: \"=sin(20*t)\", on_above: 2, off_below: -2" + more + "}\n", "=wave", 1, 0.01)));
  };
  const Transient on = run(", starts_on: true");
  const Transient off = run("");
  EXPECT_TRUE(on.result.events.empty());
  EXPECT_TRUE(off.result.events.empty());
  EXPECT_EQ(on.q.signals.values[2], 1);
  EXPECT_EQ(off.q.signals.values[2], 0);
  const std::string above = "  wave: {type: switch, input: \"=0.5 + sin(20*t)\", on_above: 1, off_below: -2}\n";
  Transient once(deck_of(controlled_pendulum(above, "=wave", 1, 0.01)));
  ASSERT_EQ(once.result.events.size(), 1u);
  EXPECT_NEAR(once.result.events[0].t, std::asin(0.5) / 20, 1e-9);
}

TEST(Switches, AreOnAtTheStartAboveTheThreshold) {
  const std::string above = "  wave: {type: switch, input: \"=3 - t\", on_above: 2.5, off_below: 2.25}\n";
  Transient run(deck_of(controlled_pendulum(above, "=wave", 1, 0.01)));
  ASSERT_EQ(run.result.events.size(), 1u);
  EXPECT_EQ(run.result.events[0].what, "switches off");
  EXPECT_NEAR(run.result.events[0].t, 0.75, 1e-9);
}

// The torque holds the rod where it changes.
TEST(Switches, ThatNeverEndAreNamed) {
  const std::string slides = "  torque: {type: switch, input: rate, on_above: 0.5, when_on: -60, when_off: 20}\n";
  Transient run(deck_of(controlled_pendulum(slides, "=torque", 1, 0.01)));
  EXPECT_EQ(run.result.end, TransientResult::End::failed);
  EXPECT_NE(run.result.stopped_by.what.find("signals.torque switches for ever"), std::string::npos)
      << run.result.stopped_by.what;
}

// One-step methods repeat the step up to where a switch changes; those whose library chooses the steps go back to there.
TEST(Switches, ChangeInAllMethodsUnderControl) {
  for (const std::string& method : and_of_sundials({"radau5", "rosenbrock4"})) {
    const auto error = [&](const std::string& tolerance) {
      const std::string deck =
          controlled_pendulum(relay, "=torque", 0.5, "{tolerance: " + tolerance + "}", "{method: " + method + "}");
      Transient run(deck_of(deck));
      EXPECT_EQ(run.result.end, TransientResult::End::done) << run.result.stopped_by.what;
      EXPECT_GE(run.result.events.size(), 1u);
      return std::abs(angle_of(run.q) - 0.4124263552939);
    };
    EXPECT_LE(error("1.0e-6"), 1e-5) << method;
    EXPECT_LE(error("1.0e-7"), 1e-6) << method;
  }
}

}  // namespace
}  // namespace polhode::support
