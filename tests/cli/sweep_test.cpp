// SPDX-License-Identifier: BSD-3-Clause
// polhode sweep: the same table however the cases are shared out and however often it is killed; what harms one case
// harms no other.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "polhode/io/hdf5/results_reader.hpp"
#include "support/faulty_decks.hpp"
#include "support/places.hpp"
#include "support/program.hpp"

namespace polhode::support {
namespace {

const std::string head =
    "format: polhode-study/1\ndeck: " + shipped("benchmarks/heavy_top.yaml") +
    "\nresponses: {height: {last: nodes.centre.position.z}, force: {max_abs: joints.pivot.force}}\n";

// 24 cases of some milliseconds, four of which are invalid.
const std::string small = head +
                          "vary:\n  analysis.duration: [0.02]\n  bodies.top.mass: {linspace: [10, 20, 8]}\n"
                          "  analysis.integrator.rho_infinity: [0.5, 1, 2]\n";

class Sweep : public testing::Test {
 protected:
  Workshop workshop;

  void SetUp() override { workshop.write("s.yaml", small); }

  // The table without its last column, the processor time.
  std::string table(const std::string& file = "s.csv") const {
    std::istringstream lines(content_of(workshop.file(file)));
    std::string all;
    for (std::string line; std::getline(lines, line);) all += line.substr(0, line.rfind(',')) + '\n';
    return all;
  }
  Outcome sweep(const std::string& arguments, const std::string& before = "") const {
    return workshop.polhode("sweep " + arguments, before);
  }
  std::string reference() const {
    EXPECT_EQ(sweep("s.yaml --csv --jobs 1 -o reference.h5").status, 0);
    return table("reference.csv");
  }
  // Processes of the cases of a study that runs.
  static std::vector<pid_t> children_of(pid_t parent) {
    std::vector<pid_t> all;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const std::string name = entry.path().filename();
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      const std::string stat = content_of(entry.path() / "stat");
      const std::size_t end = stat.rfind(')');
      if (end == std::string::npos) continue;
      std::istringstream fields(stat.substr(end + 1));
      char state = 0;
      pid_t of = 0;
      if (fields >> state >> of && of == parent && state != 'Z') all.push_back(std::stoi(name));
    }
    return all;
  }
  pid_t wait_for_child_of(pid_t parent) const {
    for (int i = 0; i < 500; ++i) {
      if (const auto all = children_of(parent); !all.empty()) return all[0];
      usleep(10000);
    }
    return -1;
  }
};

TEST_F(Sweep, GivesARowACaseWithTheNumbersOfARunOfItsOwn) {
  const Outcome outcome = sweep("s.yaml --csv");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("24 cases: 16 completed, 8 invalid"), std::string::npos) << outcome.err;
  const io::ResultsReader results(workshop.file("s.h5"));
  EXPECT_EQ(results.attribute("status"), "completed");
  const auto status = results.texts("/table/status");
  ASSERT_EQ(status.size(), 24u);
  EXPECT_EQ(results.texts("/table/message").at(5), "30:35: analysis.integrator.rho_infinity: must be in [0, 1], is 2");
  EXPECT_EQ(results.numbers("/table/bodies.top.mass").at(23), 20);
  EXPECT_EQ(results.numbers("/table/steps").at(4), 10);
  EXPECT_GT(results.numbers("/table/newton_iterations").at(4), 20);
  EXPECT_TRUE(std::isnan(results.numbers("/table/height").at(5)));
  EXPECT_EQ(results.dataset("/table/force").units, "N");
  EXPECT_EQ(results.texts("/varied").size(), 3u);

  const Outcome deck = sweep("s.yaml --print-case 4");
  EXPECT_EQ(deck.status, 0);
  workshop.write("case.yaml", deck.out);
  ASSERT_EQ(workshop.polhode("run case.yaml --responses case.json").status, 0);
  const io::ResultsReader one(workshop.file("case.h5"));
  for (const std::string name : {"height", "force"})
    EXPECT_EQ(one.numbers("/responses/" + name).at(0), results.numbers("/table/" + name).at(4));
  EXPECT_EQ(workshop.polhode("info s.h5").status, 0);
}

