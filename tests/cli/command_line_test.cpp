// SPDX-License-Identifier: BSD-3-Clause
// The command line around a run: help, versions, exit statuses, and where output goes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "../io/sample_results.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "support/program.hpp"

namespace polhode::support {
namespace {

Outcome polhode_with(const std::string& arguments) { return Workshop().polhode(arguments); }

TEST(CommandLine, HelpIsEverywhereAndGoesToStandardOutput) {
  for (const char* command : {"", "run ", "check ", "info ", "export ", "schema ", "sweep ", "convergence "}) {
    const Outcome outcome = polhode_with(command + std::string("--help"));
    EXPECT_EQ(outcome.status, 0) << command;
    EXPECT_NE(outcome.out.find("Usage: polhode"), std::string::npos) << command;
    EXPECT_EQ(outcome.err, "") << command;
  }
}

TEST(CommandLine, VersionNamesLibrariesAndCompiler) {
  const Outcome outcome = polhode_with("--version");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(outcome.out.starts_with("polhode ")) << outcome.out;
  for (const char* name : {"Eigen 3.", "HDF5 1.", "CLI11 2."})
    EXPECT_NE(outcome.out.find(name), std::string::npos) << outcome.out;
}

TEST(CommandLine, WrongUsageIsOne) {
  for (const char* arguments : {"", "fly", "run", "run a.yaml --fast", "run --restart a.h5", "run a.yaml --at 1",
                                "schema cake", "check", "info a b", "export", "sweep", "sweep a --jobs 0"}) {
    const Outcome outcome = polhode_with(arguments);
    EXPECT_EQ(outcome.status, 1) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_NE(outcome.err.find("--help"), std::string::npos) << outcome.err;
  }
}

TEST(CommandLine, MissingFilesAreFour) {
  for (const char* arguments :
       {"info none.h5", "export none.h5", "check none.yaml", "run none.yaml", "sweep none.yaml"}) {
    const Outcome outcome = polhode_with(arguments);
    EXPECT_EQ(outcome.status, 4) << arguments;
    EXPECT_NE(outcome.err.find("No such file or directory"), std::string::npos) << outcome.err;
  }
}

TEST(CommandLine, OutputThatCannotBeWrittenIsFour) {
  // Of the schema more is written than the buffer holds.
  for (const std::string arguments : {"--help", "schema deck"}) {
    const std::string command = "'" POLHODE_BINARY "' " + arguments + " >/dev/full 2>/dev/null";
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 4) << arguments;
  }
}

TEST(CommandLine, ResultsAreSummedUpAndExported) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("run.h5");
  { const io::ResultsFile results(file, {"A title", "deck", {}}, test::make_layout()); }
  const Outcome info = polhode_with("info '" + file + "'");
  EXPECT_EQ(info.status, 0);
  EXPECT_NE(info.out.find("A title"), std::string::npos);
  const Outcome tables =
      polhode_with("export '" + file + "' --csv '" + folder.file("csv") + "' --paths energy,/joints/motor");
  EXPECT_EQ(tables.status, 0) << tables.err;
  EXPECT_EQ(tables.out, folder.file("csv/energy.csv") + '\n' + folder.file("csv/joints.motor.csv") + '\n');
  EXPECT_EQ(polhode_with("export '" + file + "' --paths cake").status, 1);
}

// What is wrong with results is not what a reader of decks says of them.
TEST(CommandLine, DamagedResultsAreFourAndNoDeck) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("run.h5");
  { const io::ResultsFile results(file, {"A title", "deck", {}}, test::make_layout()); }
  const std::string good = content_of(file);
  const auto put = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(folder.file(name), std::ios::binary) << bytes;
    return folder.file(name);
  };
  std::string wrong_begin = good;
  wrong_begin[0] = 'x';
  std::string wrong_root = good;
  std::fill(wrong_root.begin() + 40, wrong_root.begin() + 96, '\xff');
  for (const std::string& name : {put("begin.h5", wrong_begin), put("begin.results", wrong_begin), put("empty.h5", ""),
                                  put("short.h5", good.substr(0, 700)), put("root.h5", wrong_root)}) {
    const bool has_signature = content_of(name).starts_with("\x89HDF");
    for (const std::string command : {"info", "export"}) {
      const Outcome outcome = polhode_with(command + " '" + name + "'");
      EXPECT_EQ(outcome.status, 4) << command << ' ' << name << '\n' << outcome.err;
      EXPECT_EQ(outcome.out, "") << name;
      const char* reason = has_signature ? ": " : ": is no results file (HDF5): it does not begin with the signature";
      EXPECT_TRUE(outcome.err.starts_with(name + reason)) << outcome.err;
      EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    }
  }
}

TEST(CommandLine, DecksAreSummedUp) {
  const Outcome outcome = polhode_with("info '" POLHODE_SOURCE_DIR "/inputs/benchmarks/four_bar.yaml'");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* part : {"Four-bar mechanism", "motor (revolute)", "transient, 10 s with step 0.02 s, lie_alpha"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nnot in\n" << outcome.out;
}

// As `run` takes it: the summary, what is wrong and the flat deck are those of the deck with these values.
TEST(CommandLine, CheckTakesValuesOfTheDeck) {
  const Workshop workshop;
  const std::string chain = "check '" + shipped("benchmarks/chain.yaml") + "'";
  EXPECT_FALSE(contains(workshop.polhode(chain).out, "1234"));
  const Outcome longer = workshop.polhode(chain + " --set parameters.N=1234 --set analysis.duration=2");
  EXPECT_EQ(longer.status, 0) << longer.err;
  EXPECT_TRUE(contains(longer.out, "1234")) << longer.out;
  EXPECT_TRUE(contains(workshop.polhode(chain + " --expand --set parameters.N=1234").out, "1234"));
  const Outcome wrong = workshop.polhode(chain + " --set parameters.M=3");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(contains(wrong.err, "has no parameter 'M'")) << wrong.err;
}

}  // namespace
}  // namespace polhode::support
