// SPDX-License-Identifier: BSD-3-Clause
// What becomes of results whose place is taken by others, or for which there is no memory.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <new>

#include "polhode/io/hdf5/results.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "polhode/io/version.hpp"
#include "sample_results.hpp"

using namespace polhode;

namespace {

void append_rows(io::ResultsFile& results, std::size_t rows) {
  std::vector<double> state(test::make_layout().state_size);
  for (std::size_t row = 0; row < rows; ++row) {
    test::fill_row(state, row);
    results.append_state(state);
  }
}

TEST(Results, TakeThePlaceOfTheFileBehindALink) {
  const test::TemporaryFolder folder;
  std::filesystem::create_symlink("run.h5", folder.file("link.h5"));
  for (const std::size_t rows : {5u, 6u}) {
    io::ResultsFile results(folder.file("link.h5"), {"title", "deck", {}}, test::make_layout());
    append_rows(results, rows);
  }
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link.h5")));
  EXPECT_EQ(io::ResultsReader(folder.file("run.h5")).numbers("/time").size(), 6u);
}

TEST(Results, ThatAreGoneAreAnErrorOfTheNextFlush) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("run.h5");
  const auto message_after = [&](const auto& change) -> std::string {
    io::ResultsFile results(file, {"title", "deck", {}}, test::make_layout());
    results.flush();
    change();
    try {
      results.finish(io::Status::completed, "log");
    } catch (const io::ResultsError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message_after([] {}), "no error");
  EXPECT_EQ(message_after([&] { std::filesystem::remove(file); }),
            file + ": was removed while it was written; its results are lost");
  EXPECT_EQ(message_after([&] {
              std::ofstream(folder.file("other")) << "other";
              std::filesystem::rename(folder.file("other"), file);
            }),
            file + ": was replaced by another file while it was written; its results are lost");
  EXPECT_EQ(message_after([&] { std::filesystem::rename(file, folder.file("moved.h5")); }),
            file + ": was moved while it was written; what was computed is in the file that was moved");
  EXPECT_EQ(io::ResultsReader(folder.file("moved.h5")).attribute("status"), "completed");
}

// Without a rename: the file is the same one, and others have written into it.
class ChangedInPlace : public testing::Test {
 protected:
  void SetUp() override {
    if (io::hdf5_version().find("plain file driver") != std::string::npos) GTEST_SKIP() << "needs the ordered driver";
    io::ResultsFile older(other_, {"older", "deck", {}}, test::make_layout());
    append_rows(older, 700);
  }
  // What a run says that appends rows to its results, which `change` has changed behind a flush.
  std::string message_after(const std::function<void()>& change, std::size_t rows) const {
    io::ResultsFile results(file_, {"title", "deck", {}}, test::make_layout());
    append_rows(results, 700);
    results.flush();
    change();
    try {
      append_rows(results, rows);
      results.finish(io::Status::completed, "log");
    } catch (const io::ResultsError& error) {
      return error.what();
    }
    return "no error";
  }
  void write_into(const std::string& text) const { std::ofstream(file_, std::ios::binary) << text; }
  static std::string bytes_of(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  test::TemporaryFolder folder_;
  const std::string file_ = folder_.file("run.h5");
  const std::string other_ = folder_.file("other.h5");
  const std::string said_ =
      file_ + ": was truncated or overwritten by another program while it was written; its results are lost";
};

TEST_F(ChangedInPlace, ResultsThatAreTruncatedAreAnError) {
  EXPECT_EQ(message_after([] {}, 10), "no error");
  // A few rows wait until the end; many are written before the next flush, and fill the file up again.
  for (const std::size_t rows : {10u, 20000u})
    for (const std::uintmax_t size : {0u, 100u, 9000u})
      EXPECT_EQ(message_after([&] { std::filesystem::resize_file(file_, size); }, rows), said_) << size << ' ' << rows;
  EXPECT_EQ(message_after([&] { std::filesystem::resize_file(file_, std::filesystem::file_size(file_) - 1); }, 10),
            said_);
}

TEST_F(ChangedInPlace, ResultsThatAreOverwrittenAreAnErrorAndTheOtherFileStays) {
  const std::string older = bytes_of(other_);
  EXPECT_EQ(message_after([&] { write_into(older); }, 10), said_);
  EXPECT_EQ(bytes_of(file_), older) << "is not written into";
  EXPECT_EQ(message_after([&] { write_into("short"); }, 10), said_);
  EXPECT_EQ(bytes_of(file_), "short");
  // Of the same length, and alike but for the time or the title at its begin.
  const auto overwrite = [&] {
    std::string other = bytes_of(file_);
    const std::size_t title = other.find("title", 4096);
    ASSERT_NE(title, std::string::npos);
    other.replace(title, 5, "other");
    write_into(other);
  };
  EXPECT_EQ(message_after(overwrite, 10), said_);
}

TEST_F(ChangedInPlace, ResultsThatGrowByOthersAreAnError) {
  const auto append = [&] { std::ofstream(file_, std::ios::binary | std::ios::app) << "more"; };
  EXPECT_EQ(message_after(append, 10), said_);
}

TEST(Results, MayHaveTheLongestNameThatTheirPictureCanHave) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file(std::string(250, 'x') + ".h5");
  { const io::ResultsFile results(file, {"A title", "deck", {}}, test::make_layout()); }
  EXPECT_EQ(io::ResultsReader(file).attribute("title"), "A title");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.file("")), {}), 2) << "results and picture";
}

