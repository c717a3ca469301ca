// SPDX-License-Identifier: BSD-3-Clause
// polhode convergence on the heavy top, whose orders are known, and what it says of input that cannot be.
#include <gtest/gtest.h>

#include <cmath>

#include "polhode/io/hdf5/results_reader.hpp"
#include "support/program.hpp"

namespace polhode::support {
namespace {

using io::ResultsReader;

const std::string top = shipped("benchmarks/heavy_top.yaml");

class Convergence : public testing::Test {
 protected:
  Workshop workshop;

  ResultsReader run(const std::string& options) {
    const Outcome outcome = workshop.polhode("convergence '" + top + "' " + options);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    table = outcome.out;
    return ResultsReader(workshop.file("heavy_top.convergence.h5"));
  }
  void refuses(const std::string& options, int status, const std::string& message) {
    const Outcome outcome = workshop.polhode("convergence " + options);
    EXPECT_EQ(outcome.status, status) << options;
    EXPECT_EQ(outcome.err, message + "\n") << options;
    EXPECT_EQ(outcome.out, "");
  }
  static double order(const ResultsReader& results, const std::string& what) {
    return results.numbers("/order/" + what).at(0);
  }
  std::string table;
};

const std::string two_steps = "--steps 1e-3,5e-4 --to 0.4 ";

// The multipliers have order one while the oscillation of the start lasts, and order two afterwards.
TEST_F(Convergence, OfTheHeavyTopHasOrderTwoButForMultipliersNearAConsistentStart) {
  const ResultsReader results = run(two_steps);
  for (const char* component : {"position", "rotation", "velocity", "angular_velocity"})
    EXPECT_NEAR(order(results, component + std::string("/whole")), 2, 0.05) << component;
  for (const char* component : {"acceleration", "angular_acceleration", "multipliers"}) {
    EXPECT_NEAR(order(results, component + std::string("/before")), 1, 0.1) << component;
    EXPECT_NEAR(order(results, component + std::string("/whole")), 1, 0.1) << component;
    EXPECT_NEAR(order(results, component + std::string("/after")), 2, 0.05) << component;
  }
  EXPECT_EQ(results.numbers("/steps"), (std::vector<double>{1e-3, 5e-4}));
  EXPECT_EQ(results.numbers("/time").size(), 401u);
  EXPECT_EQ(results.dataset("/distances/multipliers").shape, (std::vector<std::size_t>{2, 401}));
  EXPECT_EQ(results.dataset("/errors/multipliers/whole").units, "N, N m");
  EXPECT_EQ(results.attribute("reference"), "own run with a step of 5e-05 s");
  EXPECT_EQ(results.texts("/status"), (std::vector<std::string>{"completed", "completed"}));
  EXPECT_NEAR(results.numbers("/intervals/after").at(0), 0.163, 1e-12);
  EXPECT_NE(table.find("start's transient: up to 0.163 s (163 of the largest steps"), std::string::npos) << table;
  EXPECT_EQ(workshop.polhode("info heavy_top.convergence.h5").status, 0);
}

TEST_F(Convergence, OfMultipliersHasOrderTwoFromAPerturbedStartAndWithIndexTwo) {
  for (const char* settings :
       {"--set analysis.integrator.initial=perturbed", "--set analysis.integrator.method=lie_alpha_index2"}) {
    const ResultsReader results = run(two_steps + settings);
    EXPECT_NEAR(order(results, "multipliers/whole"), 2, 0.05) << settings;
    EXPECT_NEAR(order(results, "position/whole"), 2, 0.05) << settings;
  }
}

TEST_F(Convergence, DoesNotDependOnHowManyRunsGoSideBySide) {
  const std::vector<double> one = run(two_steps + "--jobs 1").numbers("/distances/rotation");
  EXPECT_EQ(run(two_steps + "--jobs 3").numbers("/distances/rotation"), one);
}

TEST_F(Convergence, ComparesWithAResultsFileAtTheTimesThatThisHolds) {
  const std::string fine = "--set analysis.duration=0.4 --set analysis.step=5e-5 ";
  ASSERT_EQ(workshop.polhode("run '" + top + "' -o fine.h5 --set output.every=200 " + fine).status, 0);
  const std::vector<double> own = run(two_steps).numbers("/distances/multipliers");
  const ResultsReader results = run(two_steps + "--reference fine.h5 -o heavy_top.convergence.h5");
  EXPECT_EQ(results.numbers("/time").size(), 41u);
  const std::vector<double> given = results.numbers("/distances/multipliers");
  for (std::size_t i = 0; i <= 40; ++i) EXPECT_EQ(given[i], own[10 * i]) << i;
  EXPECT_EQ(results.attribute("reference"), "results of fine.h5");
}

TEST_F(Convergence, ShowsAStepThatFailedWithItsReasonAndEndsWithThree) {
  const Outcome outcome =
      workshop.polhode("convergence '" + top + "' --steps 1e-2,1e-3,5e-4 --to 0.3 --set analysis.newton.halvings=0");
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_NE(outcome.out.find("0.01  failed: the step to t = 0.21 s did not converge\n"), std::string::npos)
      << outcome.out;
  const ResultsReader results(workshop.file("heavy_top.convergence.h5"));
  EXPECT_TRUE(std::isnan(results.numbers("/errors/position/whole").at(0)));
  EXPECT_NEAR(order(results, "position/whole"), 2, 0.05);
  EXPECT_EQ(results.texts("/status").at(0), "the step to t = 0.21 s did not converge");
  EXPECT_EQ(results.attribute("status"), "failed");
}

TEST_F(Convergence, SaysThatAReferenceFailed) {
  refuses("'" + top + "' --steps 2e-2,2.5e-2 --reference-step 1e-2 --set analysis.newton.halvings=0", 3,
          "error: the run to compare with, step 0.01 s, failed: the step to t = 0.21 s did not converge");
}

TEST_F(Convergence, MarksErrorsAtRoundOff) {
  workshop.write("rest.yaml",
                 "format: polhode-deck/1\nnodes:\n  p: {position: [0, 0, 0], velocity: [1, 0, 0], dofs: translation}\n"
                 "bodies:\n  p: {type: point_mass, node: p, mass: 2}\n"
                 "analysis: {type: transient, duration: 1, step: 0.1}\n");
  const Outcome outcome = workshop.polhode("convergence rest.yaml --steps 0.1,0.05");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("* does not fall with the step"), std::string::npos) << outcome.out;
}

TEST_F(Convergence, TellsStepsDoneInPartsAndFewCommonTimes) {
  const Outcome outcome = workshop.polhode("convergence '" + top + "' --steps 4e-2,2e-2 --to 0.08");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("warning: the steps share 2 times after the start only"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("warning: 0.04 s: 1 of 2 steps were subdivided, so that this is no run with one step"),
            std::string::npos)
      << outcome.err;
}

TEST_F(Convergence, RefusesWhatCannotBe) {
  refuses("'" + top + "' --steps 1e-3", 1,
          "polhode convergence: an order needs two steps or more, as in --steps 1e-3,5e-4,2.5e-4");
  refuses("'" + top + "' --steps 1e-3,x", 1,
          "polhode: --steps: \"x\" is no positive number of seconds\npolhode convergence --help shows what it takes");
  refuses("'" + top + "' --steps 1e-3,2e-3 --reference none.h5", 4,
          "none.h5: cannot be read: No such file or directory");
  refuses("none.yaml --steps 1e-3,2e-3", 4, "cannot read 'none.yaml': No such file or directory");
  workshop.write("notes.txt", "mine");
  refuses("'" + top + "' --steps 1e-3,2e-3 -o notes.txt", 1,
          "notes.txt: is there already and holds no results of polhode; name another file with -o, or remove it");
  EXPECT_EQ(workshop.polhode("convergence '" + top + "' --steps 1e-3,2e-3 --set analysis.step=fast").status, 2);
}

TEST_F(Convergence, RefusesAReferenceThatIsDamaged) {
  ASSERT_EQ(workshop.polhode("run '" + top + "' --set analysis.duration=0.1").status, 0);
  const std::string good = content_of(workshop.file("heavy_top.h5"));
  workshop.write("short.h5", good.substr(0, good.size() / 2));
  const Outcome outcome = workshop.polhode("convergence '" + top + "' --steps 1e-3,2e-3 --reference short.h5");
  EXPECT_EQ(outcome.status, 4) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with("short.h5: ")) << outcome.err;
}

TEST_F(Convergence, RefusesAReferenceOfAnotherModel) {
  ASSERT_EQ(workshop.polhode("run '" + shipped("benchmarks/pendulum.yaml") + "' -o other.h5").status, 0);
  const Outcome outcome = workshop.polhode("convergence '" + top + "' --steps 1e-3,2e-3 --reference other.h5");
  EXPECT_EQ(outcome.status, 4);
  EXPECT_EQ(outcome.err,
            "other.h5: is of another model, without the nodes centre; a reference needs the nodes of the deck\n");
  run(two_steps);
  refuses("'" + top + "' --steps 1e-3,2e-3 --reference heavy_top.convergence.h5 -o x.h5", 4,
          "heavy_top.convergence.h5: holds no results of a run; a reference is a file of polhode run");
}

}  // namespace
}  // namespace polhode::support
