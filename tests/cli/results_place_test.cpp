// SPDX-License-Identifier: BSD-3-Clause
// Results files that cannot be written, or that would not fit on the disk: what `run` and `check` refuse.
#include <gtest/gtest.h>

#include "support/program.hpp"

namespace polhode::support {
namespace {

const std::string falling_top = shipped("benchmarks/heavy_top.yaml");

// 1.9e9 states of 300 nodes are a hundred terabytes.
TEST(ResultsPlace, ResultsThatDoNotFitOnTheDiskAreRefusedBeforeAnythingIsWritten) {
  const Workshop workshop;
  std::string deck = content_of(shipped("benchmarks/four_bar.yaml"));
  for (std::size_t at = 0; (at = deck.find("elements: 10,", at)) != std::string::npos;)
    deck.replace(at, 13, "elements: 100,");
  workshop.write("deck.yaml", deck);
  const std::string large = "deck.yaml --set analysis.duration=10 --set output.interval=5.3e-9 --responses r.json";
  workshop.write("r.json", "{}\n");
  const Outcome refused = workshop.polhode("run " + large);
  EXPECT_EQ(refused.status, 4) << refused.err;
  EXPECT_TRUE(contains(refused.err, "deck.h5: the results do not fit on its disk: about ")) << refused.err;
  EXPECT_TRUE(contains(refused.err, " TB, and ") && contains(refused.err, "--force")) << refused.err;
  EXPECT_EQ(workshop.names(), (std::vector<std::string>{"deck.yaml", "r.json"}));
  EXPECT_EQ(content_of(workshop.file("r.json")), "{}\n");

  // States at given times are as many under control of the steps.
  const Outcome controlled = workshop.polhode("run " + large + " --set 'analysis.step={tolerance: 1.0e-6}'");
  EXPECT_EQ(controlled.status, 4) << controlled.err;
  EXPECT_TRUE(contains(controlled.err, "deck.h5: the results do not fit on its disk: about ")) << controlled.err;

  workshop.write("deck.yaml", deck + "\noutput: {interval: 5.3e-9}\n");
  const std::string said = "the results do not fit on its disk: about ";
  const Outcome check = workshop.polhode("check deck.yaml");
  EXPECT_EQ(check.status, 4) << check.err;
  EXPECT_TRUE(contains(check.out, "  results              about ")) << check.out;
  EXPECT_TRUE(contains(check.err, "deck.h5: " + said) && contains(check.err, "--force")) << check.err;
  const Outcome forced = workshop.polhode("check deck.yaml --force");
  EXPECT_EQ(forced.status, 0) << forced.err;
  EXPECT_TRUE(contains(forced.err, "warning: deck.h5: " + said)) << forced.err;
}

// A folder of its own, absolute and relative, and one behind a link.
TEST(ResultsPlace, CheckAsksTheDiskWhereTheResultsWouldGo) {
  const Workshop workshop;
  std::string deck = content_of(shipped("benchmarks/four_bar.yaml"));
  for (std::size_t at = 0; (at = deck.find("elements: 10,", at)) != std::string::npos;)
    deck.replace(at, 13, "elements: 100,");
  workshop.write("deck.yaml", deck + "\noutput: {interval: 5.3e-9}\n");
  std::filesystem::create_directory(workshop.file("sub"));
  std::filesystem::create_symlink("sub", workshop.file("link"));
  for (const std::string& output : {std::string("sub/x.h5"), std::string("link/x.h5"), workshop.file("sub/x.h5")}) {
    const Outcome check = workshop.polhode("check deck.yaml -o '" + output + "'");
    EXPECT_EQ(check.status, 4) << check.err;
    EXPECT_TRUE(contains(check.err, output + ": the results do not fit on its disk: ")) << check.err;
  }
}

// What `run` finds only when it begins to write, `check` finds, too, and neither leaves anything behind.
TEST(ResultsPlace, CheckRefusesTheResultsFilesThatRunRefuses) {
  const Workshop workshop;
  workshop.write("deck.yaml", content_of(shipped("benchmarks/heavy_top.yaml")));
  workshop.write("foreign.h5", "foreign\n");
  workshop.write("b.xdmf", "notes\n");
  std::filesystem::create_directory(workshop.file("folder.h5"));
  std::filesystem::create_directories(workshop.file("c.xdmf"));
  const std::vector<std::string> names = workshop.names();
  const std::vector<std::pair<std::string, int>> cases = {
      {"-o none/x.h5", 4},    {"-o foreign.h5", 1},        {"-o deck.yaml", 1}, {"-o folder.h5", 4},
      {"-o a.xdmf", 4},       {"-o foreign.h5/x.h5", 4},   {"-o b.h5", 1},      {"-o c.h5", 4},
      {"-o c.h5 --force", 4}, {"-o deck.yaml --force", 1}, {"-o /dev/full", 4}};
  for (const auto& [arguments, status] : cases) {
    const Outcome check = workshop.polhode("check deck.yaml " + arguments);
    const Outcome run = workshop.polhode("run deck.yaml --quiet --set analysis.duration=0.01 " + arguments);
    EXPECT_EQ(check.status, status) << arguments << '\n' << check.err;
    EXPECT_EQ(run.status, status) << arguments << '\n' << run.err;
    EXPECT_EQ(check.err, run.err) << arguments;
    EXPECT_EQ(workshop.names(), names) << arguments;
  }
  EXPECT_EQ(content_of(workshop.file("foreign.h5")), "foreign\n");
  EXPECT_EQ(workshop.polhode("check deck.yaml -o foreign.h5 --force").status, 0);
  EXPECT_EQ(content_of(workshop.file("foreign.h5")), "foreign\n");
  EXPECT_EQ(workshop.polhode("check deck.yaml").status, 0);
  EXPECT_EQ(workshop.names(), names);
}

// The file that the shell has opened for it is not replaced, and nothing is left beside the name.
TEST(ResultsPlace, StandardOutputIsNoPlaceForResults) {
  const Workshop workshop;
  const Outcome run =
      workshop.polhode("run '" + falling_top + "' --set analysis.duration=0.01 -o /dev/stdout > new.txt");
  EXPECT_NE(run.status, 0);
  EXPECT_EQ(workshop.names(), std::vector<std::string>{"new.txt"});
  EXPECT_EQ(content_of(workshop.file("new.txt")), "");
  EXPECT_FALSE(std::filesystem::exists("/dev/stdout.xdmf"));
}

TEST(ResultsPlace, ALinkInThePlaceOfResponsesLeadsToTheNewOnes) {
  const Workshop workshop;
  workshop.write("old.json", "{\"e\": 1}\n");
  std::filesystem::create_symlink("old.json", workshop.file("link"));
  const Outcome run =
      workshop.polhode("run '" + falling_top + "' --set analysis.duration=0.01 -o a.h5 --responses link " +
                       "--set 'responses={e: {last: energy.total}}'");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(std::filesystem::is_symlink(workshop.file("link")));
  EXPECT_TRUE(contains(content_of(workshop.file("old.json")), "\"e\": 5435.78"));
}

}  // namespace
}  // namespace polhode::support
