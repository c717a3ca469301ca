// SPDX-License-Identifier: BSD-3-Clause
// Texts that are read whole, and what is refused because it has no end.
#include "io/files/read_whole.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "polhode/io/deck/deck.hpp"
#include "sample_results.hpp"

using namespace polhode;

namespace {

// A pipe that holds a text and is closed at the other end, by a name that can be opened.
class FilledPipe {
 public:
  explicit FilledPipe(const std::string& text) {
    if (pipe(ends_) != 0) throw std::runtime_error("no pipe");
    const ssize_t put = write(ends_[1], text.data(), text.size());
    close(ends_[1]);
    if (put != static_cast<ssize_t>(text.size())) throw std::runtime_error("the pipe is too short");
  }
  ~FilledPipe() { close(ends_[0]); }
  FilledPipe(const FilledPipe&) = delete;
  FilledPipe& operator=(const FilledPipe&) = delete;
  std::string name() const { return "/proc/self/fd/" + std::to_string(ends_[0]); }

 private:
  int ends_[2] = {-1, -1};
};

TEST(ReadWhole, GivesTheBytesOfFilesAndPipes) {
  const test::TemporaryFolder folder;
  for (const std::size_t size : {0u, 1u, 50000u}) {
    std::string text(size, 'x');
    if (size > 1) text[size / 2] = '\0';
    std::ofstream(folder.file("text"), std::ios::binary) << text;
    EXPECT_EQ(io::read_whole(folder.file("text")).text, text);
    EXPECT_EQ(io::read_whole(FilledPipe(text).name()).text, text);
  }
  EXPECT_FALSE(io::read_whole("/proc/self/status").text.empty()) << "its length is said to be 0";
}

TEST(ReadWhole, SaysWhyAFileCannotBeRead) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(io::read_whole(folder.file("none")).error, ENOENT);
  EXPECT_EQ(io::read_whole(folder.file("")).error, EISDIR);
}

TEST(ReadWhole, RefusesDevicesAlsoBehindLinks) {
  const test::TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/zero", folder.file("link"));
  for (const std::string& file : {std::string("/dev/zero"), folder.file("link")}) {
    const io::WholeText whole = io::read_whole(file);
    EXPECT_EQ(whole.error, 0);
    EXPECT_EQ(whole.refusal, "is a device, which may have no end; name a regular file or a pipe");
  }
}

TEST(ReadWhole, ReadsUpToALimitAndNoFurther) {
  const test::TemporaryFolder folder;
  const std::string text(2000, 'x');
  std::ofstream(folder.file("text")) << text;
  EXPECT_EQ(io::read_whole(folder.file("text"), 2000).text, text);
  EXPECT_EQ(io::read_whole(FilledPipe(text).name(), 2000).text, text);
  const std::string said = "is longer than the 0.001999 MB that are read at most; name another file, or a part of it";
  EXPECT_EQ(io::read_whole(folder.file("text"), 1999).refusal, said);
  EXPECT_EQ(io::read_whole(FilledPipe(text).name(), 1999).refusal, said);
  EXPECT_EQ(io::read_whole(FilledPipe(text).name(), 1999).text, "");
  // A file with a hole, which takes no room: refused by its length, unread.
  std::ofstream(folder.file("hole")).close();
  std::filesystem::resize_file(folder.file("hole"), 2'000'000'000);
  EXPECT_EQ(io::read_whole(folder.file("hole")).refusal,
            "is longer than the 1000 MB that are read at most; name another file, or a part of it");
}

TEST(ReadDeck, RefusesWhatHasNoEndAsNoDeck) {
  try {
    io::read_deck("/dev/zero");
    FAIL() << "was read";
  } catch (const io::DeckError& error) {
    EXPECT_STREQ(error.what(), "/dev/zero: is a device, which may have no end; name a regular file or a pipe");
  }
}

}  // namespace