TEST_F(Sweep, GivesTheSameTableForAnyNumberOfJobsAndShares) {
  const std::string expected = reference();
  EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'), 25);
  ASSERT_EQ(sweep("s.yaml --csv --jobs 3").status, 0);
  EXPECT_EQ(table(), expected);
  for (int shard = 4; shard >= 1; --shard)
    ASSERT_EQ(sweep("s.yaml -o shards.h5 --shard " + std::to_string(shard) + "/4").status, 0);
  const Outcome collected = sweep("s.yaml -o shards.h5 --csv --collect");
  EXPECT_EQ(collected.status, 0) << collected.err;
  EXPECT_EQ(table("shards.csv"), expected);
}

TEST_F(Sweep, CollectSaysWhatIsMissing) {
  ASSERT_EQ(sweep("s.yaml --shard 1/3").status, 0);
  ASSERT_EQ(sweep("s.yaml --shard 3/3").status, 0);
  const Outcome collected = sweep("s.yaml --collect");
  EXPECT_EQ(collected.status, 3);
  EXPECT_NE(collected.err.find("8 of 24 cases are missing: 1, 4, 7, 10, 13, 16, 19, 22\n"), std::string::npos)
      << collected.err;
  EXPECT_EQ(io::ResultsReader(workshop.file("s.h5")).attribute("status"), "incomplete");
  // What the shards have done is not done again, not even by another number of shards.
  const Outcome rest = sweep("s.yaml --csv");
  EXPECT_EQ(rest.status, 0);
  EXPECT_NE(rest.err.find("16 of 24 cases are done already"), std::string::npos) << rest.err;
  EXPECT_EQ(table(), reference());
}

// As by mpirun: four at once, told apart by the environment; by mpirun itself where it is there.
TEST_F(Sweep, ShardsTheCasesAmongRanks) {
  const std::string expected = reference();
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < 4; ++rank)
    ranks.emplace_back([&, rank] {
      const std::string command = "cd '" + workshop.file("") +
                                  "' && OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=" + std::to_string(rank) +
                                  " '" POLHODE_BINARY "' sweep s.yaml 2>/dev/null";
      EXPECT_EQ(std::system(command.c_str()), 0);
    });
  for (std::thread& rank : ranks) rank.join();
  EXPECT_EQ(sweep("s.yaml --csv --collect").status, 0);
  EXPECT_EQ(table(), expected);
  if (std::system("command -v mpirun >/dev/null") != 0) return;
  const std::string command = "cd '" + workshop.file("") + "' && mpirun --allow-run-as-root --oversubscribe -n 4 '" +
                              POLHODE_BINARY "' sweep s.yaml -o m.h5 2>/dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(sweep("s.yaml -o m.h5 --csv --collect").status, 0);
  EXPECT_EQ(table("m.csv"), expected);
}

TEST_F(Sweep, LosesAndDoublesNoRowWhenKilledAtRandomMoments) {
  workshop.write("s.yaml", head + "vary:\n  analysis.duration: [0.3]\n  bodies.top.mass: {linspace: [10, 20, 240]}\n");
  const std::string expected = reference();
  std::mt19937 random(7);
  int kills = 0;
  for (; kills < 12; ++kills) {
    const pid_t study = workshop.start({"s.yaml", "--jobs", "2"}, "sweep");
    usleep(static_cast<useconds_t>(10000 + random() % 40000));
    const bool alive = waitpid(study, nullptr, WNOHANG) == 0;
    if (!alive) break;
    kill(study, SIGKILL);
    waitpid(study, nullptr, 0);
    EXPECT_EQ(children_of(study).size(), 0u);
  }
  EXPECT_GT(kills, 1);
  ASSERT_EQ(sweep("s.yaml --csv").status, 0);
  EXPECT_EQ(table(), expected);
  const std::string rows = content_of(workshop.file("s.rows"));
  std::istringstream lines(rows.substr(rows.find("\nrows\n") + 6));
  std::multiset<std::string> numbers;
  for (std::string line; std::getline(lines, line);) numbers.insert(line.substr(0, line.find('\t')));
  EXPECT_EQ(numbers.size(), 240u);
  EXPECT_EQ(std::set<std::string>(numbers.begin(), numbers.end()).size(), 240u);
}

