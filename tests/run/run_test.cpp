// SPDX-License-Identifier: BSD-3-Clause
// A run as a library call: what its result says, however it ends.
#include "polhode/run/run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "polhode/io/hdf5/results_reader.hpp"
#include "polhode/math/free_memory.hpp"
#include "polhode/math/parallel.hpp"
#include "polhode/run/check.hpp"
#include "run/decks.hpp"

namespace polhode::run {
namespace {

using support::deck_of;

// The falling mass beside fixed nodes that nothing is attached to.
std::string with_loose_nodes(int count) {
  std::string deck = falling(one_second);
  std::string nodes;
  for (int i = 1; i <= count; ++i) nodes += "mark" + std::to_string(i) + ": {position: [1, 0, 0], fixed: true}, ";
  return deck.insert(deck.find("mass: {position"), nodes);
}

TEST(RunDeck, AFixedNodeThatNothingIsAttachedToIsAWarningAndChangesNothing) {
  const RunResult plain = run_deck(deck_of(falling(one_second)));
  const RunResult result = run_deck(deck_of(with_loose_nodes(1)));
  EXPECT_EQ(result.status, Status::completed);
  EXPECT_EQ(result.responses[0].value, plain.responses[0].value);
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_EQ(result.warnings[0],
            "nodes.mark1: nothing is attached to this fixed node, so it has no unknowns and no effect; remove it, or "
            "attach a body, beam, joint or force");
}

TEST(CheckDeck, NamesTheFirstFixedNodesThatNothingIsAttachedToInOneWarning) {
  const ModelSummary summary = check_deck(deck_of(with_loose_nodes(6)));
  EXPECT_TRUE(summary.problems.empty());
  EXPECT_EQ(summary.unknowns, 3);
  ASSERT_EQ(summary.warnings.size(), 1u);
  EXPECT_EQ(summary.warnings[0].find("nodes.mark1, nodes.mark2, nodes.mark3, nodes.mark4 and 2 more: nothing is "), 0u)
      << summary.warnings[0];
  EXPECT_TRUE(check_deck(deck_of(falling(one_second))).warnings.empty());
}

TEST(RunDeck, ACompletedRunReturnsResponsesCountsAndEnergies) {
  const RunResult result = run_deck(deck_of(falling(one_second)));
  EXPECT_EQ(result.status, Status::completed);
  EXPECT_TRUE(result.problems.empty());
  EXPECT_FALSE(result.failure);
  ASSERT_EQ(result.responses.size(), 2u);
  EXPECT_EQ(result.responses[0].name, "height");
  EXPECT_EQ(result.responses[0].units, "m");
  EXPECT_EQ(result.responses[0].description, "last of nodes.mass.position.z");
  EXPECT_NEAR(result.responses[0].value, -5, 1e-9);
  EXPECT_NEAR(result.responses[1].value, 10, 1e-9);
  EXPECT_EQ(result.counts.steps, 100);
  EXPECT_EQ(result.end_time, 1);
  EXPECT_EQ(result.results_file, "");
  ASSERT_TRUE(result.energy);
  EXPECT_NEAR(result.energy->largest_kinetic, 100, 1e-6);
  EXPECT_NEAR(result.energy->gain(), 0, 1e-9);
  ASSERT_EQ(result.analyses.size(), 1u);
  EXPECT_EQ(result.analyses[0].path, "analysis");
  EXPECT_EQ(result.analyses[0].result.end, analyses::End::done);
}

// As where a factorization chooses new pivots on the way.
TEST(RunDeck, AnAnalysisThatFindsNoMemoryHasFailedAndKeepsItsStates) {
  const test::TemporaryFolder folder;
  RunCallbacks callbacks;
  callbacks.progress = [](const RunProgress& progress) {
    if (progress.steps == 3) throw math::NotEnoughMemory("the factorization of 3 unknowns takes about 5 PB");
  };
  const RunResult result = run_deck(deck_of(falling(one_second)), {.results_file = folder.file("fall.h5")}, callbacks);
  EXPECT_EQ(result.status, Status::failed);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->what,
            "there is not enough memory for this model: the factorization of 3 unknowns takes about 5 PB");
  ASSERT_EQ(result.failure->details.size(), 2u);
  EXPECT_EQ(result.failure->details[0], "the model is Falling mass: 1 node, 1 element, 3 unknowns, 0 constraint rows");
  const io::ResultsReader results(folder.file("fall.h5"));
  EXPECT_EQ(results.attribute("status"), "failed");
  EXPECT_EQ(results.numbers("/time").size(), 4u);
}

TEST(RunDeck, AnalysesOfAListHaveTheirPathsAndTimes) {
  const RunResult result = run_deck(deck_of(falling("[" + one_second + ", " + one_second + "]")));
  ASSERT_EQ(result.analyses.size(), 2u);
  EXPECT_EQ(result.analyses[1].path, "analysis.1");
  EXPECT_EQ(result.analyses[1].begin, 1);
  EXPECT_EQ(result.analyses[1].end, 2);
  EXPECT_EQ(result.counts.steps, 200);
  EXPECT_NEAR(result.responses[0].value, -20, 1e-8);
}

TEST(RunDeck, WritesTheResultsFileThatItNames) {
  const test::TemporaryFolder folder;
  const RunResult result = run_deck(deck_of(falling(one_second)), {.results_file = folder.file("fall.h5")});
  EXPECT_EQ(result.results_file, folder.file("fall.h5"));
  const io::ResultsReader results(result.results_file);
  EXPECT_EQ(results.attribute("status"), "completed");
  EXPECT_EQ(results.numbers("/time").size(), 101u);
  EXPECT_NE(results.text("/log").find("100 steps to t = 1 s"), std::string::npos);
}

TEST(RunDeck, AFailedRunReturnsItsLastIterationsAndItsWorstEquations) {
  Kept kept;
  RunCallbacks callbacks;
  callbacks.messages = &kept.messages;
  const io::Deck deck = heavy_top({"analysis.step=0.01", "analysis.newton.halvings=0"});
  const RunResult result = run_deck(deck, {}, callbacks);
  EXPECT_EQ(result.status, Status::failed);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->what.find("the step of 0.01 s to t = "), 0u) << result.failure->what;
  EXPECT_GE(result.failure->iterations.size(), 8u);
  EXPECT_EQ(result.failure->worst.size(), 5u);
  EXPECT_NE(result.failure->details.back().find("to go on: "), std::string::npos);
  ASSERT_EQ(result.analyses.size(), 1u);
  EXPECT_EQ(result.analyses[0].result.end, analyses::End::failed);
  EXPECT_EQ(result.analyses[0].end, result.end_time);
  EXPECT_GT(result.counts.steps, 0);
  EXPECT_TRUE(kept.has(Level::error, "error: " + result.failure->what));
}

