// SPDX-License-Identifier: BSD-3-Clause
// What equilibria, modes and starts say where there are none, and what they leave behind.
#include <gtest/gtest.h>

#include "polhode/io/hdf5/results_reader.hpp"
#include "support/program.hpp"

namespace polhode::support {
namespace {

std::string hung_bob(const std::string& bob, const std::string& analysis, const std::string& more = "") {
  return "format: polhode-deck/1\ngravity: [0, 0, -9.81]\n" + more + "nodes: {bob: {" + bob +
         "}}\nbodies: {bob: {type: rigid_body, node: bob, mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
         "joints: {pin: {type: spherical, connects: [ground, bob], at: [0, 0, 0]}}\nanalysis: " +
         analysis + "\n";
}

std::string all(const Outcome& run) { return run.out + run.err; }

TEST(Refusals, AModelThatFallsForEverIsToldByItsMotions) {
  Workshop w;
  w.write("d.yaml",
          "format: polhode-deck/1\ngravity: [0, 0, -9.81]\nnodes: {bob: {position: [0, 0, 0]}}\n"
          "bodies: {bob: {type: rigid_body, node: bob, mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
          "joints: {pole: {type: cylindrical, connects: [ground, bob], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
          "analysis: {type: static}\n");
  const Outcome run = w.polhode("run d.yaml -o d.h5");
  EXPECT_EQ(run.status, 3);
  EXPECT_TRUE(contains(all(run), "the model is free to move, and its loads drive it:\n  translation of nodes.bob"))
      << all(run);
  EXPECT_TRUE(contains(all(run), "(no load drives it)")) << all(run);
  EXPECT_EQ(io::ResultsReader(w.file("d.h5")).numbers("/static/load_factor").size(), 1u);
}

TEST(Refusals, ModesAndLinearModelsAwayFromEquilibriumAreRefusedWithForceAndRow) {
  for (const std::string analysis : {"{type: modal}", "{type: linearize, inputs: [nodes.bob.force.x]}"}) {
    Workshop w;
    w.write("d.yaml", hung_bob("position: [0.5, 0, 0]", analysis));
    const Outcome run = w.polhode("run d.yaml -o d.h5");
    EXPECT_EQ(run.status, 2);
    EXPECT_TRUE(contains(all(run),
                         "analysis: the state is no equilibrium: forces of 11 N are unbalanced, most at nodes.bob: "
                         "force z with 9.81; put an analysis of type static before"))
        << all(run);
  }
}

TEST(Refusals, DecksWithoutEndAreNoDecks) {
  Workshop w;
  std::filesystem::create_symlink("/dev/zero", w.file("deck.yaml"));
  for (const std::string command : {"check deck.yaml", "run deck.yaml", "run /dev/urandom", "sweep deck.yaml"}) {
    const Outcome refused = w.polhode(command);
    EXPECT_EQ(refused.status, 2) << command << '\n' << all(refused);
    EXPECT_TRUE(contains(all(refused), "is a device, which may have no end; name a regular file or a pipe"))
        << all(refused);
  }
  EXPECT_EQ(w.names(), std::vector<std::string>{"deck.yaml"});
}

TEST(Refusals, LoadsBeyondALimitPointLeaveTheLastEquilibrium) {
  Workshop w;
  const Outcome run =
      w.polhode("run " + shipped("benchmarks/shallow_truss.yaml") + " --set analysis.control=load -o d.h5");
  EXPECT_EQ(run.status, 3);
  EXPECT_TRUE(contains(all(run),
                       "the loads lead beyond a limit point: no equilibrium is near above load factor 0.754787; "
                       "the last one, at 0.754786, is kept"))
      << all(run);
  EXPECT_TRUE(contains(all(run), "`control: arc_length`"));
  const auto factors = io::ResultsReader(w.file("d.h5")).numbers("/static/load_factor");
  EXPECT_NEAR(factors.back(), 0.754787, 2e-6);
}

// What a method of index 3 leaves of velocities is its accuracy, and nothing to be warned of.
TEST(Refusals, ATransientBehindAnotherIsNoReasonForAWarning) {
  Workshop w;
  w.write("two.yaml", hung_bob("position: [0.5, 0, 0]",
                               "[{type: transient, duration: 0.5, step: 0.01}, "
                               "{type: transient, duration: 0.5, step: 0.001}]"));
  const Outcome run = w.polhode("run two.yaml -o d.h5 --strict");
  EXPECT_EQ(run.status, 0) << all(run);
  EXPECT_TRUE(contains(all(run), "state at t = 0.5 s corrected to meet the constraints")) << all(run);
}

// Sizes at which the number of steps is no number.
TEST(Refusals, AStepOfMoreThanAMillionDurationsIsNone) {
  Workshop w;
  w.write("long.yaml", hung_bob("position: [0.5, 0, 0]", "{type: transient, duration: 1, step: 1.0e+308}"));
  const Outcome run = w.polhode("run long.yaml -o d.h5");
  EXPECT_EQ(run.status, 2) << all(run);
  EXPECT_TRUE(contains(all(run), "analysis.step: is more than a million times the duration of 1 s")) << all(run);
}

TEST(Refusals, InitialTellsEachNodeAndATransientOnlyThatItMovedSome) {
  const std::string start = "position: [0.5, 0, 0], velocity: [0, 0, 0.005]";
  const std::string transient = "{type: transient, duration: 0.01, step: 0.001}";
  const std::string wide = "initial: {velocities: 1.0e-2}\n";
  const std::string table = "  nodes.bob ";
  Workshop w;
  w.write("initial.yaml", hung_bob(start, "[{type: initial}, " + transient + "]"));
  w.write("transient.yaml", hung_bob(start, transient, wide));
  w.write("fits.yaml", hung_bob("position: [0.5, 0, 0]", "[{type: initial}, " + transient + "]"));
  const Outcome initial = w.polhode("run initial.yaml -o d.h5");
  EXPECT_TRUE(contains(all(initial), "initial: 1 of 1 nodes moved to meet the constraints\n")) << all(initial);
  EXPECT_TRUE(contains(all(initial), table)) << all(initial);
  EXPECT_FALSE(contains(all(initial), "warning: initial state corrected")) << all(initial);
  const Outcome moved = w.polhode("run transient.yaml -o d.h5");
  EXPECT_TRUE(contains(all(moved), "warning: initial state corrected to meet the constraints")) << all(moved);
  EXPECT_FALSE(contains(all(moved), table)) << all(moved);
  const Outcome fits = w.polhode("run fits.yaml -o d.h5");
  EXPECT_TRUE(contains(all(fits), "nothing was moved")) << all(fits);
  EXPECT_FALSE(contains(all(fits), table) || contains(all(fits), "corrected")) << all(fits);
}

// Drives that `initial` has met are where the equilibrium wants them, too.
TEST(Refusals, AnEquilibriumFollowsAnInitialAnalysisWithDrives) {
  Workshop w;
  w.write("d.yaml",
          "format: polhode-deck/1\ngravity: [0, 0, -9.81]\nnodes: {bob: {position: [0.5, 0, 0]}}\n"
          "bodies: {bob: {type: rigid_body, node: bob, mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
          "joints: {pin: {type: revolute, connects: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0], rotation: 0.3}}\n"
          "analysis: [{type: initial}, {type: static}]\n");
  const Outcome run = w.polhode("run d.yaml -o d.h5");
  EXPECT_EQ(run.status, 0) << all(run);
}

}  // namespace
}  // namespace polhode::support
