// SPDX-License-Identifier: BSD-3-Clause
// What a deck and --set ask of a run, and what stands in the results file then.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>

#include "polhode/io/hdf5/results_reader.hpp"
#include "support/program.hpp"

namespace polhode::support {
namespace {

using io::ResultsReader;

const std::string pendulum = R"(format: polhode-deck/1
title: Pendulum – 摆
parameters: {m: 2, L: 0.5}
gravity: [0, 0, -9.81]
nodes:
  bob: {position: ["=L", 0, 0]}
bodies:
  bob: {type: rigid_body, node: bob, mass: "=m", inertia: [0.01, 0.01, 0.01]}
joints:
  pin: {type: revolute, connects: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0]}
analysis: {type: transient, duration: 0.1, step: 0.01}
)";

// A point mass without weight under a load along x; `load` continues the entry after the force.
std::string pushed(const std::string& load, const std::string& analysis) {
  return "format: polhode-deck/1\nnodes:\n  p: {position: [0, 0, 0], dofs: translation}\nbodies:\n  p: {type: "
         "point_mass, node: p, mass: 2}\n"
         "forces:\n  f: {type: load, node: p, force: [1, 0, 0]" +
         load + "}\nanalysis: " + analysis + "\n";
}

class Run : public testing::Test {
 protected:
  Workshop workshop;
  std::string said;

  // Runs `deck` and opens its results.
  ResultsReader run(const std::string& deck, const std::string& options = "") {
    workshop.write("deck.yaml", deck);
    const Outcome outcome = workshop.polhode("run deck.yaml " + options);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    said = outcome.err;
    return ResultsReader(workshop.file("deck.h5"));
  }
  bool said_that(const std::string& part) const { return said.find(part) != std::string::npos; }
};

// Heights of the fall at times that no step need end on: theta = k t^2/2 near the start.
TEST_F(Run, OutputHasTheTimesThatTheDeckAsksFor) {
  for (const char* step : {"0.01", "{tolerance: 1.0e-6}"}) {
    const std::string set = std::string("--set 'analysis.step=") + step + "' --set 'output=";
    EXPECT_EQ(run(pendulum, set + "{interval: 0.025}'").numbers("/time"),
              (std::vector<double>{0, 0.025, 0.05, 3 * 0.025, 0.1}))
        << step;
    const ResultsReader results = run(pendulum, set + "{times: [0.013, 0.05]}'");
    EXPECT_EQ(results.numbers("/time"), (std::vector<double>{0, 0.013, 0.05, 0.1})) << step;
    const std::vector<double> angle = results.numbers("/joints/pin/coordinates");
    const double k = 9.81 * 0.5 * 2 / 0.51;
    EXPECT_NEAR(angle[1], k * 0.013 * 0.013 / 2, 5e-5) << step;
    EXPECT_NEAR(angle[2], k * 0.05 * 0.05 / 2, 1e-4) << step;
  }
}

TEST_F(Run, ADeckWithoutIntegratorAndNewtonRunsByTheDefaults) {
  const ResultsReader results = run(pendulum);
  EXPECT_EQ(results.attribute("title"), "Pendulum – 摆");
  EXPECT_EQ(results.text("/deck"), pendulum);
  EXPECT_EQ(results.numbers("/time").size(), 11u);
  const std::vector<double> angle = results.numbers("/joints/pin/coordinates");
  // m L g = (m L^2 + J) theta'' near the start: theta = t^2/2 * 9.81/0.51 (about y, downwards is positive)
  EXPECT_NEAR(angle[10], 0.01 / 2 * 2 * 0.5 * 9.81 / 0.51, 2e-3);
}

TEST_F(Run, TimesLieOnTheGridExactly) {
  const ResultsReader results = run(pendulum, "--set analysis.step=0.1 --set analysis.duration=0.3");  // 0.3 / 0.1 < 3
  EXPECT_EQ(results.numbers("/time"), (std::vector<double>{0, 0.1, 0.2, 3 * 0.1}));
  EXPECT_EQ(results.numbers("/solver/time"), (std::vector<double>{0.1, 0.2, 3 * 0.1}));
  EXPECT_FALSE(said_that("last step is shorter"));
}

TEST_F(Run, ALastShorterStepClosesTheIntervalWithAWarning) {
  const ResultsReader results = run(pendulum, "--set analysis.duration=0.025");
  EXPECT_EQ(results.numbers("/time"), (std::vector<double>{0, 0.01, 0.02, 0.025}));
  EXPECT_TRUE(said_that("warning: ") && said_that("last step is shorter, 0.005 s")) << said;
  EXPECT_NE(results.text("/log").find("last step is shorter"), std::string::npos);
}

TEST_F(Run, AStepLongerThanTheDurationIsCutToIt) {
  EXPECT_EQ(run(pendulum, "--set analysis.step=7").numbers("/time"), (std::vector<double>{0, 0.1}));
}