TEST(RunDeck, AStartWhoseEnergyIsNotFiniteIsAFailureWithAFileThatSaysSo) {
  const test::TemporaryFolder folder;
  const io::Deck deck = deck_of(falling(one_second), {"nodes.mass.velocity=[1.0e+200, 0, 0]"});
  const RunResult result = run_deck(deck, {.results_file = folder.file("fast.h5")});
  EXPECT_EQ(result.status, Status::failed);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->what,
            "the energy is not finite at t = 0 s; nodes.mass is the worst node, with a velocity of 1e+200 m/s or "
            "rad/s");
  EXPECT_NE(result.failure->details.back().find("to go on: "), std::string::npos);
  EXPECT_TRUE(result.warnings.empty()) << result.warnings.front();
  EXPECT_EQ(result.counts.steps, 0);
  const io::ResultsReader results(folder.file("fast.h5"));
  EXPECT_EQ(results.attribute("status"), "failed");
  EXPECT_EQ(results.numbers("/time").size(), 1u);
}

// Two masses on a stiff spring that turn by half a radian a step.
std::string turning_pair(const std::string& velocity, const std::string& free_length, const std::string& step) {
  return "format: polhode-deck/1\n"
         "nodes:\n"
         "  a: {position: [0, 0, 0], dofs: translation}\n"
         "  b: {position: [1, 0, 0], velocity: [0, " +
         velocity +
         ", 0], dofs: translation}\n"
         "bodies:\n"
         "  a: {type: point_mass, node: a, mass: 2}\n"
         "  b: {type: point_mass, node: b, mass: 2}\n"
         "forces:\n"
         "  spring: {type: spring_damper, connects: [a, b], at: [[0, 0, 0], [1, 0, 0]], stiffness: 1.0e+6,\n"
         "    free_length: " +
         free_length +
         "}\n"
         "analysis: {type: transient, duration: 10, step: " +
         step + ", integrator: {method: lie_alpha, rho_infinity: 1}}\n";
}

