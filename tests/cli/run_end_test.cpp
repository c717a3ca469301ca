// SPDX-License-Identifier: BSD-3-Clause
// How runs end: done, failed, interrupted, killed, or without a file to write; and what they leave behind.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "polhode/io/hdf5/results_reader.hpp"
#include "support/methods.hpp"
#include "support/program.hpp"

namespace polhode::support {
namespace {

using io::ResultsReader;
using Clock = std::chrono::steady_clock;

const std::string heavy_top = shipped("benchmarks/heavy_top.yaml");

// The state n of the heavy top is whole: at its time, its center of mass at its distance from the pivot, a unit quaternion.
void expect_good_states(const ResultsReader& results, double interval) {
  const std::vector<double> time = results.numbers("/time");
  const std::vector<double> x = results.numbers("/nodes/position");
  const std::vector<double> rotation = results.numbers("/nodes/rotation");
  const std::vector<double> energy = results.numbers("/energy/total");
  ASSERT_GE(x.size(), 3 * time.size());
  ASSERT_GE(rotation.size(), 4 * time.size());
  ASSERT_GE(energy.size(), time.size());
  for (std::size_t n = 0; n < time.size(); ++n) {
    ASSERT_EQ(time[n], static_cast<double>(n) * interval);
    ASSERT_NEAR(std::hypot(x[3 * n], x[3 * n + 1], x[3 * n + 2]), 1, 1e-9) << n;
    double square = 0;
    for (std::size_t k = 4 * n; k < 4 * n + 4; ++k) square += rotation[k] * rotation[k];
    ASSERT_NEAR(square, 1, 1e-12) << n;
    ASSERT_GT(energy[n], 1000) << n;
  }
}

TEST(RunEnd, DoneIsZeroAndTheFileSaysCompleted) {
  const Workshop workshop;
  const Outcome outcome = workshop.polhode("run '" + heavy_top + "' --set analysis.duration=0.1");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(workshop.names(), (std::vector<std::string>{"heavy_top.h5", "heavy_top.xdmf"}));
  const ResultsReader results(workshop.file("heavy_top.h5"));
  EXPECT_EQ(results.attribute("status"), "completed");
  EXPECT_EQ(results.attribute("title"), "Heavy top");
  EXPECT_EQ(results.attribute("format"), "polhode-results/2");
  EXPECT_EQ(results.numbers("/time").size(), 51u);
  EXPECT_TRUE(contains(results.text("/deck"), "duration: 0.1"));
  for (const char* part : {"50 steps", "CPU time", "host: "})
    EXPECT_TRUE(contains(results.text("/log"), part)) << results.text("/log");
}

TEST(RunEnd, AStepLongerThanTheDurationIsNamedAsSuch) {
  const Workshop workshop;
  const Outcome run =
      workshop.polhode("run '" + heavy_top + "' --set analysis.duration=0.001 --set analysis.step=0.002");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(contains(run.err, "warning: `step` is longer than the duration: the run is one step of 0.001 s"))
      << run.err;
}

TEST(RunEnd, AWarningIsThreeWithStrictAndResultsAreKept) {
  const Workshop workshop;
  const std::string warned = "run '" + heavy_top + "' --set analysis.duration=0.101 --responses out.json";
  const Outcome lenient = workshop.polhode(warned);
  EXPECT_EQ(lenient.status, 0) << lenient.err;
  EXPECT_TRUE(contains(lenient.err, "warning: the duration is no whole number of steps")) << lenient.err;
  EXPECT_EQ(workshop.names(), (std::vector<std::string>{"heavy_top.h5", "heavy_top.xdmf", "out.json"}));
  const Outcome strict = workshop.polhode(warned + " --strict");
  EXPECT_EQ(strict.status, 3);
  for (const char* part : {"warning: the duration is no whole number of steps", "results: heavy_top.h5",
                           "error: the run has 1 warning, which --strict makes errors"})
    EXPECT_TRUE(contains(strict.err, part)) << part << "\nnot in\n" << strict.err;
  EXPECT_EQ(workshop.names(), (std::vector<std::string>{"heavy_top.h5", "heavy_top.xdmf"}));
  EXPECT_EQ(ResultsReader(workshop.file("heavy_top.h5")).attribute("status"), "completed");
}

TEST(RunEnd, StrictIsNothingToARunWithoutWarnings) {
  const Workshop workshop;
  const Outcome outcome = workshop.polhode("run '" + heavy_top + "' --set analysis.duration=0.1 --strict");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST(RunEnd, AStepBelowTheLeastOneIsThreeWithItsPlaceAndTheWorstRows) {
  const Workshop workshop;
  const Outcome outcome = workshop.polhode("run '" + heavy_top + "' --set analysis.integrator.initial=perturbed " +
                                           "--set 'analysis.step={min: 1e-3, max: 2e-3, tolerance: 1e-6}'");
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  for (const char* part : {"error: the step of 0.001 s to t = ", "missed the tolerance of its local error",
                           "worst rows:", "    nodes.centre: ", " what the tolerance allows a step", "`step: {min}`"})
    EXPECT_TRUE(contains(outcome.err, part)) << part << "\nnot in\n" << outcome.err;
  const ResultsReader results(workshop.file("heavy_top.h5"));
  EXPECT_EQ(results.attribute("status"), "failed");
  EXPECT_GE(results.numbers("/time").size(), 1u);
}

// A load that no step of 0.01 s follows; the least step is what the deck says.
TEST(RunEnd, AToleranceOutOfReachOfStateSpaceMethodsIsThreeWithItsPlace) {
  for (const std::string& method : support::and_of_sundials({"rosenbrock4", "rosenbrock_w2", "radau5"})) {
    const Workshop workshop;
    workshop.write("deck.yaml",
                   "format: polhode-deck/1\nnodes: {mass: {position: [0, 0, 0]}}\n"
                   "bodies: {mass: {type: rigid_body, node: mass, mass: 2, inertia: [1, 1, 1]}}\n"
                   "forces: {push: {type: load, node: mass, force: [1, 0, 0], history: \"=100*sin(300*t)\"}}\n"
                   "analysis: {type: transient, duration: 1, step: {tolerance: 2.0e-8, min: 1.0e-2, initial: 1.0e-2, "
                   "max: 0.1}, integrator: {method: " +
                       method + "}}\n");
    const Outcome outcome = workshop.polhode("run deck.yaml");
    EXPECT_EQ(outcome.status, 3) << method << '\n' << outcome.err;
    for (const char* part : {"error: the step of 0.01 s to t = ", "missed the tolerance of its local error",
                             "worst rows:", "    nodes.mass: force x  ", "`step: {min}`"})
      EXPECT_TRUE(contains(outcome.err, part)) << method << ": " << part << "\nnot in\n" << outcome.err;
    EXPECT_EQ(ResultsReader(workshop.file("deck.h5")).attribute("status"), "failed");
  }
}

TEST(RunEnd, AFailedStepIsThreeWithIterationsWorstRowsAndAllGoodStates) {
  const Workshop workshop;
  const Outcome outcome =
      workshop.polhode("run '" + heavy_top + "' --set analysis.step=0.01 --set analysis.newton.halvings=0");
  EXPECT_EQ(outcome.status, 3);
  for (const char* part :
       {"error: the step of 0.01 s to t = ", "did not converge after 20 linear solves", "residual [N, N m]",
        "\n         20 ", "worst rows:", "    nodes.centre: moment z  ", "    joints.pivot: position ", "to go on: "})
    EXPECT_TRUE(contains(outcome.err, part)) << part << "\nnot in\n" << outcome.err;
  std::size_t rows = 0;
  for (std::size_t at = 0; (at = outcome.err.find("\n    ", at)) != std::string::npos; ++at)
    rows += outcome.err.compare(at + 5, 6, "nodes.") == 0 || outcome.err.compare(at + 5, 7, "joints.") == 0;
  EXPECT_EQ(rows, 5u);

  const ResultsReader results(workshop.file("heavy_top.h5"));
  EXPECT_EQ(results.attribute("status"), "failed");
  expect_good_states(results, 0.01);
  EXPECT_EQ(results.numbers("/time").size(), results.numbers("/solver/time").size() + 1);
  EXPECT_TRUE(contains(outcome.err, " " + std::to_string(results.numbers("/solver/time").size()) + " steps to t = ") ||
              contains(outcome.err, "\n" + std::to_string(results.numbers("/solver/time").size()) + " steps to t = "))
      << outcome.err;
  EXPECT_TRUE(contains(results.text("/log"), "worst rows:"));
}

TEST(RunEnd, HalvedStepsGetWhereWholeOnesDoNotAndStoreTheGridAlone) {
  const Workshop workshop;
  const std::string deck = "run '" + heavy_top + "' --set analysis.step=0.01 --set analysis.duration=0.4";
  EXPECT_EQ(workshop.polhode(deck + " -o whole.h5 --set analysis.newton.halvings=0").status, 3);
  const Outcome outcome = workshop.polhode(deck + " -o parts.h5");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const ResultsReader results(workshop.file("parts.h5"));
  expect_good_states(results, 0.01);
  EXPECT_EQ(results.numbers("/time").size(), 41u);
  const std::vector<double> time = results.numbers("/solver/time");
  const std::vector<double> step = results.numbers("/solver/step");
  const std::vector<double> wasted = results.numbers("/solver/wasted_iterations");
  EXPECT_GT(time.size(), 41u);
  double at = 0;
  double all_wasted = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    at += step[i];
    EXPECT_NEAR(time[i], at, 1e-14) << i;
    const double part = 0.01 / step[i];
    EXPECT_NEAR(part, std::exp2(std::round(std::log2(part))), 1e-9) << i;
    all_wasted += wasted[i];
  }
  EXPECT_GE(all_wasted, 20);
}

TEST(RunEnd, AnInterruptKeepsWhatWasComputed) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Workshop workshop;
    const pid_t child = workshop.start({heavy_top, "--set", "analysis.duration=1.0e+5", "--set", "output.every=50"});
    workshop.wait_for("heavy_top.xdmf");
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    kill(child, signal);
    EXPECT_EQ(Workshop::status_of(child), 130);
    EXPECT_TRUE(contains(workshop.said(), "interrupted at t = ")) << workshop.said();
    const ResultsReader results(workshop.file("heavy_top.h5"));
    EXPECT_EQ(results.attribute("status"), "interrupted");
    const std::vector<double> time = results.numbers("/time");
    const std::vector<double> steps = results.numbers("/solver/time");
    ASSERT_GT(time.size(), 2u);
    EXPECT_EQ(time.back(), steps.back());  // the last state is there, on the grid of `every` or not
    EXPECT_EQ(time[1], 0.1);
  }
}