TEST_F(Sweep, GoesOnAfterAFullDisk) {
  const std::string expected = reference();
  const Outcome full = sweep("s.yaml --csv", "ulimit -f 2;");  // 1024 bytes by POSIX's shell
  EXPECT_EQ(full.status, 4) << full.err;
  EXPECT_NE(full.err.find("s.rows: cannot be written"), std::string::npos) << full.err;
  const Outcome rest = sweep("s.yaml --csv");
  EXPECT_EQ(rest.status, 0) << rest.err;
  EXPECT_NE(rest.err.find("of 24 cases are done already"), std::string::npos) << rest.err;
  EXPECT_EQ(table(), expected);
}

TEST_F(Sweep, GivesUpACaseThatHangs) {
  workshop.write("h.yaml", head + "vary:\n  analysis.duration: [0.02, 1.0e+5, 0.04]\n");
  EXPECT_EQ(sweep("h.yaml --case-timeout 0.3 --jobs 2").status, 0);
  const io::ResultsReader results(workshop.file("h.h5"));
  EXPECT_EQ(results.texts("/table/status"), (std::vector<std::string>{"completed", "timed out", "completed"}));
  EXPECT_EQ(results.texts("/table/message").at(1), "did not end within 0.3 s (--case-timeout)");
}

TEST_F(Sweep, TakesTheCrashOfACaseForItsRow) {
  setenv("ASAN_OPTIONS", "handle_segv=0", 1);  // the address sanitizer would make a status of the signal
  workshop.write("c.yaml", head + "vary:\n  analysis.duration: [1.0e+5, 0.02, 0.04]\n");
  const pid_t study = workshop.start({"c.yaml", "--jobs", "1"}, "sweep");
  const pid_t one = wait_for_child_of(study);
  ASSERT_GT(one, 0);
  kill(one, SIGTERM);  // what a scheduler sends is for the study
  usleep(50000);
  kill(one, SIGSEGV);
  EXPECT_EQ(Workshop::status_of(study), 0) << workshop.said();
  const io::ResultsReader results(workshop.file("c.h5"));
  EXPECT_EQ(results.texts("/table/status"), (std::vector<std::string>{"crashed", "completed", "completed"}));
  EXPECT_EQ(results.texts("/table/message").at(0), "its process was ended by signal 11 (Segmentation fault)");
}

// The first kill may have been meant for the whole study.
TEST_F(Sweep, TriesACaseThatWasKilledOnceMore) {
  workshop.write("c.yaml", head + "vary:\n  analysis.duration: [1.0e+5, 0.02]\n");
  const pid_t study = workshop.start({"c.yaml", "--jobs", "1", "--case-timeout", "0.5"}, "sweep");
  const pid_t one = wait_for_child_of(study);
  ASSERT_GT(one, 0);
  kill(one, SIGKILL);
  EXPECT_EQ(Workshop::status_of(study), 0);
  EXPECT_EQ(io::ResultsReader(workshop.file("c.h5")).texts("/table/status"),
            (std::vector<std::string>{"timed out", "completed"}));
}

