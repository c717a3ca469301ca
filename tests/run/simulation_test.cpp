// SPDX-License-Identifier: BSD-3-Clause
// A run step by step gives what the whole run gives.
#include "polhode/run/simulation.hpp"

#include <gtest/gtest.h>

#include "polhode/io/hdf5/results.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "run/decks.hpp"

namespace polhode::run {
namespace {

io::Deck short_top(const std::vector<std::string>& more = {}) {
  std::vector<std::string> settings{"analysis.duration=0.1", "responses={z: {last: nodes.centre.position.z}}"};
  settings.insert(settings.end(), more.begin(), more.end());
  return heavy_top(settings);
}

TEST(Simulation, StepsAreThoseOfTheWholeRun) {
  const test::TemporaryFolder folder;
  const io::Deck deck = short_top();
  const RunResult whole = run_deck(deck, {.results_file = folder.file("whole.h5")});
  Simulation simulation(deck, {.results_file = folder.file("steps.h5")});
  ASSERT_TRUE(simulation.start());
  EXPECT_EQ(simulation.time(), 0);
  EXPECT_EQ(simulation.steps(), 0);
  const io::ResultsReader expected(folder.file("whole.h5"));
  const std::vector<double> x = expected.numbers("/nodes/position");
  long n = 0;
  for (; simulation.step(); ++n) EXPECT_EQ(simulation.state().x[1].z(), x[3 * (n + 1) + 2]) << n;
  EXPECT_EQ(n, 50);
  EXPECT_EQ(simulation.steps(), 50);
  EXPECT_TRUE(simulation.is_done());
  const RunResult result = simulation.finish();
  EXPECT_EQ(result.status, Status::completed);
  EXPECT_EQ(result.responses.at(0).value, whole.responses.at(0).value);
  EXPECT_EQ(io::ResultsReader(folder.file("steps.h5")).numbers("/nodes/position"), x);
}

TEST(Simulation, ThatIsFinishedEarlyIsInterruptedAndItsFileIsWhole) {
  const test::TemporaryFolder folder;
  const io::Deck deck = short_top();
  Simulation simulation(deck, {.results_file = folder.file("part.h5")});
  EXPECT_TRUE(simulation.advance_to(0.019));
  EXPECT_EQ(simulation.steps(), 10);
  EXPECT_EQ(simulation.time(), 0.02);
  const RunResult result = simulation.finish();
  EXPECT_EQ(result.status, Status::interrupted);
  EXPECT_EQ(result.counts.steps, 10);
  const io::ResultsReader results(folder.file("part.h5"));
  EXPECT_EQ(results.attribute("status"), "interrupted");
  EXPECT_EQ(results.numbers("/time").size(), 11u);
}

TEST(Simulation, WithoutATransientIsDoneAtItsStart) {
  const io::Deck deck = short_top({"analysis={type: initial}"});
  Simulation simulation(deck);
  EXPECT_FALSE(simulation.start());
  EXPECT_TRUE(simulation.is_done());
  EXPECT_EQ(simulation.finish().status, Status::completed);
}

TEST(Simulation, TwoOfThemCanBeSteppedInTurn) {
  const io::Deck slow = short_top();
  const io::Deck fast = short_top({"analysis.step=0.004"});
  Simulation a(slow);
  Simulation b(fast);
  ASSERT_TRUE(a.start());
  ASSERT_TRUE(b.start());
  for (int n = 0; n < 10; ++n) {
    EXPECT_TRUE(a.step());
    EXPECT_TRUE(b.step());
  }
  EXPECT_EQ(a.time(), 0.02);
  EXPECT_EQ(b.time(), 0.04);
}

TEST(Simulation, AFailedStepEndsItAndItsResultSaysWhy) {
  const io::Deck deck = io::read_deck(support::shipped("benchmarks/heavy_top.yaml"),
                                      {"analysis.step=0.01", "analysis.newton.halvings=0"});
  Simulation simulation(deck);
  while (simulation.step()) continue;
  const RunResult result = simulation.finish();
  EXPECT_EQ(result.status, Status::failed);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->worst.size(), 5u);
}

TEST(Simulation, ThatNobodyStartsOrFinishesLeavesNothingBehind) {
  const io::Deck deck = short_top();
  { const Simulation idle(deck); }
  {
    Simulation left(deck);
    left.step();
  }
  SUCCEED();
}

TEST(Simulation, AFileThatCannotBeWrittenIsToldWhereItIsStarted) {
  const io::Deck deck = short_top();
  Simulation simulation(deck, {.results_file = "/proc/none/x.h5"});
  EXPECT_THROW(simulation.start(), io::ResultsError);
}

// A pendulum on a motor that holds it level; it is pushed at the end of a step.
io::Deck held_pendulum(const std::string& signals) {
  return deck_of(
      "format: polhode-deck/1\ngravity: [0, 0, -9.81]\nnodes: {c: {position: [0.5, 0, 0]}}\n"
      "bodies: {rod: {type: rigid_body, node: c, mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
      "signals:\n  angle: {of: joints.hinge.coordinates}\n  rate: {of: joints.hinge.rates}\n  torque: " +
      signals +
      "\njoints: {hinge: {type: revolute, connects: [ground, c], at: [0, 0, 0], axis: [0, 1, 0], motor: torque}}\n"
      "forces: {push: {type: load, node: c, force: [0, 0, 3], history: \"=t >= 0.5 ? 1 : 0\"}}\n"
      "analysis: {type: transient, duration: 1, step: 0.01, integrator: {method: lie_alpha, rho_infinity: 0.8}}\n");
}

const SignalPlace& signal(const Simulation& simulation, const std::string& name) {
  for (const SignalPlace& one : simulation.signals())
    if (one.name == name) return one;
  throw std::out_of_range(name);
}

// A program in the place of a sampled controller: both jump at the end of each step.
TEST(Simulation, ExternalSignalsCloseALoopAsSampledOnesDo) {
  const io::Deck sampled_deck =
      held_pendulum("{type: sample_hold, input: \"=-9.81 - 60*angle - 12*rate\", period: 0.01}");
  const io::Deck external_deck = held_pendulum("{type: external}");
  Simulation sampled(sampled_deck);
  Simulation external(external_deck);
  ASSERT_TRUE(sampled.start());
  ASSERT_TRUE(external.start());
  const SignalPlace& torque = signal(external, "torque");
  const auto value = [&](const char* name) { return external.state().signals.values[signal(external, name).first]; };
  double largest = 0;
  do {
    external.set_signal(torque, -9.81 - 60 * value("angle") - 12 * value("rate"));
    ASSERT_EQ(sampled.step(), external.step());
    largest = std::max(largest, (sampled.state().x[1] - external.state().x[1]).norm());
  } while (!external.is_done());
  EXPECT_EQ(external.steps(), 100);
  EXPECT_LT(largest, 1e-12);  // Newton's tolerance
  EXPECT_GT(std::abs(external.state().signals.values[signal(external, "angle").first]), 1e-6);
}

TEST(Simulation, ExternalSignalsStayAtTheirInitialValueUnlessTheyAreSet) {
  const io::Deck external_deck = held_pendulum("{type: external, initial: -9.81}");
  const io::Deck constant_deck = held_pendulum("\"=-9.81\"");
  Simulation external(external_deck);
  Simulation constant(constant_deck);
  while (external.step()) {
    ASSERT_TRUE(constant.step());
    EXPECT_EQ(external.state().x[1], constant.state().x[1]);
  }
}

// A point that is left between setting a signal and the step that sees it has both: its value, and that it jumps there.
TEST(Simulation, WhatWasSetLastIsInRestartPoints) {
  const test::TemporaryFolder folder;
  io::Deck deck = held_pendulum("{type: external, initial: -9.81}");
  deck.output.restart = 10;
  Simulation set(deck, {.results_file = folder.file("set.h5")});
  ASSERT_TRUE(set.start());
  for (int n = 0; n < 10; ++n) ASSERT_TRUE(set.step());
  set.set_signal(signal(set, "torque"), -4);
  ASSERT_TRUE(set.advance_to(0.499));
  set.finish();
  const RunResult result =
      run_deck(deck, {.results_file = folder.file("again.h5"), .restart = RestartFrom{folder.file("set.h5"), 0.1}});
  EXPECT_EQ(result.status, Status::completed);
  const std::vector<double> before = io::ResultsReader(folder.file("set.h5")).numbers("/nodes/position");
  const std::vector<double> again = io::ResultsReader(folder.file("again.h5")).numbers("/nodes/position");
  ASSERT_GE(before.size(), 3u * 51);
  for (std::size_t n = 0; n < 51; ++n) EXPECT_EQ(before[3 * n + 2], again[3 * n + 2]) << n;
  EXPECT_GT(std::abs(again[3 * 50 + 2]), 0.1);
}

TEST(Simulation, SignalsThatAreNotExternalCannotBeSet) {
  const io::Deck deck = held_pendulum("{type: external}");
  Simulation simulation(deck);
  ASSERT_TRUE(simulation.start());
  EXPECT_THROW(simulation.set_signal(signal(simulation, "angle"), 1), std::invalid_argument);
  EXPECT_THROW(simulation.set_signal(signal(simulation, "torque"), std::nan("")), std::invalid_argument);
  // What events set is not for host programs
  const io::Deck switched = held_pendulum("{type: mode}");
  Simulation other(switched);
  ASSERT_TRUE(other.start());
  EXPECT_THROW(other.set_signal(signal(other, "torque"), 1), std::invalid_argument);
}

}  // namespace
}  // namespace polhode::run