TEST(RunEnd, AKilledRunLeavesEveryStateUpToTheLastFlush) {
  std::mt19937 random(20);  // seed
  for (int i = 0; i < 4; ++i) {
    const auto moment = std::chrono::milliseconds(std::uniform_int_distribution(1, 700)(random) + 550 * i);
    SCOPED_TRACE(std::to_string(moment.count()) + " ms");
    const Workshop workshop;
    const pid_t child = workshop.start({heavy_top, "--set", "analysis.duration=1.0e+5", "--set", "output.every=10"});
    while (!std::filesystem::exists(workshop.file("heavy_top.xdmf")))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(moment);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    {
      const ResultsReader results(workshop.file("heavy_top.h5"));
      EXPECT_EQ(results.attribute("status"), "running");
      EXPECT_TRUE(contains(results.text("/deck"), "Heavy top"));
      expect_good_states(results, 0.02);
      EXPECT_GE(results.numbers("/time").size(), moment > std::chrono::milliseconds(1300) ? 100u : 0u);
    }
    EXPECT_EQ(workshop.polhode("info heavy_top.h5").status, 0);
    EXPECT_EQ(workshop.polhode("run '" + heavy_top + "' --set analysis.duration=0.01").status,
              0);  // and is written over
    EXPECT_EQ(ResultsReader(workshop.file("heavy_top.h5")).attribute("status"), "completed");
  }
}

