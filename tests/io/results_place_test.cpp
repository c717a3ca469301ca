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
#include <iterator>
#include <memory>
#include <new>

#include "append_rows.hpp"
#include "polhode/io/hdf5/results_reader.hpp"

using namespace polhode;

namespace {

using test::append_rows;

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