TEST(RunDeck, ASolutionThatGrowsWithoutBoundFailsBeforeItsEnd) {
  const RunResult result = run_deck(deck_of(turning_pair("50", "1", "0.01")));
  EXPECT_EQ(result.status, Status::failed);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->what.find("kinetic and strain energy have grown to "), 0u) << result.failure->what;
  EXPECT_NE(result.failure->what.find(" gave no more than 2.5e+03 J; nodes."), std::string::npos);
  EXPECT_NE(result.failure->details.back().find("the solution is unstable. To go on: "), std::string::npos);
  EXPECT_LT(result.end_time, 10);
  EXPECT_GT(result.counts.steps, 0);
}

// All its energy is the spring's, from the start on.
TEST(RunDeck, AReleasedSpringIsNoGrowth) {
  const RunResult result = run_deck(deck_of(turning_pair("0", "0.9", "0.0001"), {"analysis.duration=0.1"}));
  EXPECT_EQ(result.status, Status::completed);
  ASSERT_TRUE(result.energy);
  EXPECT_NEAR(result.energy->first, 5000, 1e-6);
  EXPECT_GT(result.energy->largest_kinetic, 4000);
}

// A bob on a hinge that swings from the horizontal; its largest kinetic energy is 9.81 J.
std::string swinging(const std::string& method, const std::string& step) {
  return "format: polhode-deck/1\ngravity: [0, 0, -9.81]\n"
         "nodes: {bob: {position: [1, 0, 0]}}\n"
         "bodies: {bob: {type: rigid_body, node: bob, mass: 1, inertia: [0.01, 0.01, 0.01]}}\n"
         "joints: {pin: {type: revolute, connects: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0]}}\n"
         "analysis: {type: transient, duration: 20, step: " +
         step + ", integrator: {method: " + method + "}}\n";
}

TEST(RunDeck, EnergyThatNothingTookIsAWarningHoweverLongThePendulumSwings) {
  const RunResult result = run_deck(deck_of(swinging("rosenbrock_w2", "0.05")));
  EXPECT_EQ(result.status, Status::completed);
  ASSERT_TRUE(result.energy);
  EXPECT_LT(result.energy->gain(), -5);
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_EQ(result.warnings[0].find("the model has lost "), 0u) << result.warnings[0];
  EXPECT_NE(result.warnings[0].find("% of its largest energy, that no load, drive or damper took; `rosenbrock_w2` may "
                                    "lose 1 %: "),
            std::string::npos)
      << result.warnings[0];
  EXPECT_TRUE(run_deck(deck_of(swinging("rosenbrock4", "0.01"))).warnings.empty());
}