// Kills from the begin of the program on, also while the file is made.
TEST(RunEnd, AfterAKillAtAnyMomentTheSameCommandRuns) {
  const Workshop workshop;
  for (int moment = 0; moment < 60; moment += 3) {
    const pid_t child = workshop.start({heavy_top, "--set", "analysis.duration=1.0e+5", "--responses", "r.json"});
    std::this_thread::sleep_for(std::chrono::milliseconds(moment));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const Outcome outcome = workshop.polhode("run '" + heavy_top + "' --set analysis.duration=0.01 --responses r.json");
    ASSERT_EQ(outcome.status, 0) << moment << " ms\n" << outcome.err;
  }
  EXPECT_EQ(workshop.names(), (std::vector<std::string>{"heavy_top.h5", "heavy_top.xdmf", "r.json"}));
}

TEST(RunEnd, ResultsThatAreRemovedDuringTheRunAreFour) {
  const Workshop workshop;
  const pid_t child = workshop.start({heavy_top, "--set", "analysis.duration=1.0e+5", "--set", "output.every=50"});
  workshop.wait_for("heavy_top.xdmf");
  std::filesystem::remove(workshop.file("heavy_top.h5"));
  EXPECT_EQ(Workshop::status_of(child), 4);
  EXPECT_TRUE(contains(workshop.said(), "heavy_top.h5: was removed while it was written; its results are lost"))
      << workshop.said();
}