TEST_F(Sweep, EndsAtAnInterruptAndGoesOn) {
  workshop.write("c.yaml", head + "vary:\n  analysis.duration: [0.02, 1.0e+5]\n");
  const pid_t study = workshop.start({"c.yaml", "--jobs", "1"}, "sweep");
  for (int i = 0; i < 500 && content_of(workshop.file("c.rows")).find("\ncompleted") == std::string::npos &&
                  content_of(workshop.file("c.rows")).find("\tcompleted") == std::string::npos;
       ++i)
    usleep(10000);
  const Outcome second = sweep("c.yaml");
  EXPECT_EQ(second.status, 1);
  EXPECT_EQ(second.err,
            "polhode sweep: c.rows: is written by another study, or another shard of this number, right now "
            "(process " +
                std::to_string(study) + "); wait for its end, or name another file with -o\n");
  kill(study, SIGINT);
  EXPECT_EQ(Workshop::status_of(study), 130);
  EXPECT_NE(workshop.said().find("interrupted: 1 of 2 cases are done; the same command goes on"), std::string::npos);
  EXPECT_NE(sweep("c.yaml --case-timeout 0.1").err.find("1 of 2 cases are done already"), std::string::npos);
}

// Whatever the files of cases would be written over; the table is none of them.
TEST_F(Sweep, WritesNoResultsOverFilesOfOthers) {
  namespace fs = std::filesystem;
  workshop.write("a.yaml", small + "keep: all\n");
  workshop.write("a.cases", "notes\n");
  EXPECT_EQ(sweep("a.yaml").status, 4);
  fs::remove(workshop.file("a.cases"));
  fs::create_directory(workshop.file("a.cases"));
  for (const std::string name : {"a.cases/0.h5", "a.cases/1.xdmf"}) {
    workshop.write(name, "years of work\n");
    const Outcome outcome = sweep("a.yaml");
    EXPECT_EQ(outcome.status, 4) << name;
    EXPECT_NE(outcome.err.find(name + ": is there already and is none of polhode"), std::string::npos) << outcome.err;
    EXPECT_EQ(content_of(workshop.file(name)), "years of work\n");
    fs::remove(workshop.file(name));
  }
  workshop.write("target", "years of work\n");
  fs::create_symlink("../target", workshop.file("a.cases/2.h5"));
  EXPECT_EQ(sweep("a.yaml").status, 4);
  EXPECT_EQ(content_of(workshop.file("target")), "years of work\n");
  fs::remove(workshop.file("a.cases/2.h5"));
  EXPECT_EQ(sweep("a.yaml").status, 0);
}

TEST_F(Sweep, KeepsWholeResultsFilesWhereAsked) {
  workshop.write("s.yaml", small + "keep: failed\n");
  ASSERT_EQ(sweep("s.yaml").status, 0);
  EXPECT_TRUE(std::filesystem::is_empty(workshop.file("s.cases")));  // an invalid deck has no results
  workshop.write("a.yaml", small + "keep: all\n");
  ASSERT_EQ(sweep("a.yaml").status, 0);
  const io::ResultsReader results(workshop.file("a.cases/4.h5"));
  const io::ResultsReader table(workshop.file("a.h5"));
  EXPECT_EQ(results.numbers("/responses/height").at(0), table.numbers("/table/height").at(4));
  EXPECT_FALSE(std::filesystem::exists(workshop.file("a.cases/5.h5")));
}

TEST_F(Sweep, RefusesAStudyThatHasChanged) {
  ASSERT_EQ(sweep("s.yaml").status, 0);
  const std::string rows = content_of(workshop.file("s.rows"));
  workshop.write("s.yaml", small + "sampling: {sobol: {samples: 8}}\n");
  for (const char* arguments : {"s.yaml", "s.yaml --collect", "s.yaml --shard 1/2"}) {
    const Outcome outcome = sweep(arguments);
    EXPECT_EQ(outcome.status, 1) << arguments;
    EXPECT_EQ(outcome.err,
              "polhode sweep: s.rows: was made by a study (or a deck) that was another one:\n"
              "  sampling: was grid, is {sobol: {samples: 8}}\n"
              "name another file with -o, or remove this one to begin anew\n");
  }
  EXPECT_EQ(content_of(workshop.file("s.rows")), rows);
}