// 6100 rpm: in steps of 1/200 of the run the wheel turns by more than half a turn, and no error bounds them.
TEST(RunDeck, AFastShaftUnderStepControlIsCountedInTheRightDirection) {
  for (const char* method : {"lie_alpha", "ul_rotation_vector", "rosenbrock4", "radau5"}) {
    const RunResult result = run_deck(
        deck_of("format: polhode-deck/1\n"
                "nodes: {wheel: {position: [0, 0, 0], angular_velocity: [0, 0, 639]}}\n"
                "bodies: {wheel: {type: rigid_body, node: wheel, mass: 1, inertia: [1, 1, 1]}}\n"
                "joints: {hinge: {type: revolute, connects: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
                "responses: {angle: {last: joints.hinge.coordinates}}\n"
                "analysis: {type: transient, duration: 1, step: {tolerance: 1.0e-3}, integrator: {method: " +
                std::string(method) + "}}\n"));
    EXPECT_EQ(result.status, Status::completed);
    ASSERT_EQ(result.responses.size(), 1u);
    EXPECT_NEAR(result.responses[0].value, 639, 1) << method;
    EXPECT_TRUE(result.warnings.empty()) << method << ": " << result.warnings[0];
  }
}

TEST(RunDeck, APointAtRestWhoseSizeNothingShowsIsAWarning) {
  const std::string deck =
      "format: polhode-deck/1\nnodes: {a: {position: [0, 0, 0], dofs: translation}}\n"
      "bodies: {a: {type: point_mass, node: a, mass: 1}}\n"
      "forces: {push: {type: load, node: a, force: [1, 0, 0]}}\nanalysis: " +
      one_second + "\n";
  const RunResult result = run_deck(deck_of(deck));
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_EQ(result.warnings[0].find("all nodes are at one place, and neither "), 0u) << result.warnings[0];
  EXPECT_EQ(check_deck(deck_of(deck)).warnings.size(), 1u);
  EXPECT_TRUE(run_deck(deck_of(deck + "size: 0.1\n")).warnings.empty());
  EXPECT_EQ(check_deck(deck_of(deck + "size: 0.1\n")).length, 0.1);
}

// A peak of 0.2 ms between rests of half a second.
TEST(RunDeck, ASplineThatSwingsFarBeyondItsRowsIsAWarning) {
  const auto deck = [](const std::string& interpolation) {
    return deck_of(
        "format: polhode-deck/1\nsize: 1\nnodes: {a: {position: [0, 0, 0], dofs: translation}}\n"
        "bodies: {a: {type: point_mass, node: a, mass: 1}}\n"
        "forces: {kick: {type: load, node: a, force: [1, 0, 0], history: {table: {time: [0, 0.5, 0.5001, 0.5002, 1], "
        "value: [0, 0, 1, 0, 0]}, interpolation: " +
        interpolation + "}}}\nanalysis: {type: transient, duration: 1, step: 1.0e-4}\n");
  };
  const ModelSummary cubic = check_deck(deck("cubic"));
  ASSERT_EQ(cubic.warnings.size(), 1u);
  EXPECT_EQ(cubic.warnings[0].find("forces.kick.history is "), 0u) << cubic.warnings[0];
  EXPECT_NE(cubic.warnings[0].find("use `interpolation: linear`"), std::string::npos) << cubic.warnings[0];
  const RunResult run = run_deck(deck("cubic"));
  ASSERT_FALSE(run.warnings.empty());
  EXPECT_EQ(run.warnings[0], cubic.warnings[0]);
  EXPECT_TRUE(check_deck(deck("linear")).warnings.empty());
}

TEST(RunDeck, AnInvalidModelReturnsItsProblemsAndBeginsNothing) {
  const test::TemporaryFolder folder;
  const io::Deck deck = deck_of(
      "format: polhode-deck/1\nnodes: {a: {position: [0, 0, 0], dofs: translation}}\n"
      "bodies: {a: {type: point_mass, node: a, mass: 1}}\n"
      "responses: {gap: {last: nodes.b.position.z}}\nanalysis: " +
      one_second + "\n");
  const RunResult result = run_deck(deck, {.results_file = folder.file("none.h5")});
  EXPECT_EQ(result.status, Status::invalid);
  ASSERT_EQ(result.problems.size(), 1u);
  EXPECT_EQ(result.problems[0].path, "responses.gap");
  EXPECT_FALSE(std::filesystem::exists(folder.file("none.h5")));
  EXPECT_EQ(result.results_file, "");
}