TEST_F(Run, EveryNthStateAndTheFirstAndTheLastAreStored) {
  const ResultsReader results = run(pendulum, "--set output.every=4");
  EXPECT_EQ(results.numbers("/time"), (std::vector<double>{0, 0.04, 0.08, 0.1}));
  EXPECT_EQ(results.numbers("/solver/time").size(), 10u);
}

TEST_F(Run, FieldsLeaveOutOtherGroups) {
  const ResultsReader results = run(pendulum, "--set 'output.fields=[joints, energy]'");
  EXPECT_TRUE(results.has("/joints/pin/force") && results.has("/energy/total") && results.has("/time"));
  EXPECT_FALSE(results.has("/nodes/position"));
  for (const io::Dataset& dataset : results.datasets())
    EXPECT_TRUE(dataset.text || dataset.shape.empty() || !dataset.units.empty()) << dataset.path;
}

TEST_F(Run, AnalysesFollowEachOtherInTime) {
  const std::string two = "[{type: transient, duration: 0.2, step: 0.1}, {type: transient, duration: 0.1, step: 0.05}]";
  const ResultsReader results = run(pushed("", two));
  // x'' = 1/2, so the second starts from the very state that the first ended with: it is not stored again
  EXPECT_EQ(results.numbers("/time"), (std::vector<double>{0, 0.1, 0.2, 0.2 + 0.05, 0.2 + 2 * 0.05}));
  EXPECT_EQ(results.numbers("/analysis"), (std::vector<double>{0, 0, 0, 1, 1}));
  EXPECT_NEAR(results.numbers("/nodes/position").at(12), 0.3 * 0.3 / 4, 1e-12);
}

TEST_F(Run, TheFirstStateOfALaterAnalysisIsStoredWhereItDiffers) {
  const std::string analysis = "analysis: {type: transient, duration: 0.1, step: 0.01}";
  std::string deck = pendulum;
  deck.replace(
      deck.find(analysis), analysis.size(),
      "analysis: [{type: transient, duration: 0.1, step: 0.01}, {type: transient, duration: 0.02, step: 0.01}]");
  const ResultsReader results = run(deck);
  const std::vector<double> time = results.numbers("/time");
  ASSERT_EQ(time.size(), 14u);
  EXPECT_EQ(time[10], time[11]);  // accelerations are solved for anew
  EXPECT_EQ(results.numbers("/analysis")[10], 0);
  EXPECT_EQ(results.numbers("/analysis")[11], 1);
}

TEST_F(Run, SettingsTakeYamlExpressionsAndPathsOfLists) {
  const std::string list =
      "[{type: transient, duration: 0.2, step: 0.1}, {type: transient, duration: 0.1, step: 0.05}]";
  const std::string options =
      "--set analysis.1.step=0.1 --set 'forces.f.force=[0, \"=2*k\", 0]' --set parameters.k=3 --set "
      "'bodies.p.mass==k/3' "
      "--set 'forces.f.history={table: {time: [0, 1], value: [1, 1]}}' --set output.every=1 --set 'title=a: b'";
  workshop.write("deck.yaml", pushed("", list));
  Outcome outcome = workshop.polhode("run deck.yaml " + options);
  EXPECT_EQ(outcome.status, 2) << outcome.err;  // "title=a: b" is a mapping in YAML
  const ResultsReader results = run(pushed("", list), options + " --set 'title=\"a: b\"'");
  EXPECT_EQ(results.attribute("title"), "a: b");
  EXPECT_EQ(results.numbers("/time").size(), 4u);
  EXPECT_NEAR(results.numbers("/nodes/position").at(10), 0.5 * 6 * 0.3 * 0.3, 1e-12);
  // the deck in the file is the one that ran: it gives the same results
  workshop.write("again.yaml", results.text("/deck"));
  EXPECT_EQ(workshop.polhode("run again.yaml").status, 0);
  EXPECT_EQ(ResultsReader(workshop.file("again.h5")).numbers("/nodes/position"), results.numbers("/nodes/position"));
}

TEST_F(Run, ResponsesGoToTheResultsAndToAJsonFile) {
  const ResultsReader results =
      run(pendulum +
              "responses:\n  pull: {max_abs: joints.pin.force}\n  drop: {min: nodes.bob.position.z}\n"
              "  half: {at: {time: 0.05, of: joints.pin.coordinates}}\n",
          "--responses numbers.json --set output.every=7");
  const std::string json = content_of(workshop.file("numbers.json"));
  for (const std::string name : {"pull", "drop", "half"}) {
    const std::size_t at = json.find("\"" + name + "\": ");
    ASSERT_NE(at, std::string::npos) << json;
    EXPECT_EQ(std::stod(json.substr(at + name.size() + 4)), results.numbers("/responses/" + name).at(0));
  }
  EXPECT_LT(results.numbers("/responses/drop")[0], -0.02);
  EXPECT_NEAR(results.numbers("/responses/half")[0], 0.024, 1e-3);  // of every step, stored or not
  EXPECT_TRUE(said_that("pull = ")) << said;
}