// Pages of virtual memory, read without any memory.
long pages_in_use() {
  std::array<char, 64> text{};
  const int file = open("/proc/self/statm", O_RDONLY);
  const auto length = read(file, text.data(), text.size() - 1);
  close(file);
  return length > 0 ? std::atol(text.data()) : 0;
}

// Takes all memory that there is, in pieces that get smaller and smaller.
void exhaust_memory() {
  const long pages = pages_in_use();
  const auto used = static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
  const rlimit limit{used, used};
  setrlimit(RLIMIT_AS, &limit);
  for (std::size_t size = 1 << 20; size >= 16; size /= 2)
    while (void* volatile piece = std::malloc(size)) (void)piece;
}

// Within limits of the sanitizers' own memory nothing of this holds.
#ifndef __SANITIZE_ADDRESS__
TEST(Results, AreClosedWhereThereIsNoMemoryLeft) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("run.h5");
  const pid_t child = fork();
  if (child == 0) {
    const results::Layout layout = test::make_layout();
    auto results = std::make_unique<io::ResultsFile>(
        file, io::RunInfo{"title", "format: polhode-deck/1\n", {{"peak", "N", "largest"}}}, layout);
    append_rows(*results, 20);
    results->flush();
    append_rows(*results, 30);
    exhaust_memory();
    results.reset();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(io::ResultsReader(file).numbers("/time").size(), 50u);
}

TEST(Results, ThatCannotGrowForWantOfMemoryAreAnErrorAndKeepWhatWasFlushed) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("run.h5");
  const pid_t child = fork();
  if (child == 0) {
    const results::Layout layout = test::make_layout();
    auto results = std::make_unique<io::ResultsFile>(
        file, io::RunInfo{"title", "format: polhode-deck/1\n", {{"peak", "N", "largest"}}}, layout);
    append_rows(*results, 50);
    results->flush();
    exhaust_memory();
    int code = 41;
    try {
      results->flush();
      exhaust_memory();
      results->flush();
    } catch (const io::ResultsError&) {
      code = 42;
    } catch (const std::bad_alloc&) {
      code = 43;
    }
    results.reset();
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_NE(WEXITSTATUS(status), 43);
  const io::ResultsReader reader(file);
  EXPECT_EQ(reader.numbers("/time").size(), 50u);
}
#endif

}  // namespace