TEST(RunDeck, AnInterruptEndsARunBehindTheStepThatIsBeingDone) {
  const test::TemporaryFolder folder;
  long steps = 0;
  RunCallbacks callbacks;
  callbacks.progress = [&](const RunProgress& progress) { steps = progress.steps; };
  callbacks.interrupted = [&] { return steps == 30; };
  const RunResult result = run_deck(deck_of(falling(one_second)), {.results_file = folder.file("part.h5")}, callbacks);
  EXPECT_EQ(result.status, Status::interrupted);
  EXPECT_EQ(result.counts.steps, 30);
  EXPECT_NEAR(result.end_time, 0.3, 1e-15);
  EXPECT_EQ(result.analyses.at(0).result.summary.back(), "interrupted at t = 0.3 s");
  const io::ResultsReader results(folder.file("part.h5"));
  EXPECT_EQ(results.attribute("status"), "interrupted");
  EXPECT_EQ(results.numbers("/time").size(), 31u);
}

// Of many states, of few, of none with a step, with modes, and with many joints by name: whole chunks and the structure
// of the file count.
TEST(CheckDeck, TheSizeOfTheResultsIsThatOfTheFile) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> decks{
      {"benchmarks/pendulum.yaml", {"analysis.duration=0.01"}},
      {"benchmarks/heavy_top.yaml", {"analysis.duration=4"}},
      {"benchmarks/heavy_top.yaml", {"analysis.duration=0.1", "output={every: 7}"}},
      {"benchmarks/elastica.yaml", {}},
      {"benchmarks/cantilever_modes.yaml", {"analysis={type: modal, modes: 12}"}},
      {"benchmarks/chain.yaml", {"analysis.duration=0.05"}},
      {"examples/boom_of_hexapods.yaml", {"analysis.duration=0.02"}},
  };
  for (const auto& [name, settings] : decks) {
    const test::TemporaryFolder folder;
    const io::Deck deck = io::read_deck(support::shipped(name), settings);
    const ModelSummary summary = check_deck(deck);
    ASSERT_EQ(run_deck(deck, {.results_file = folder.file("x.h5")}).status, Status::completed) << name;
    const auto size = static_cast<double>(std::filesystem::file_size(folder.file("x.h5")));
    EXPECT_GT(summary.result_bytes, 0.9 * size) << name;
    EXPECT_LT(summary.result_bytes, (size < 1e6 ? 2 : 1.2) * size) << name;
    EXPECT_FALSE(summary.result_bytes_are_guessed);
  }
}

// A signal may come at any time: here at the n-th look, in the middle of an analysis of each type.
TEST(RunDeck, AnInterruptEndsAnalysesOfAllTypes) {
  struct Case {
    std::string deck;
    std::vector<std::string> settings;
    std::string said;  // the last line of the summary begins so
  };
  const std::vector<Case> cases{
      {"examples/cart_and_pole.yaml", {}, "interrupted in `linearize`"},
      {"examples/cart_and_pole.yaml", {"analysis={type: modal, modes: 2}"}, "interrupted in `modal`"},
      {"benchmarks/elastica.yaml", {}, "interrupted at load factor 0"},
      {"benchmarks/lee_frame.yaml", {}, "interrupted at load factor 0"},
      {"benchmarks/heavy_top.yaml", {"analysis={type: initial}"}, "interrupted in `initial`"},
      {"benchmarks/heavy_top.yaml", {}, "interrupted at t = 0 s"},
  };
  for (const Case& one : cases) {
    const test::TemporaryFolder folder;
    RunCallbacks callbacks;
    callbacks.interrupted = [] { return true; };
    const RunResult result = run_deck(io::read_deck(support::shipped(one.deck), one.settings),
                                      {.results_file = folder.file("x.h5")}, callbacks);
    EXPECT_EQ(result.status, Status::interrupted) << one.said;
    ASSERT_EQ(result.analyses.size(), 1u);
    ASSERT_FALSE(result.analyses[0].result.summary.empty()) << one.said;
    EXPECT_TRUE(result.analyses[0].result.summary.back().starts_with(one.said))
        << result.analyses[0].result.summary.back();
    EXPECT_FALSE(result.failure);
    EXPECT_TRUE(result.problems.empty());
    if (!result.results_file.empty()) {
      EXPECT_EQ(io::ResultsReader(result.results_file).attribute("status"), "interrupted");
    }
  }
}