TEST_F(Sweep, RefusesWhatCannotBe) {
  const auto refuses = [&](const std::string& arguments, int status, const std::string& message) {
    const Outcome outcome = sweep(arguments);
    EXPECT_EQ(outcome.status, status) << arguments;
    EXPECT_EQ(outcome.err, message) << arguments;
    EXPECT_EQ(workshop.names(), std::vector<std::string>{"s.yaml"}) << arguments;
  };
  refuses("s.yaml --shard 5/4", 1, "polhode sweep: --shard: there is no shard 5 of 4; shards count from 1 to 4\n");
  refuses("s.yaml --print-case 24", 1, "polhode sweep: there is no case 24; s.yaml has the cases 0 to 23\n");
  refuses("s.yaml -o s.yaml", 1, "s.yaml: is what this command reads; name another file with -o\n");
  refuses("none.yaml", 4, "cannot read 'none.yaml': No such file or directory\n");
}

TEST_F(Sweep, ReplacesNoTableOfOthers) {
  workshop.write("s.csv", "t,a\n0,1\n");
  const Outcome outcome = sweep("s.yaml --csv");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err,
            "polhode sweep: s.csv: is there already and is no table of a study; name another file with -o, or remove "
            "it\n");
  EXPECT_EQ(content_of(workshop.file("s.csv")), "t,a\n0,1\n");
  EXPECT_EQ(workshop.names(), (std::vector<std::string>{"s.csv", "s.yaml"}));
}

// Optimizers read the file whenever it is there, and the program has ended with 0 or 3.
TEST(Responses, OfAnEarlierRunAreGoneWhenARunFails) {
  const Workshop workshop;
  const std::string run = "run '" + shipped("benchmarks/heavy_top.yaml") +
                          "' -o r.h5 --responses r.json --set analysis.duration=0.01 "
                          "--set 'responses={e: {last: energy.total}}' ";
  EXPECT_EQ(workshop.polhode(run).status, 0);
  EXPECT_NE(content_of(workshop.file("r.json")).find("\"e\": 5435.7"), std::string::npos);
  const std::string first = content_of(workshop.file("r.json"));
  EXPECT_EQ(workshop.polhode(run + "--set bodies.top.mass=-1").status, 2);
  EXPECT_EQ(content_of(workshop.file("r.json")), first) << "nothing is touched before the deck is valid";
  EXPECT_EQ(workshop.polhode(run + "--set analysis.newton.max_iterations=1 --set analysis.newton.halvings=0").status,
            3);
  EXPECT_FALSE(std::filesystem::exists(workshop.file("r.json")));
}

TEST(FaultyStudies, AreRefusedWithTheLinesThatTheyState) {
  const auto studies = faulty_decks("inputs/faulty/studies");
  ASSERT_GT(studies.size(), 3u);
  for (const FaultyDeck& study : studies) {
    ASSERT_FALSE(study.reader_errors.empty()) << study.file;
    const Workshop workshop;
    const Outcome outcome = workshop.polhode("sweep '" + study.file + "'");
    EXPECT_EQ(outcome.status, 2) << study.file;
    EXPECT_EQ(without_file(outcome.err, study.file), study.reader_errors);
    EXPECT_EQ(workshop.names(), std::vector<std::string>{});
  }
}

TEST(Studies, ThatAreShippedAreRead) {
  for (const char* name : {"four_bar_misaligned", "heavy_top_10000", "heavy_top_energy"}) {
    const Outcome outcome =
        Workshop().polhode("sweep '" + shipped("studies/" + std::string(name) + ".yaml") + "' --print-case 3");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(outcome.out.starts_with("format: polhode-deck/1\n"));
  }
}

}  // namespace
}  // namespace polhode::support