// One step of a free point with 1e9 states in it: fewer than the limit of a deck, more than anybody waits for.
const char* const one_step =
    "format: polhode-deck/1\nnodes: {p: {position: [0, 0, 0], velocity: [1, 0, 0], dofs: translation}}\n"
    "bodies: {p: {type: point_mass, node: p, mass: 2}}\n"
    "analysis: {type: transient, duration: 1, step: 1}\noutput: {interval: 1.0e-9}\n";

// A deck that is never read to its end: nothing has begun that could be asked to end.
TEST(RunEnd, AnInterruptBeforeTheRunBeginsIsToldOf) {
  const Workshop workshop;
  ASSERT_EQ(mkfifo(workshop.file("deck.yaml").c_str(), 0600), 0);
  for (const int number : {SIGINT, SIGTERM})
    for (const char* command : {"run", "check"}) {
      const pid_t child = workshop.start({"deck.yaml"}, command);
      {
        // Open as soon as the program reads.
        const std::ofstream deck(workshop.file("deck.yaml"));
        kill(child, number);
        EXPECT_EQ(Workshop::status_of(child), 130) << command;
      }
      EXPECT_EQ(workshop.said(), "polhode: interrupted\n") << command;
    }
  EXPECT_EQ(workshop.names(), std::vector<std::string>{"deck.yaml"});
}

// The run is done then, and its results stand.
TEST(RunEnd, AnInterruptEndsTheWaitForAReaderOfResponses) {
  const Workshop workshop;
  ASSERT_EQ(mkfifo(workshop.file("pipe").c_str(), 0600), 0);
  const pid_t child =
      workshop.start({heavy_top, "--set", "analysis.duration=0.01", "--responses", "pipe", "-o", "top.h5"});
  while (!contains(workshop.said(), "results: top.h5")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  kill(child, SIGTERM);
  EXPECT_EQ(Workshop::status_of(child), 130) << workshop.said();
  EXPECT_EQ(ResultsReader(workshop.file("top.h5")).attribute("status"), "completed");
}

TEST(RunEnd, AnInterruptWithinAStepIsHeard) {
  const Workshop workshop;
  workshop.write("deck.yaml", one_step);
  const pid_t child = workshop.start({"deck.yaml", "--force"});
  workshop.wait_for("deck.xdmf");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const Clock::time_point asked = Clock::now();
  kill(child, SIGTERM);
  EXPECT_EQ(Workshop::status_of(child), 130) << workshop.said();
  EXPECT_LT(Clock::now() - asked, std::chrono::seconds(20));
  EXPECT_TRUE(contains(workshop.said(), "interrupted while states between two steps were stored")) << workshop.said();
  EXPECT_EQ(ResultsReader(workshop.file("deck.h5")).attribute("status"), "interrupted");
}

TEST(RunEnd, MessagesAreNotWrittenIntoResultsWhereStandardStreamsAreClosed) {
  for (const std::string closed : {"<&-", ">&-", "2>&-", "<&- >&- 2>&-"}) {
    const Workshop workshop;
    const std::string command = "cd '" + workshop.file("") + "' && '" POLHODE_BINARY "' run '" + heavy_top +
                                "' --set analysis.duration=0.1 -o out.h5 2>/dev/null " + closed;
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 0) << closed;
    expect_good_states(ResultsReader(workshop.file("out.h5")), 0.002);
  }
}

