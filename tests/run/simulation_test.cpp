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

}  // namespace
}  // namespace polhode::run