TEST(RunDeck, ProgressGrowsUpToTheEndOfTheAnalysis) {
  std::vector<RunProgress> all;
  RunCallbacks callbacks;
  callbacks.progress = [&](const RunProgress& progress) { all.push_back(progress); };
  run_deck(deck_of(falling(one_second)), {}, callbacks);
  ASSERT_EQ(all.size(), 101u);
  EXPECT_EQ(all.front().steps, 0);
  EXPECT_EQ(all.front().end, 1);
  EXPECT_EQ(all.back().time, 1);
  EXPECT_EQ(all.back().steps, 100);
}

TEST(RunDeck, TwoRunsInOneProcessDoNotKnowOfEachOther) {
  const io::Deck deck = heavy_top({"analysis.duration=0.05", "responses={z: {last: nodes.centre.position.z}}"});
  const RunResult alone = run_deck(deck);
  Kept kept;
  RunCallbacks callbacks;
  callbacks.messages = &kept.messages;
  RunResult inner;
  callbacks.progress = [&](const RunProgress& progress) {
    if (progress.steps == 3) inner = run_deck(deck);  // another run in the middle of this one
  };
  const RunResult outer = run_deck(deck, {}, callbacks);
  EXPECT_EQ(outer.responses.at(0).value, alone.responses.at(0).value);
  EXPECT_EQ(inner.responses.at(0).value, alone.responses.at(0).value);
  EXPECT_EQ(outer.counts.iterations, alone.counts.iterations);
  std::size_t headlines = 0;
  for (const auto& [level, text] : kept.lines) headlines += text.find("Heavy top: ") == 0;
  EXPECT_EQ(headlines, 1u);
}

TEST(RunDeck, LeavesThreadsAndFloatingPointModeAsTheyWere) {
  const int threads = math::number_of_threads();
  volatile double smallest = 1e-310;
  run_deck(deck_of(falling(one_second)), {.threads = threads + 1});
  EXPECT_EQ(math::number_of_threads(), threads);
  EXPECT_NE(smallest * 0.5, 0);
}

TEST(RunDeck, WithoutASummaryNothingIsSaidButWhatTheAnalysesSay) {
  Kept kept(Level::note);
  RunCallbacks callbacks;
  callbacks.messages = &kept.messages;
  const RunResult result =
      run_deck(deck_of(falling(one_second)), {.headline = "case 7", .summarize = false}, callbacks);
  EXPECT_EQ(result.status, Status::completed);
  EXPECT_FALSE(result.energy);
  ASSERT_EQ(kept.lines.size(), 1u);
  EXPECT_EQ(kept.lines[0].second, "case 7");
}

TEST(RunDeck, DetailsNameEachStepOnlyWhereTheyAreWanted) {
  const io::Deck deck = deck_of(falling(one_second));
  for (const Level least : {Level::detail, Level::note}) {
    Kept kept(least);
    RunCallbacks callbacks;
    callbacks.messages = &kept.messages;
    run_deck(deck, {}, callbacks);
    EXPECT_EQ(kept.has(Level::detail, "step 100 of 0.01 s to t = 1 s: "), least == Level::detail);
  }
}

