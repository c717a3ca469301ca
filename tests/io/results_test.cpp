// SPDX-License-Identifier: BSD-3-Clause
// Laws of the results file: its structure, and that it can be read wherever its writer is stopped.
#include "polhode/io/hdf5/results.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>

#include "cut_writes.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "sample_results.hpp"

using namespace polhode;

namespace {

// What a child process tells about itself before it dies.
struct Report {
  std::atomic<std::size_t> created;
  std::atomic<std::size_t> flushed_states;
  std::atomic<std::size_t> flushed_steps;
};

class SharedReport {
 public:
  SharedReport()
      : memory_(mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)),
        report_(new (memory_) Report{}) {}
  ~SharedReport() { munmap(memory_, sizeof(Report)); }
  SharedReport(const SharedReport&) = delete;
  SharedReport& operator=(const SharedReport&) = delete;
  Report* operator->() { return report_; }

 private:
  void* memory_;
  Report* report_;
};

// A process that writes, and stops where its writes are cut.
class Writer {
 public:
  // Calls write() in it, with cuts of its own.
  template <class Write>
  explicit Writer(const Write& write) : process_(fork()) {
    if (process_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    write();
    _exit(0);
  }
  ~Writer() {
    if (process_ < 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // False if it has ended, which is expected to be by itself.
  bool runs_to_a_cut() {
    if (stopped_) kill(process_, SIGCONT);
    int status = 0;
    waitpid(process_, &status, WUNTRACED);
    stopped_ = WIFSTOPPED(status);
    if (stopped_) return true;
    process_ = -1;
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return false;
  }

 private:
  pid_t process_;
  bool stopped_ = false;
};

// What is written: the sample of so many nodes, or another layout.
struct Written {
  Written(int nodes) : layout(test::make_layout(nodes)) {}
  Written(results::Layout other) : layout(std::move(other)) {}
  results::Layout layout;
};

// `one_of`: the process stops in one of so many of its writes, from the first row on; 0: in none.
void write_rows(const std::string& file, const Written& written, std::size_t rows, std::size_t rows_a_flush,
                SharedReport& report, double expected = 0, bool known = false, unsigned one_of = 0) {
  const results::Layout& layout = written.layout;
  std::vector<double> state(layout.state_size);
  std::vector<double> step(layout.step_size);
  io::RunInfo info{"title", "format: polhode-deck/1\n", {{"peak", "N", "largest"}}, expected, expected};
  info.states_are_known = info.steps_are_known = known;
  io::ResultsFile results(file, info, layout);
  report->created = 1;
  if (one_of > 0) cuts.stop(one_of);
  for (std::size_t row = 0; row < rows; ++row) {
    test::fill_row(state, row);
    test::fill_row(step, row);
    results.append_state(state);
    if (!step.empty()) results.append_step(step);
    if ((row + 1) % rows_a_flush == 0) {
      results.flush();
      report->flushed_steps = report->flushed_states = row + 1;
    }
  }
  results.set_response("peak", 1.5);
  results.finish(io::Status::completed, "log");
  report->flushed_steps = report->flushed_states = rows;
}

// Every history opens, is at least as long as what was flushed, and holds what was written.
void expect_readable(const std::string& file, const Written& written, std::size_t flushed) {
  const results::Layout& layout = written.layout;
  const io::ResultsReader reader(file);
  EXPECT_EQ(reader.attribute("format"), "polhode-results/2");
  EXPECT_TRUE(reader.attribute("status") == "running" || reader.attribute("status") == "completed");
  EXPECT_TRUE(reader.text("/log").empty() || reader.text("/log") == "log");
  const double peak = reader.numbers("/responses/peak").at(0);
  EXPECT_TRUE(std::isnan(peak) || peak == 1.5);
  EXPECT_EQ(reader.text("/deck"), "format: polhode-deck/1\n");
  const std::size_t states = reader.numbers("/time").size();
  EXPECT_GE(states, flushed);
  if (layout.step_size > 0) {
    EXPECT_GE(reader.numbers("/solver/time").size(), flushed);
  }
  for (const results::Channel& channel : layout.states) {
    const std::vector<double> numbers = reader.numbers(channel.path);
    std::size_t size = 1;
    for (const int n : channel.shape) size *= static_cast<std::size_t>(n);
    ASSERT_GE(numbers.size(), states * size) << channel.path;
    // Millions of numbers: an assertion for each would take most of the time.
    for (std::size_t i = 0; i < states * size; ++i)
      if (const double sample = test::sample(i / size, channel.offset + i % size); numbers[i] != sample)
        FAIL() << channel.path << " row " << i / size << ": " << numbers[i] << " for " << sample;
  }
}

TEST(Results, HoldTheContractsAttributesAndValues) {
  const test::TemporaryFolder folder;
  SharedReport report;
  write_rows(folder.file("run.h5"), 3, 100, 1000, report);
  expect_readable(folder.file("run.h5"), 3, 100);
  const io::ResultsReader reader(folder.file("run.h5"));
  EXPECT_EQ(reader.attribute("title"), "title");
  EXPECT_EQ(reader.attribute("status"), "completed");
  EXPECT_EQ(reader.attribute("created").size(), std::strlen("2020-01-01T00:00:00Z"));
  EXPECT_FALSE(reader.attribute("polhode_version").empty());
  EXPECT_EQ(reader.text("/log"), "log");
  EXPECT_EQ(reader.numbers("/responses/peak"), std::vector<double>{1.5});
  EXPECT_EQ(reader.texts("/nodes/names"), (std::vector<std::string>{"tip", "arm.1", "arm.2"}));
  EXPECT_EQ(reader.numbers("/beams/arm/nodes"), (std::vector<double>{0, 1, 2}));
  for (const io::Dataset& dataset : reader.datasets()) EXPECT_FALSE(dataset.description.empty()) << dataset.path;
  const io::Dataset position = reader.dataset("/nodes/position");
  EXPECT_EQ(position.units, "m");
  EXPECT_EQ(position.frame, "inertial");
  EXPECT_EQ(position.shape, (std::vector<std::size_t>{100, 3, 3}));
  EXPECT_TRUE(position.history);
}

TEST(Results, AreCompleteInStructureBeforeTheFirstRow) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("run.h5");
  if (const pid_t child = fork(); child == 0) {
    const io::ResultsFile results(file, {"title", "format: polhode-deck/1\n", {{"peak", "N", "largest"}}},
                                  test::make_layout());
    _exit(0);
  } else {
    waitpid(child, nullptr, 0);
  }
  expect_readable(file, 3, 0);
  const io::ResultsReader reader(file);
  EXPECT_EQ(reader.attribute("status"), "running");
  EXPECT_EQ(reader.numbers("/time").size(), 0u);
  EXPECT_TRUE(std::isnan(reader.numbers("/responses/peak").at(0)));
  EXPECT_TRUE(std::filesystem::exists(folder.file("run.xdmf")));
}

TEST(Results, AreFlushedOnceASecondWithoutBeingAsked) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("run.h5");
  if (const pid_t child = fork(); child == 0) {
    const results::Layout layout = test::make_layout();
    std::vector<double> state(layout.state_size);
    std::vector<double> step(layout.step_size);
    io::ResultsFile results(file, {"title", "format: polhode-deck/1\n", {{"peak", "N", "largest"}}}, layout);
    for (std::size_t row = 0; row < 12; ++row) {
      usleep(100'000);
      test::fill_row(state, row);
      results.append_step(step);
      results.append_state(state);
    }
    _exit(0);
  } else {
    waitpid(child, nullptr, 0);
  }
  expect_readable(file, 3, 8);
}

// Stops the writer in the middle of its writes: no write may leave the file in a state that cannot be read. 20 nodes
// make chunks of 34 rows and less: 4500 rows give 132 of them and more; one index node holds 64.
void cut_writes(const Written& written, std::size_t rows, std::size_t rows_a_flush, unsigned one_of, long least_cuts) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("run.h5");
  SharedReport report;
  Writer writer([&] { write_rows(file, written, rows, rows_a_flush, report, 0, false, one_of); });
  long count = 0;
  while (writer.runs_to_a_cut()) {
    ++count;
    SCOPED_TRACE("cut " + std::to_string(count));
    ASSERT_NO_THROW(expect_readable(file, written, report->flushed_states));
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(count, least_cuts);  // else this has tested nothing
  expect_readable(file, written, rows);
}

TEST(Results, CanBeReadWhereverAWriteIsCut) { cut_writes(3, 20, 10, 1, 20); }
TEST(Results, CanBeReadWhereverAWriteIsCutWithDataByName) { cut_writes(test::make_shared_layout(40), 20, 10, 1, 15); }
TEST(Results, CanBeReadWhereverAWriteIsCutInALongRun) { cut_writes(20, 4500, 300, 29, 25); }

// Rows of one wide channel, a chunk each, and of the times. An index of chunks has 64 entries a node: 3700 chunks and
// more need three levels. `after_row` is called after each row.
template <class AfterRow>
void write_wide_rows(const std::string& file, std::size_t rows, const AfterRow& after_row) {
  results::Layout layout;
  test::add_channel(layout.states, layout.state_size, {"/time", {}, "s", "", "times"});
  test::add_channel(layout.states, layout.state_size, {"/wide", {2100}, "1", "", "a chunk a row"});
  std::vector<double> state(layout.state_size);
  io::ResultsFile results(file, {"title", "deck", {}}, layout);
  for (std::size_t row = 0; row < rows; ++row) {
    test::fill_row(state, row);
    results.append_state(state);
    if (row % 10 == 9) results.flush();
    after_row(row);
  }
}

TEST(Results, CanBeReadWhereverAWriteIsCutWhenTheIndexGrowsByALevel) {
  constexpr std::size_t from = 3600;
  constexpr std::size_t rows = 3900;
  const test::TemporaryFolder folder;
  const std::string file = folder.file("run.h5");
  SharedReport report;
  Writer writer([&] {
    write_wide_rows(file, rows, [&](std::size_t row) {
      if (row % 10 == 9) report->flushed_states = row + 1;
      if (row == from) cuts.stop(45);
    });
  });
  int count = 0;
  while (writer.runs_to_a_cut()) {
    ++count;
    SCOPED_TRACE("cut " + std::to_string(count));
    const io::ResultsReader reader(file);
    const std::size_t states = reader.numbers("/time").size();
    ASSERT_GE(states, report->flushed_states);
    for (std::size_t row = 0; row < states; row += row < from - 100 ? 50 : 1)
      ASSERT_EQ(reader.numbers("/wide", row, 1)[2099], test::sample(row, 2100)) << "row " << row;
  }
  EXPECT_GT(count, 10);  // of 300 writes and more
}

TEST(Results, CanBeReadAfterAKillAtAnyMoment) {
  constexpr int nodes = 20;
  std::mt19937 random(11);
  const test::TemporaryFolder folder;
  for (int trial = 0; trial < 20; ++trial) {
    SharedReport report;
    const std::string file = folder.file("run.h5");
    std::filesystem::remove(file);
    const pid_t child = fork();
    if (child == 0) {
      write_rows(file, nodes, 20000, 1 + static_cast<std::size_t>(5 * trial / 2), report, trial % 2 == 0 ? 20000 : 0);
      _exit(0);
    }
    while (!report->created) usleep(100);
    usleep(static_cast<useconds_t>(random() % 40'000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    SCOPED_TRACE("trial " + std::to_string(trial));
    ASSERT_NO_THROW(expect_readable(file, nodes, report->flushed_states));
    if (testing::Test::HasFailure()) return;
  }
}

// Ends the writer at each of its writes before the file is in its place.
TEST(Results, KilledWhileTheyAreMadeLeaveTheOlderOnesAndBlockNothing) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("run.h5");
  SharedReport older;
  write_rows(file, 3, 5, 1000, older);
  long cut = 0;
  for (bool made = false; !made; ++cut) {
    SharedReport report;
    const pid_t child = fork();
    if (child == 0) {
      cuts.writes = cut;
      write_rows(file, 3, 20, 10, report);
      _exit(1);
    }
    waitpid(child, nullptr, 0);
    made = report->created != 0;
    if (!made) {
      ASSERT_EQ(io::ResultsReader(file).attribute("status"), "completed") << cut;
      ASSERT_EQ(io::ResultsReader(file).numbers("/time").size(), 5u) << cut;
    }
  }
  EXPECT_GT(cut, 2);  // else this has tested nothing
  std::filesystem::remove(file);
  std::ofstream(file + ".polhode-part") << "what a kill has left";
  SharedReport again;
  write_rows(file, 3, 5, 1000, again);
  expect_readable(file, 3, 5);
  EXPECT_FALSE(std::filesystem::exists(file + ".polhode-part"));
}

TEST(Results, KeepWhatWasFlushedWhenTheDiskIsFull) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("run.h5");
  SharedReport report;
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{300'000, 300'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      write_rows(file, 20, 20000, 10, report);
    } catch (const io::ResultsError& error) {
      const std::string message = error.what();
      _exit(message == file + ": cannot be written: File too large" ? 42 : 43);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 42);
  EXPECT_GT(report->flushed_states, 20u);
  expect_readable(file, 20, report->flushed_states);
}

TEST(Results, NameTheFileAndTheReasonOfAnError) {
  const test::TemporaryFolder folder;
  const auto message = [&](const std::string& file) -> std::string {
    try {
      const io::ResultsFile results(file, {"", "", {}}, test::make_layout());
    } catch (const io::ResultsError& error) {
      return error.what();
    }
    return "no error";
  };
  testing::internal::CaptureStderr();
  EXPECT_EQ(message("/no/such/folder/run.h5"), "/no/such/folder/run.h5: cannot be written: No such file or directory");
  EXPECT_EQ(message(folder.file("")), folder.file("") + ": cannot be written: Is a directory");
  const io::ResultsFile open(folder.file("run.h5"), {"", "", {}}, test::make_layout());
  EXPECT_EQ(message(folder.file("run.h5")),
            folder.file("run.h5") + ": cannot be written: another program is writing or reading it");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Results, CanBeReadWhileTheyAreWritten) {
  const test::TemporaryFolder folder;
  const results::Layout layout = test::make_layout();
  std::vector<double> state(layout.state_size);
  io::ResultsFile results(folder.file("run.h5"), {"title", "format: polhode-deck/1\n", {{"peak", "N", "largest"}}},
                          layout);
  for (std::size_t row = 0; row < 30; ++row) {
    test::fill_row(state, row);
    results.append_state(state);
  }
  results.flush();
  std::ifstream copy_from(folder.file("run.h5"), std::ios::binary);
  std::ofstream(folder.file("copy.h5"), std::ios::binary) << copy_from.rdbuf();
  EXPECT_EQ(io::ResultsReader(folder.file("copy.h5")).numbers("/time").size(), 30u);
  EXPECT_EQ(io::ResultsReader(folder.file("run.h5")).numbers("/time").size(), 30u);
}

TEST(Results, OfAShortRunAreSmall) {
  const test::TemporaryFolder folder;
  SharedReport report;
  write_rows(folder.file("run.h5"), 3, 10, 1000, report);
  EXPECT_LT(std::filesystem::file_size(folder.file("run.h5")), 200'000u);
}

// Chunks hold as many states as are expected, up to 128 kB; one state more needs chunks of its own.
TEST(Results, AreNoLargerThanTheStatesThatAreExpected) {
  const test::TemporaryFolder folder;
  const auto size_of = [&](std::size_t rows, double expected) {
    SharedReport report;
    write_rows(folder.file("run.h5"), 100, rows, 1000, report, expected);
    return static_cast<double>(std::filesystem::file_size(folder.file("run.h5")));
  };
  const double state = 8 * (10 * 100 + 6 * 99);
  const double few = size_of(20, 20);
  const double rest = few - 20 * state;
  EXPECT_LT(rest, 150'000);
  EXPECT_NEAR(size_of(1, 20), few, 5000);
  EXPECT_GT(size_of(21, 20), few + 15 * state);
  // Of so long a run each of the eleven histories begins with the longest chunk: its index then stays small in memory.
  EXPECT_LT(size_of(1, 1e9), 11 * 128 * 1024 + rest + 5000);
}

// Where the number of states is known, blocks are made for these, short rows included.
TEST(Results, OfAKnownNumberOfStatesHaveBlocksForNoMore) {
  const test::TemporaryFolder folder;
  const auto size_of = [&](std::size_t rows, double expected, bool known) {
    SharedReport report;
    write_rows(folder.file("run.h5"), 3, rows, 1000, report, expected, known);
    expect_readable(folder.file("run.h5"), 3, rows);
    return static_cast<double>(std::filesystem::file_size(folder.file("run.h5")));
  };
  EXPECT_LT(size_of(2, 2, true), size_of(2, 2, false) - 100'000);
  EXPECT_LT(size_of(60, 2, true), 300'000) << "more than were known";
  EXPECT_LT(size_of(2000, 2000, true), 3 * 2000 * 8 * 61) << "of long histories";
}

TEST(Results, GoToFilesAlone) {
  EXPECT_THROW(io::ResultsFile("/dev/null", {"", "", {}, 0}, test::make_layout()), io::ResultsError);
  EXPECT_FALSE(std::filesystem::exists("/dev/null.xdmf"));
}

TEST(Xdmf, NamesEveryTimeAndOnlyDataThatIsThere) {
  const test::TemporaryFolder folder;
  SharedReport report;
  write_rows(folder.file("run & more.h5"), 3, 7, 1000, report);
  std::ifstream stream(folder.file("run & more.xdmf"));
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  std::size_t times = 0;
  for (std::size_t at = text.find("<Time Value="); at != std::string::npos; at = text.find("<Time Value=", at + 1))
    ++times;
  EXPECT_EQ(times, 7u);
  EXPECT_NE(text.find("run &amp; more.h5:/nodes/position"), std::string::npos);
  EXPECT_NE(text.find("run &amp; more.h5:/beams/arm/nodes"), std::string::npos);
  EXPECT_NE(text.find("Dimensions=\"7 3 3\""), std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.end(), '<'), std::count(text.begin(), text.end(), '>'));
}

// A thousand pictures at most, each with its own index into the histories and its own time.
TEST(Xdmf, PointsToTheStateOfEachTime) {
  const test::TemporaryFolder folder;
  SharedReport report;
  write_rows(folder.file("run.h5"), 3, 2500, 1000, report);
  const std::vector<double> times = io::ResultsReader(folder.file("run.h5")).numbers("/time");
  std::ifstream stream(folder.file("run.xdmf"));
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(text.find('\1'), std::string::npos);
  std::vector<std::size_t> states;
  for (std::size_t k = 0; k < 2500; k += 3) states.push_back(k);
  if (states.back() != 2499) states.push_back(2499);
  const std::string value = "<Time Value=\"";
  std::size_t at = text.find(value);
  for (const std::size_t k : states) {
    ASSERT_NE(at, std::string::npos) << k;
    EXPECT_EQ(std::stod(text.substr(at + value.size())), times[k]);
    const std::size_t next = text.find(value, at + 1);
    const std::string picture = text.substr(at, next - at);
    for (const char* first : {" 0 0 1 1 1 1 3 3<", " 0 1 1 1 1 1 3 3<"})
      EXPECT_NE(picture.find('>' + std::to_string(k) + first), std::string::npos) << k << first;
    at = next;
  }
  EXPECT_EQ(at, std::string::npos);
}

}  // namespace
