// SPDX-License-Identifier: BSD-3-Clause
// Delays: feedback through dead times against DOP853 by the method of steps (relative tolerance 1e-13), across jumps, and
// by steps longer than the delay.
#include "support/controlled_pendulum.hpp"

namespace polhode::support {
namespace {

struct DeadTime {
  std::string name;
  std::string signals;
  double at_half;
  double at_one;
  // s, the longest of three: jumps are at the same part of each of them
  double step;
};

// On the grid, off it with a jump of the torque, and shorter than most steps; then from samples.
const std::vector<DeadTime> dead_times{
    {"on the grid", "  torque: {type: delay, input: \"=-40*angle - 6*rate\", time: 0.02}\n", 0.2583790548439,
     0.2373780771982, 0.004},
    {"off the grid", "  torque: {type: delay, input: \"=-40*angle - 6*rate\", time: 0.0205, initial: 3}\n",
     0.2575253354504, 0.2375046807560, 0.004},
    {"short", "  torque: {type: delay, input: \"=-40*angle - 6*rate\", time: 0.0007}\n", 0.2603105534813,
     0.2363763701265, 0.004},
    {"of samples",
     "  held: {type: sample_hold, input: \"=-40*angle - 6*rate\", period: 0.01}\n"
     "  torque: {type: delay, input: held, time: 0.0137}\n",
     0.2586752147492, 0.2372758141170, 0.002},
};

TEST(Delays, HaveTheOrderOfTheMethod) {
  for (const DeadTime& loop : dead_times) {
    std::vector<double> errors;
    for (const double h : {loop.step, loop.step / 2, loop.step / 4})
      errors.push_back(std::abs(angle_at_end(controlled_pendulum(loop.signals, "=torque", 1, h)) - loop.at_one));
    EXPECT_GE(std::log2(errors[0] / errors[2]) / 2, 1.85) << loop.name << " " << errors[0] << " " << errors[2];
  }
}

TEST(Delays, AtSmallSteps) {
  for (const DeadTime& loop : dead_times)
    EXPECT_NEAR(angle_at_end(controlled_pendulum(loop.signals, "=torque", 0.5, 0.0001)), loop.at_half, 1e-6)
        << loop.name;
}

TEST(Delays, UnderControlOfTheStep) {
  for (const DeadTime& loop : dead_times)
    EXPECT_NEAR(angle_at_end(controlled_pendulum(loop.signals, "=torque", 0.5, "{tolerance: 1.0e-6}")), loop.at_half,
                2e-5)
        << loop.name;
}

// Newton's method converges as without: the part of the present input is in the matrix.
TEST(Delays, ShorterThanTheStepTakeNoMoreIterations) {
  const auto iterations = [](const std::string& torque) {
    Transient run(deck_of(controlled_pendulum(torque, "=torque", 0.5, 0.005)));
    EXPECT_EQ(run.result.end, TransientResult::End::done);
    return run.result.progress.iterations;
  };
  EXPECT_LE(iterations("  torque: {type: delay, input: \"=-40*angle - 6*rate\", time: 0.0001}\n"),
            iterations("  torque: \"=-40*angle - 6*rate\"\n") + 3);
}

// Of an event, which sets the input at 0.25 s: behind 0.313 s the rod turns under the other torque.
TEST(Delays, JumpsComeOutLater) {
  const std::string events = "events: {turn: {when: 0.25, do: {set: signals.level, value: -8}}}\n";
  const std::string late = "  level: {type: mode, initial: 2}\n  torque: {type: delay, input: level, time: 0.063}\n";
  std::vector<double> angles;
  for (const double h : {0.004, 0.002, 0.001})
    angles.push_back(angle_at_end(controlled_pendulum(late, "=torque", 0.5, h) + events));
  EXPECT_NEAR(std::log2(std::abs((angles[0] - angles[1]) / (angles[1] - angles[2]))), 2, 0.15);
  const double exact = angle_at_end(controlled_pendulum("", "=t < 0.063 ? 0 : t < 0.313 ? 2 : -8", 0.5, "0.0001",
                                                        "{method: lie_alpha, breakpoints: hit}"));
  const double found = angle_at_end(controlled_pendulum(late, "=torque", 0.5, 0.0001) + events);
  EXPECT_NEAR(found, exact, 1e-6);
}

// Of a function of time, off the grid, on it, and under control of the step.
TEST(Delays, JumpsOfFunctionsOfTimeComeOutLater) {
  for (const std::string jump : {"0.12345", "0.12"}) {
    const std::string late =
        "  wanted: \"=(t >= " + jump + " ? 8 : -2)\"\n  torque: {type: delay, input: wanted, time: 0.0631}\n";
    const double exact = angle_at_end(controlled_pendulum("", "=t < 0.0631 ? 0 : t < 0.0631 + " + jump + " ? -2 : 8",
                                                          0.5, "0.0001", "{method: lie_alpha, breakpoints: hit}"));
    std::vector<double> errors;
    for (const double h : {0.004, 0.002, 0.001})
      errors.push_back(std::abs(angle_at_end(controlled_pendulum(late, "=torque", 0.5, h)) - exact));
    EXPECT_GE(std::log2(errors[0] / errors[2]) / 2, 1.8) << jump;
    EXPECT_NEAR(angle_at_end(controlled_pendulum(late, "=torque", 0.5, "{tolerance: 1.0e-6}")), exact, 2e-5) << jump;
  }
}

// Of what is known in closed form: straight lines between the steps.
TEST(Delays, GiveWhatTheyWereGiven) {
  for (const double h : {0.01, 0.0025}) {
    Transient run(
        deck_of(controlled_pendulum("  late: {type: delay, input: \"=sin(7*t)\", time: 0.203}\n", "=0", 1, h)));
    EXPECT_NEAR(run.q.signals.values[2], std::sin(7 * 0.797), h * h / 8 * 49);
  }
}

// Rows are kept as long as they are needed.
TEST(Delays, ForgetWhatIsOlder) {
  Transient run(deck_of(controlled_pendulum("  late: {type: delay, input: rate, time: 0.02}\n", "=-late", 5, 0.001)));
  EXPECT_LE(run.q.signals.past.size(), 3u * 2 * (20 + 5));
}

TEST(Delays, AreRefusedByName) {
  Transient run(deck_of(
      controlled_pendulum("  late: {type: delay, input: angle, time: 0.01}\n", "=-late", 1, 0.01, "{method: radau5}")));
  EXPECT_EQ(run.result.end, TransientResult::End::invalid);
  ASSERT_FALSE(run.problems.empty());
  EXPECT_NE(run.problems[0].message.find("signals.late"), std::string::npos) << run.problems[0].message;
}

}  // namespace
}  // namespace polhode::support
