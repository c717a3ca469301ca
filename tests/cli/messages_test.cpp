// SPDX-License-Identifier: BSD-3-Clause
// --quiet, --verbose and --log: what the program says, and where.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "polhode/io/hdf5/results_reader.hpp"
#include "support/program.hpp"

namespace polhode::support {
namespace {

const std::string run_short = "run '" + shipped("benchmarks/heavy_top.yaml") + "' --set analysis.duration=0.1";

TEST(MessageOptions, AQuietRunThatCompletesSaysNothing) {
  const Workshop workshop;
  const Outcome outcome = workshop.polhode(run_short + " --quiet");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(contains(io::ResultsReader(workshop.file("heavy_top.h5")).text("/log"), "50 steps to t = 0.1 s"));
}

TEST(MessageOptions, AQuietCheckOfASoundDeckSaysNothing) {
  const Workshop workshop;
  const Outcome outcome = workshop.polhode("check --quiet '" + shipped("benchmarks/heavy_top.yaml") + "'");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST(MessageOptions, AQuietRunStillSaysItsErrorsAndWarnings) {
  const Workshop workshop;
  // At this step Newton's iteration of the heavy top has no solution after 1.34 s.
  const std::string fails = " --set analysis.duration=2 --set analysis.step=0.004 --set analysis.newton.halvings=0";
  const Outcome failed = workshop.polhode(run_short + fails + " --quiet");
  EXPECT_EQ(failed.status, 3);
  EXPECT_TRUE(contains(failed.err, "error: the step of 0.004 s")) << failed.err;
  EXPECT_FALSE(contains(failed.err, "CPU time")) << failed.err;
  const Outcome faulty = workshop.polhode(run_short + " --quiet --set analysis.step=fast");
  EXPECT_EQ(faulty.status, 2);
  EXPECT_TRUE(contains(faulty.err, "analysis.step: ")) << faulty.err;
}

TEST(MessageOptions, AVerboseRunNamesEachStep) {
  const Workshop workshop;
  const Outcome outcome = workshop.polhode(run_short + " --verbose");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* part : {"host: ", "step 1 of 0.002 s to t = 0.002 s: ", "step 50 of 0.002 s to t = 0.1 s: "})
    EXPECT_TRUE(contains(outcome.err, part)) << part;
  EXPECT_FALSE(contains(io::ResultsReader(workshop.file("heavy_top.h5")).text("/log"), "step 50 of"));
}

TEST(MessageOptions, ALogFileHasAllMessagesWhateverTheTerminalShows) {
  const Workshop workshop;
  EXPECT_EQ(workshop.polhode(run_short + " --quiet --log run.log").status, 0);
  const std::string log = content_of(workshop.file("run.log"));
  for (const char* part : {"Heavy top: ", "step 50 of 0.002 s", "50 steps to t = 0.1 s", "results: heavy_top.h5"})
    EXPECT_TRUE(contains(log, part)) << part << "\n" << log;
  EXPECT_EQ(workshop.polhode(run_short + " --quiet --log /proc/none/run.log").status, 4);
}

TEST(MessageOptions, ALogIsAppendedToLogsAndToNothingElse) {
  const Workshop workshop;
  std::filesystem::copy_file(shipped("benchmarks/heavy_top.yaml"), workshop.file("d.yaml"));
  const std::string deck = content_of(workshop.file("d.yaml"));
  const std::string short_run = "run d.yaml --quiet --set analysis.duration=0.1";
  const Outcome refused = workshop.polhode(short_run + " --log d.yaml");
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.err, "d.yaml: is there already and is no log of polhode; name another file for --log\n");
  EXPECT_EQ(content_of(workshop.file("d.yaml")), deck);
  EXPECT_EQ(workshop.polhode(short_run).status, 0);
  EXPECT_EQ(workshop.polhode("info d.h5 --log d.h5").status, 1);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(workshop.polhode(short_run + " --log run.log").status, 0);
}

TEST(MessageOptions, ResultsAndResponsesDoNotTakeThePlaceOfTheLog) {
  const Workshop workshop;
  std::filesystem::create_directory(workshop.file("sub"));
  std::filesystem::create_symlink("a.h5", workshop.file("link"));
  const std::vector<std::string> names = workshop.names();
  const std::string remedy = "; name another file for --log\n";
  const std::string picture = "is the file of --log and that of the picture beside the results ";
  const std::vector<std::array<std::string, 2>> cases = {
      {"run -o a.h5 --log a.h5", "a.h5: is the file of --log and that of the results (-o) at once"},
      {"run --log ./heavy_top.h5", "./heavy_top.h5: is the file of --log and that of the results (-o) at once"},
      {"run -o a.h5 --log sub/../a.h5", "sub/../a.h5: is the file of --log and that of the results (-o) at once"},
      {"run -o a.h5 --log a.xdmf", "a.xdmf: " + picture + "a.h5 at once"},
      {"run -o a.h5 --responses a.json --log a.json",
       "a.json: is the file of --log and that of the responses (--responses) at once"},
      {"run -o a.h5 --log a.h5.polhode-part",
       "a.h5.polhode-part: is the file of --log and the temporary file of the results (-o) at once"},
      {"run -o link --log a.h5.polhode-part",
       "a.h5.polhode-part: is the file of --log and the temporary file of the results (-o) at once"},
      {"run -o link --log a.h5", "a.h5: is the file of --log and that of the results (-o) at once"},
      {"run -o a.h5 --log link", "link: is the file of --log and that of the results (-o) at once"},
      {"convergence --steps 1e-3,5e-4 -o c.h5 --log c.h5",
       "c.h5: is the file of --log and that of the results (-o) at once"}};
  for (const auto& [arguments, message] : cases)
    for (const char* force : {"", " --force"}) {
      const std::size_t command = arguments.find(' ');
      if (*force && !arguments.starts_with("run")) continue;
      const Outcome refused =
          workshop.polhode(arguments.substr(0, command) + " '" + shipped("benchmarks/heavy_top.yaml") + "'" +
                           arguments.substr(command) + force);
      EXPECT_EQ(refused.status, 1) << arguments;
      EXPECT_EQ(refused.err, message + remedy);
      EXPECT_EQ(workshop.names(), names) << arguments;
    }
  EXPECT_EQ(workshop.polhode(run_short + " --quiet --responses /dev/null --log /dev/null").status, 0);
}

TEST(MessageOptions, ALogThatCannotBeWrittenIsFourAndMakesNoFolder) {
  const Workshop workshop;
  for (const char* log : {"nowhere/run.log", "/dev/full"}) {
    const Outcome outcome = workshop.polhode(run_short + " --log " + log);
    EXPECT_EQ(outcome.status, 4) << log;
    EXPECT_TRUE(contains(outcome.err, std::string(log) + ": cannot be written: ")) << outcome.err;
    EXPECT_EQ(workshop.names(), std::vector<std::string>{}) << log;
  }
}

TEST(MessageOptions, TitlesOfDecksDoNotCommandTheTerminal) {
  const Workshop workshop;
  std::string deck = content_of(shipped("benchmarks/heavy_top.yaml"));
  deck.replace(deck.find("title: "), 7, "title: \"\\e[31m\" #");
  workshop.write("red.yaml", deck);
  for (const std::string arguments :
       {"check red.yaml", "info red.yaml", "run red.yaml --set analysis.duration=0.1", "info red.h5"}) {
    const Outcome outcome = workshop.polhode(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.out + outcome.err, "?[31m")) << arguments;
    EXPECT_FALSE(contains(outcome.out + outcome.err, "\x1b")) << arguments;
  }
}

TEST(MessageOptions, QuietAndVerboseExcludeEachOther) {
  const Workshop workshop;
  const Outcome outcome = workshop.polhode(run_short + " --quiet --verbose");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(contains(outcome.err, "--verbose")) << outcome.err;
}

}  // namespace
}  // namespace polhode::support