TEST(RunEnd, WhatCannotBeReadOrWrittenIsFour) {
  const Workshop workshop;
  const std::string run = "run '" + heavy_top + "' --set analysis.duration=0.01";
  for (const std::string output : {"/no/such/folder/out.h5", "/dev/full", "."}) {
    const Outcome outcome = workshop.polhode(run + " -o " + output);
    EXPECT_EQ(outcome.status, 4) << output << '\n' << outcome.err;
    EXPECT_TRUE(contains(outcome.err, output)) << outcome.err;
  }
  EXPECT_EQ(workshop.polhode(run + " --responses /no/such/folder/r.json").status, 4);
  EXPECT_EQ(workshop.polhode("run none.yaml").status, 4);
  EXPECT_EQ(workshop.polhode("run .").status, 4);
  const Outcome full = workshop.polhode("run '" + heavy_top + "' --set analysis.duration=20", "ulimit -f 500;");
  EXPECT_EQ(full.status, 4) << full.err;
  EXPECT_TRUE(contains(full.err, "File too large")) << full.err;
  const Outcome never = workshop.polhode(run + " -o never.h5", "ulimit -f 1;");
  EXPECT_EQ(never.status, 4) << never.err;
  EXPECT_TRUE(contains(never.err, "File too large")) << never.err;
  EXPECT_FALSE(std::filesystem::exists(workshop.file("never.xdmf")));
}

// Sanitizers take more addresses than any limit that the model does not fit in.
#ifndef __SANITIZE_ADDRESS__
// A row of nodes, each with springs to many others: its factors fill.
TEST(RunEnd, AModelTooLargeForTheMemorySaysSoBeforeItStarts) {
  const Workshop workshop;
  constexpr int nodes = 1000;
  std::string deck = "format: polhode-deck/1\ntitle: Net\nnodes:\n";
  std::string bodies = "bodies:\n";
  std::string springs = "forces:\n";
  for (int i = 0; i < nodes; ++i) {
    deck += fmt::format("  n{0}: {{position: [{0}, {1}, 0]}}\n", i, i % 7);
    bodies += fmt::format("  b{0}: {{type: rigid_body, node: n{0}, mass: 1, inertia: [1, 1, 1]}}\n", i);
    for (const int k : {31, 97, 211})
      if (const int j = (k * i + 7) % nodes; i != j)
        springs +=
            fmt::format("  s{0}_{2}: {{type: spring_damper, connects: [n{0}, n{1}], stiffness: 100}}\n", i, j, k);
  }
  workshop.write("net.yaml", deck + bodies + springs + "analysis: {type: transient, duration: 1, step: 0.01}\n");
  const Outcome outcome = workshop.polhode("run net.yaml --threads 1", "ulimit -v 90000;");
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_TRUE(contains(outcome.err,
                       "there is not enough memory for this model: the factorization of 6000 unknowns "
                       "takes about "))
      << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "the model is Net: 1000 nodes, ")) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(workshop.file("net.h5")));
}
#endif

