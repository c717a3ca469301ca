// SPDX-License-Identifier: BSD-3-Clause
// A run from the inside: analyses in turn, who is called when, what is stored, and how it ends.
#include "run/session.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "polhode/io/hdf5/results_reader.hpp"
#include "polhode/run/run.hpp"
#include "polhode/run/simulation.hpp"
#include "run/decks.hpp"

namespace polhode::run {
namespace {

using support::deck_of;

const std::string tenth = "{type: transient, duration: 0.1, step: 0.01}";

TEST(Session, DoesTheAnalysesInTurnAndGivesTheResultOfTheWholeRun) {
  const io::Deck deck = deck_of(falling("[" + tenth + ", " + tenth + ", " + tenth + "]"));
  Session session(deck, {}, {});
  ASSERT_TRUE(session.has_system());
  EXPECT_EQ(session.threads(), 1);
  std::vector<double> begins;
  std::vector<std::string> paths;
  while (session.has_next()) {
    const analyses::Analysis& analysis = session.begin_analysis();
    begins.push_back(session.context().q.t);
    paths.push_back(session.context().path);
    session.end_analysis(analysis.run(session.context()));
  }
  EXPECT_EQ(begins, (std::vector<double>{0, 0.1, 0.2}));
  EXPECT_EQ(paths, (std::vector<std::string>{"analysis.0", "analysis.1", "analysis.2"}));
  const RunResult result = session.finish();
  const RunResult whole = run_deck(deck);
  EXPECT_EQ(result.status, Status::completed);
  EXPECT_EQ(result.counts.steps, 30);
  EXPECT_EQ(result.responses[0].value, whole.responses[0].value);
  EXPECT_EQ(result.end_time, whole.end_time);
}

TEST(Session, OfAWrongModelHasNoSystemAndNothingToDo) {
  io::Deck deck = deck_of(falling(tenth));
  deck.model.nodes.push_back(deck.model.nodes[0]);
  deck.model.nodes.back().name = "loose";  // free to move, and nothing is attached to it
  Session session(deck, {}, {});
  EXPECT_FALSE(session.has_system());
  EXPECT_FALSE(session.has_next());
  EXPECT_FALSE(session.problems().empty());
  const RunResult result = session.finish();
  EXPECT_EQ(result.status, Status::invalid);
  EXPECT_EQ(result.problems.at(0).path.substr(0, 11), "nodes.loose");
}

struct EndCase {
  analyses::End end;
  Status status;
};

TEST(Session, EndsAsTheFirstAnalysisThatDoesNotEndWell) {
  const io::Deck deck = deck_of(falling("[" + tenth + ", " + tenth + "]"));
  for (const EndCase& one :
       {EndCase{analyses::End::failed, Status::failed}, EndCase{analyses::End::interrupted, Status::interrupted},
        EndCase{analyses::End::invalid, Status::invalid}}) {
    Kept kept;
    RunCallbacks callbacks;
    callbacks.messages = &kept.messages;
    Session session(deck, {}, callbacks);
    session.begin_analysis();
    analyses::AnalysisResult ended;
    ended.end = one.end;
    ended.summary = {"a line of the analysis"};
    ended.counts.steps = 4;
    if (one.end == analyses::End::failed) ended.failure = analyses::Failure{"it broke", {}, {}, {}};
    session.end_analysis(std::move(ended));
    EXPECT_FALSE(session.has_next());
    const RunResult result = session.finish();
    EXPECT_EQ(result.status, one.status);
    EXPECT_EQ(result.analyses.size(), 1u);
    EXPECT_EQ(result.counts.steps, 4);
    EXPECT_TRUE(kept.has(Level::info, "a line of the analysis"));
    EXPECT_EQ(kept.has(Level::error, "error: it broke"), one.end == analyses::End::failed);
    EXPECT_EQ(result.results_file, "") << "no state was stored";
  }
}

// Set-up, then the first state, then progress; step after progress; interrupts are asked for in between.
TEST(RunCallbacks, ComeInTheirOrder) {
  std::string order;
  RunCallbacks callbacks;
  callbacks.begin = [&] { order += "begin "; };
  callbacks.first_state = [&] { order += "first "; };
  callbacks.progress = [&](const RunProgress& progress) { order += "p" + std::to_string(progress.steps) + " "; };
  callbacks.step = [&](const model::State& q, const RunProgress& progress) {
    EXPECT_EQ(q.t, progress.time);
    order += "s" + std::to_string(progress.steps) + " ";
  };
  run_deck(deck_of(falling("{type: transient, duration: 0.02, step: 0.01}")), {}, callbacks);
  EXPECT_EQ(order, "begin first p0 s0 p1 s1 p2 s2 ");
}

TEST(RunCallbacks, OfAWrongModelAreNotCalled) {
  bool called = false;
  RunCallbacks callbacks;
  callbacks.begin = callbacks.first_state = [&] { called = true; };
  io::Deck deck = deck_of(falling(tenth));
  deck.model.entries.clear();
  EXPECT_EQ(run_deck(deck, {}, callbacks).status, Status::invalid);
  EXPECT_FALSE(called);
}

// Each analysis of a list counts anew; times run on.
TEST(RunCallbacks, ProgressIsThatOfThePresentAnalysis) {
  std::vector<RunProgress> starts;
  RunCallbacks callbacks;
  callbacks.progress = [&](const RunProgress& progress) {
    EXPECT_GE(progress.time, progress.begin);
    EXPECT_LE(progress.time, progress.end);
    EXPECT_GE(progress.linear_solves, progress.steps);
    if (progress.steps == 0) starts.push_back(progress);
  };
  run_deck(deck_of(falling("[" + tenth + ", {type: transient, duration: 0.2, step: 0.01}]")), {}, callbacks);
  ASSERT_EQ(starts.size(), 2u);
  EXPECT_EQ(starts[1].analysis, 1);
  EXPECT_EQ(starts[1].begin, 0.1);
  EXPECT_DOUBLE_EQ(starts[1].end, 0.3);
}

TEST(RunCallbacks, AnInterruptBeforeTheFirstStepKeepsTheStart) {
  const test::TemporaryFolder folder;
  RunCallbacks callbacks;
  callbacks.interrupted = [] { return true; };
  const RunResult result = run_deck(deck_of(falling(tenth)), {.results_file = folder.file("x.h5")}, callbacks);
  EXPECT_EQ(result.status, Status::interrupted);
  EXPECT_EQ(result.counts.steps, 0);
  EXPECT_EQ(io::ResultsReader(folder.file("x.h5")).numbers("/time"), std::vector<double>{0});
}

TEST(RunCallbacks, AnExceptionOfTheCallerGoesThroughAndLeavesAReadableFile) {
  const test::TemporaryFolder folder;
  RunCallbacks callbacks;
  callbacks.step = [](const model::State&, const RunProgress& progress) {
    if (progress.steps == 3) throw std::runtime_error("enough");
  };
  const io::Deck deck = deck_of(falling(tenth));
  EXPECT_THROW(run_deck(deck, {.results_file = folder.file("x.h5")}, callbacks), std::runtime_error);
  const io::ResultsReader results(folder.file("x.h5"));
  EXPECT_EQ(results.attribute("status"), "running");
  EXPECT_EQ(results.numbers("/time").size(), 4u);
  Simulation simulation(deck, {}, callbacks);
  EXPECT_TRUE(simulation.advance_to(0.02));
  EXPECT_THROW(simulation.step(), std::runtime_error);
  EXPECT_TRUE(simulation.is_done());
  EXPECT_FALSE(simulation.step());
}

struct StoredCase {
  const char* output;
  std::vector<double> times;
};

TEST(StoredStates, AreThoseThatTheDeckAsksForAndBothEnds) {
  const test::TemporaryFolder folder;
  const StoredCase cases[] = {
      {"every: 3", {0, 0.03, 0.06, 0.09, 0.1}},
      {"every: 1000", {0, 0.1}},
      {"interval: 0.05", {0, 0.05, 0.1}},
      {"interval: 0.04", {0, 0.04, 0.08, 0.1}},
      {"times: [0.05, 0.033]", {0, 0.033, 0.05, 0.1}},
      {"times: [0, 0.1]", {0, 0.1}},
  };
  for (const StoredCase& one : cases) {
    SCOPED_TRACE(one.output);
    const io::Deck deck = deck_of(falling(tenth) + "output: {" + one.output + "}\n");
    const RunResult result = run_deck(deck, {.results_file = folder.file("x.h5")});
    const io::ResultsReader results(result.results_file);
    const std::vector<double> times = results.numbers("/time");
    ASSERT_EQ(times.size(), one.times.size());
    const std::vector<double> x = results.numbers("/nodes/position");
    for (std::size_t i = 0; i < times.size(); ++i) {
      EXPECT_NEAR(times[i], one.times[i], 1e-15);
      EXPECT_NEAR(x[3 * i + 2], -5 * times[i] * times[i], 1e-12) << "also between the steps";
    }
    EXPECT_EQ(results.numbers("/solver/time").size(), 10u) << "steps are all there";
    EXPECT_NEAR(result.responses[1].value, 1, 1e-12) << "responses see every step";
  }
}

// The state in which one analysis ends and the next begins stands there once.
TEST(StoredStates, OfAnalysesThatFollowEachOtherAreNotDoubled) {
  const test::TemporaryFolder folder;
  const io::Deck deck = deck_of(falling("[" + tenth + ", " + tenth + "]"), {"output.every=1000"});
  const RunResult result = run_deck(deck, {.results_file = folder.file("x.h5")});
  const io::ResultsReader results(result.results_file);
  EXPECT_EQ(results.numbers("/time"), (std::vector<double>{0, 0.1, 0.2}));
  EXPECT_EQ(results.numbers("/analysis"), (std::vector<double>{0, 0, 1}));
}

TEST(Headline, IsThatOfTheCallerOrTitleAndSizesOfTheModel) {
  const io::Deck deck = deck_of(falling(tenth));
  for (const std::string headline : {"", "case 12"}) {
    Kept kept;
    RunCallbacks callbacks;
    callbacks.messages = &kept.messages;
    run_deck(deck, {.headline = headline}, callbacks);
    EXPECT_EQ(kept.lines.at(0).second,
              headline.empty() ? "Falling mass: 1 node, 1 element, 3 unknowns, 0 constraint rows" : headline);
  }
}

TEST(Log, OfTheResultsHasNotesThatTheCallerDoesNotSee) {
  const test::TemporaryFolder folder;
  Kept kept;
  RunCallbacks callbacks;
  callbacks.messages = &kept.messages;
  run_deck(deck_of(falling(tenth)), {.results_file = folder.file("x.h5"), .program = "a version"}, callbacks);
  const std::string log = io::ResultsReader(folder.file("x.h5")).text("/log");
  EXPECT_TRUE(log.starts_with("a version\nhost: ")) << log;
  EXPECT_FALSE(kept.has(Level::note, "a version"));
  EXPECT_NE(log.find("10 steps to t = 0.1 s"), std::string::npos) << log;
  EXPECT_EQ(log.find("step 10 of"), std::string::npos) << "details are not kept";
}

TEST(Simulation, AdvancesToTimesAndStandsStillBehindThem) {
  const io::Deck deck = deck_of(falling(tenth));
  Simulation simulation(deck);
  EXPECT_EQ(simulation.steps(), 0);
  EXPECT_TRUE(simulation.state().x.empty()) << "nothing is done before it is asked for";
  EXPECT_TRUE(simulation.advance_to(0.035));
  EXPECT_EQ(simulation.steps(), 4);
  EXPECT_TRUE(simulation.advance_to(0.02));
  EXPECT_EQ(simulation.steps(), 4) << "no step back, none forward";
  EXPECT_FALSE(simulation.advance_to(1));
  EXPECT_TRUE(simulation.is_done());
  EXPECT_EQ(simulation.steps(), 10);
  EXPECT_FALSE(simulation.step());
  EXPECT_EQ(simulation.finish().status, Status::completed);
  EXPECT_EQ(simulation.finish().end_time, 0.1) << "the result may be asked for again";
}

TEST(Simulation, GoesThroughAllTransientsOfAList) {
  const io::Deck deck = deck_of(falling("[" + tenth + ", {type: initial}, " + tenth + "]"));
  Simulation simulation(deck);
  ASSERT_TRUE(simulation.start());
  std::vector<double> times;
  while (simulation.step()) times.push_back(simulation.time());
  EXPECT_EQ(simulation.steps(), 20);
  ASSERT_EQ(times.size(), 21u) << "the start of the second is a stop, too";
  EXPECT_EQ(times[9], times[10]);
  EXPECT_DOUBLE_EQ(times.back(), 0.2);
  const RunResult result = simulation.finish();
  EXPECT_EQ(result.analyses.size(), 3u);
  EXPECT_EQ(result.analyses[1].type, "initial");
}

TEST(Simulation, TheInterruptOfTheCallerEndsIt) {
  bool stop = false;
  RunCallbacks callbacks;
  callbacks.interrupted = [&] { return stop; };
  const io::Deck deck = deck_of(falling(tenth));
  Simulation simulation(deck, {}, callbacks);
  EXPECT_TRUE(simulation.step());
  stop = true;
  EXPECT_FALSE(simulation.step());
  const RunResult result = simulation.finish();
  EXPECT_EQ(result.status, Status::interrupted);
}

}  // namespace
}  // namespace polhode::run