TEST_F(Run, HistoriesComeFromExpressionsTablesAndFilesBesideTheDeck) {
  const std::string analysis = "{type: transient, duration: 1, step: 0.001}";
  // int int t dt dt / m = t^3/6/2
  for (const std::string history :
       {"\"=t\"", "{table: {time: [0, 1], value: [0, 1]}}", "{file: ../ramp.csv, columns: [t, f]}"}) {
    std::filesystem::create_directories(workshop.file("decks"));
    workshop.write("ramp.csv", "t, f\r\n0, 0\r\n0.5, 0.5\r\n1, 1\r\n");
    workshop.write("decks/deck.yaml", pushed(", history: " + history, analysis));
    const Outcome outcome = workshop.polhode("run decks/deck.yaml");  // from another folder
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const std::vector<double> x = ResultsReader(workshop.file("deck.h5")).numbers("/nodes/position");
    EXPECT_NEAR(x.at(3000), 1.0 / 12, 1e-6) << history;
  }
}

TEST_F(Run, ASecondRunTakesThePlaceOfTheFirst) {
  run(pendulum);
  EXPECT_EQ(run(pendulum, "--set analysis.duration=0.02").numbers("/time").size(), 3u);
  EXPECT_EQ(workshop.names(), (std::vector<std::string>{"deck.h5", "deck.xdmf", "deck.yaml"}));
}

TEST_F(Run, ASecondRunGivesTheSameBits) {
  const std::vector<double> first = run(pendulum).numbers("/nodes/rotation");
  EXPECT_EQ(run(pendulum).numbers("/nodes/rotation"), first);
}

TEST_F(Run, OneNameMayStandInSeveralCollections) {
  const ResultsReader results =
      run(pushed("", "{type: transient, duration: 0.1, step: 0.1}") + "responses: {p: {last: nodes.p.position.x}}\n");
  EXPECT_NEAR(results.numbers("/responses/p")[0], 0.1 * 0.1 / 4, 1e-15);
}

TEST_F(Run, EmptySectionsAndWindowsLineEndsAreTaken) {
  std::string deck = pendulum + "sections: {}\nbeams:\nforces: {}\nresponses: {}\noutput: {}\n";
  std::string windows;
  for (const char c : deck) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(run(windows).numbers("/time").size(), 11u);
  EXPECT_EQ(run("\xEF\xBB\xBF" + deck).numbers("/time").size(), 11u);
}

TEST_F(Run, OtherEncodingsAndTabsAreRefusedByName) {
  workshop.write("latin.yaml",
                 "format: polhode-deck/1\ntitle: gr\xF6\xDF"
                 "er\n");
  EXPECT_EQ(workshop.polhode("run latin.yaml").err,
            "latin.yaml:2:10: deck: this is not UTF-8 text; save the file in that encoding\n");
  workshop.write("tabs.yaml", "format: polhode-deck/1\nnodes:\n\ta: {position: [0, 0, 0]}\n");
  EXPECT_EQ(workshop.polhode("run tabs.yaml").err,
            "tabs.yaml:3:1: deck: a tab indents this line; YAML takes spaces alone\n");
}

// States between the steps of a Rosenbrock method: their error, against a run of small steps, is of fourth order.
TEST_F(Run, OutputBetweenStepsIsOfFourthOrder) {
  std::vector<std::vector<double>> all;
  for (const char* step : {"0.04", "0.02", "0.01", "0.00125"}) {
    const std::string set =
        std::string("--set 'analysis={type: transient, duration: 0.48, step: ") + step +
        ", integrator: {method: rosenbrock4}}' --set 'output={times: [0.053, 0.171, 0.333, 0.437]}'";
    const ResultsReader results = run(pendulum, set);
    std::vector<double> numbers = results.numbers("/nodes/position");
    const std::vector<double> velocity = results.numbers("/nodes/velocity");
    numbers.insert(numbers.end(), velocity.begin(), velocity.end());
    all.push_back(numbers);
  }
  std::array<double, 3> errors{};
  for (std::size_t level = 0; level < errors.size(); ++level)
    for (std::size_t i = 0; i < all[level].size(); ++i)
      errors[level] = std::max(errors[level], std::abs(all[level][i] - all.back()[i]));
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 4, 0.4) << errors[0] << ' ' << errors[1] << ' ' << errors[2];
  EXPECT_GT(errors[2], 1e-10);
}

}  // namespace
}  // namespace polhode::support