TEST(RunEnd, NothingButResultsIsWrittenOver) {
  const Workshop workshop;
  const std::string deck = content_of(heavy_top);
  const std::string notes = "years of work\n";
  workshop.write("top.yaml", deck);
  workshop.write("top.xdmf", deck);
  workshop.write("notes.txt", notes);
  std::filesystem::create_symlink("top.yaml", workshop.file("link"));
  for (const char* arguments : {"top.yaml -o top.yaml", "top.yaml -o link", "top.xdmf", "top.yaml -o notes.txt",
                                "top.yaml --responses top.yaml", "top.yaml -o a.h5 --responses ./a.h5",
                                "top.yaml -o a.h5 --responses a.xdmf"}) {
    const Outcome outcome = workshop.polhode("run " + std::string(arguments) + " --set analysis.duration=0.01");
    EXPECT_EQ(outcome.status, 1) << arguments << '\n' << outcome.err;
  }
  EXPECT_EQ(content_of(workshop.file("top.yaml")), deck);
  EXPECT_EQ(content_of(workshop.file("top.xdmf")), deck);
  EXPECT_EQ(content_of(workshop.file("notes.txt")), notes);
  EXPECT_EQ(workshop.names(), (std::vector<std::string>{"link", "notes.txt", "top.xdmf", "top.yaml"}));
}

// Of results and of the picture; without --force neither is touched.
TEST(RunEnd, ForceReplacesALinkAndKeepsWhatItLeadsTo) {
  const Workshop workshop;
  const std::string notes = "years of work\n";
  workshop.write("notes.txt", notes);
  std::filesystem::create_symlink("notes.txt", workshop.file("a.h5"));
  std::filesystem::create_symlink("nowhere", workshop.file("a.xdmf"));
  const std::string run = "run '" + heavy_top + "' --set analysis.duration=0.01 -o a.h5";
  EXPECT_EQ(workshop.polhode(run).status, 1);
  EXPECT_TRUE(std::filesystem::is_symlink(workshop.file("a.h5")));
  EXPECT_EQ(workshop.polhode(run + " --set gravity=1 --force").status, 2) << "the deck is not valid";
  EXPECT_TRUE(std::filesystem::is_symlink(workshop.file("a.h5")));
  EXPECT_EQ(workshop.polhode(run + " --force").status, 0);
  EXPECT_EQ(content_of(workshop.file("notes.txt")), notes);
  EXPECT_EQ(workshop.names(), (std::vector<std::string>{"a.h5", "a.xdmf", "notes.txt"}));
  EXPECT_FALSE(std::filesystem::is_symlink(workshop.file("a.h5")));
  EXPECT_FALSE(std::filesystem::is_symlink(workshop.file("a.xdmf")));
}

// HDF5 of another program is no results, a picture and a JSON file of others neither; --force replaces all of them.
TEST(RunEnd, FilesOfOthersAreReplacedByForceAlone) {
  const Workshop workshop;
  const std::string run =
      "run '" + heavy_top + "' --set analysis.duration=0.01 --set 'responses={e: {last: energy.total}}' ";
  H5Fclose(H5Fcreate(workshop.file("other.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  workshop.write("a.xdmf", "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\"/>\n");
  workshop.write("settings.json", "{\"e\": 1, \"name\": \"mine\"}\n");
  const std::vector<std::string> names = workshop.names();
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"-o other.h5", "other.h5: is there already and holds no results of polhode; name another file with -o, or "},
      {"-o a.h5",
       "a.xdmf: would be written beside the results, is there already and is none of polhode; name another "
       "file with -o, or "},
      {"-o b.h5 --responses settings.json",
       "settings.json: is there already and holds no responses; name another file for --responses, or "}};
  for (const auto& [arguments, message] : cases) {
    const std::string file = message.substr(0, message.find(':'));
    const std::string before = content_of(workshop.file(file));
    const Outcome refused = workshop.polhode(run + arguments);
    EXPECT_EQ(refused.status, 1) << arguments;
    EXPECT_EQ(refused.err, message + "replace it with --force\n");
    EXPECT_EQ(content_of(workshop.file(file)), before);
    EXPECT_EQ(workshop.names(), names);
  }
  for (const auto& [arguments, message] : cases) {
    EXPECT_EQ(workshop.polhode(run + arguments + " --force").status, 0) << arguments;
    EXPECT_EQ(workshop.polhode(run + arguments).status, 0) << "its own files now: " << arguments;
  }
}