// Counts of a run whose numbers are easy to recognize.
RunResult sample() {
  RunResult result;
  result.counts = {100, 250, 7, 120, 3, 2};
  result.end_time = 0.5;
  result.energy = EnergyBalance{10, 9, 1, 4};
  result.invariants.push_back({"angular momentum", "N m s", 3, false, {0, 0, 2}, {0, 0, 1}, {0, 0, 1}, {0, 0, 2.5}});
  result.responses.push_back({"peak", "N", "max_abs of joints.motor.force", 12.5});
  return result;
}

TEST(RunSummary, NamesCountsEnergiesInvariantsAndResponses) {
  const std::vector<std::string> lines = summary_of(sample());
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0],
            "100 steps to t = 0.5 s, 2.500 linear solves a step, 1.200 factorizations; 3 steps subdivided, 7 solves "
            "wasted; 2 stopped at round-off");
  EXPECT_EQ(lines[1], "energy 10 J at the start, 9 J at the end, 1 J of work done on the model, balance -2 J");
  EXPECT_EQ(lines[2], "angular momentum [0, 0, 2] N m s at the start, drift [+0, +0, -1], spread [0, 0, 1.5]");
  EXPECT_EQ(lines[3], "peak = 12.5  (max_abs of joints.motor.force)");
}

TEST(RunSummary, IsEmptyForARunWithoutStepsAndResponses) { EXPECT_TRUE(summary_of(RunResult{}).empty()); }

TEST(Failure, ShowsTheLastEightIterationsAndContractions) {
  analyses::Failure failure{"the step did not converge", {}, {"joints.pin: position x  1"}, {"to go on: less"}};
  for (int i = 0; i < 12; ++i) failure.iterations.push_back({1.0, 2.0, std::pow(0.5, i)});
  const std::vector<std::string> lines = lines_of(failure);
  ASSERT_EQ(lines.size(), 1u + 1 + 8 + 1 + 1 + 1);
  EXPECT_EQ(lines[0], "error: the step did not converge");
  EXPECT_EQ(lines[2].substr(0, 11), "          4");
  EXPECT_EQ(lines[2].substr(lines[2].size() - 3), "0.5");
  EXPECT_EQ(lines[11], "    joints.pin: position x  1");
  EXPECT_EQ(lines[12], "  to go on: less");
}

// Squares of the components vanish below 1e-154, and overflow above 1e154.
TEST(RunDeck, DirectionsMayHaveAnyLength) {
  const auto height = [](const std::string& S) {
    const RunResult result = run_deck(support::deck_of(
        "format: polhode-deck/1\ngravity: [0, 0, -9.81]\n"
        "nodes: {rod: {position: [0.75, 0, 0], orientation: {axis: [0, " +
        S + ", " + S +
        "], angle: 0.7}}}\n"
        "bodies: {rod: {type: rigid_body, node: rod, mass: 2, inertia: [0.1, 0.2, 0.25]}}\n"
        "joints: {pin: {type: revolute, connects: [ground, rod], at: [0, 0, 0], axis: [0, " +
        S +
        ", 0]}}\n"
        "forces: {mount: {type: bushing, connects: [ground, rod], at: [0, 0, 0], stiffness: [0, 0, 0, 0, 9, 0],\n"
        "    axes: [[" +
        S + ", 0, 0], [0, " + S +
        ", 0]]},\n"
        "  t: {type: torsional_spring_damper, connects: [ground, rod], axis: [0, " +
        S +
        ", 0], stiffness: 30}}\n"
        "analysis: {type: transient, duration: 0.1, step: 0.005}\n"
        "responses: {z: {last: nodes.rod.position.z}}\n"));
    EXPECT_EQ(result.status, Status::completed) << S;
    return result.responses.at(0).value;
  };
  const double expected = height("1");
  EXPECT_LT(expected, -0.01);
  for (const std::string S : {"1.0e-100", "1.0e-159", "1.0e-310", "5.0e-324", "1.0e+160", "1.0e+308"})
    EXPECT_NEAR(height(S), expected, 1e-12) << S;
}

}  // namespace
}  // namespace polhode::run