TEST(RunEnd, ResponsesAreNoFileOfTheResults) {
  const Workshop workshop;
  for (const std::string name : {"a.h5", "a.xdmf", "a.h5.polhode-part", "./a.xdmf.polhode-part"}) {
    const Outcome refused = workshop.polhode("run '" + heavy_top + "' -o a.h5 --force --responses " + name);
    EXPECT_EQ(refused.status, 1) << name;
    EXPECT_TRUE(contains(refused.err, name + ": is a file of the results already; name another one")) << refused.err;
  }
  EXPECT_TRUE(workshop.names().empty());
}

// As the deck: nobody means to lose what the next run reads.
TEST(RunEnd, TablesOfTheDeckAreNotReplacedByForce) {
  const Workshop workshop;
  const std::string table = "t,f\n0,0\n1,1\n";
  workshop.write("pull.csv", table);
  workshop.write("d.yaml",
                 "format: polhode-deck/1\nnodes: {bob: {position: [0, 0, 0]}}\n"
                 "bodies: {bob: {type: rigid_body, node: bob, mass: 2, inertia: [1, 1, 1]}}\n"
                 "forces: {pull: {type: load, node: bob, force: [1, 0, 0], history: {\n"
                 "  file: pull.csv, columns: [t, f]}}}\n"
                 "analysis: {type: transient, duration: 0.1, step: 0.01}\nresponses: {e: {last: energy.total}}\n");
  for (const std::string command :
       {"run d.yaml -o pull.csv", "run d.yaml --responses ./pull.csv", "check d.yaml -o pull.csv"}) {
    const Outcome refused = workshop.polhode(command + " --force");
    EXPECT_EQ(refused.status, 1) << command;
    EXPECT_TRUE(contains(refused.err, "pull.csv: is a table of the deck; name another file\n")) << refused.err;
    EXPECT_EQ(content_of(workshop.file("pull.csv")), table);
    EXPECT_EQ(workshop.names(), (std::vector<std::string>{"d.yaml", "pull.csv"}));
  }
}

TEST(RunEnd, AnInvalidDeckTouchesNoFile) {
  const Workshop workshop;
  const std::string run = "run '" + heavy_top +
                          "' -o a.h5 --responses a.json --set analysis.duration=0.01 "
                          "--set 'responses={e: {last: energy.total}}' ";
  ASSERT_EQ(workshop.polhode(run).status, 0);
  std::vector<std::string> before;
  for (const std::string& name : workshop.names()) before.push_back(content_of(workshop.file(name)));
  // Found by the reader, and in the assembled model.
  for (const char* wrong : {"--set bodies.top.mass=-1", "--set nodes.centre.velocity='[1, 0, 0]'"})
    EXPECT_EQ(workshop.polhode(run + wrong).status, 2) << wrong;
  std::vector<std::string> after;
  for (const std::string& name : workshop.names()) after.push_back(content_of(workshop.file(name)));
  EXPECT_EQ(after, before);
}

TEST(RunEnd, WrongSettingsAreOneOrTwo) {
  const Workshop workshop;
  for (const char* setting : {"analysis.step", "=1", "analysis..step=1", "analysis.step='[1'", "gravity.x=1"})
    EXPECT_EQ(workshop.polhode("run '" + heavy_top + "' --set " + setting).status, 1) << setting;
  for (const char* setting : {"analysis.stepp=1", "analysis.step=fast", "nodes.centre.mass=1", "analysis.step=-1",
                              "analysis.step=", "analysis.0.step=1"}) {
    const Outcome outcome = workshop.polhode("run '" + heavy_top + "' --set " + setting);
    EXPECT_EQ(outcome.status, 2) << setting;
    EXPECT_TRUE(contains(outcome.err, "(given by --set)")) << outcome.err;
  }
  EXPECT_EQ(workshop.names(), std::vector<std::string>{});
}

}  // namespace
}  // namespace polhode::support
