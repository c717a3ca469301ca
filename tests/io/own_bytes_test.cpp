// SPDX-License-Identifier: BSD-3-Clause
// How a file is known to be what was written, and how it takes its place: apart from results, on a few bytes.
#include "io/files/own_bytes.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <random>
#include <set>
#include <string>

#include "io/files/part_file.hpp"
#include "io/sample_results.hpp"
#include "polhode/io/digest.hpp"

namespace polhode::io {
namespace {

// A file that is written, and what its writer knows of it.
class KnownBytes : public testing::Test {
 protected:
  static constexpr std::size_t known = 8192;  // bytes at its begin
  KnownBytes() : descriptor_(::open(folder_.file("known").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {}
  ~KnownBytes() override { ::close(descriptor_); }

  void put(std::size_t address, const std::string& text) const {
    ASSERT_EQ(::pwrite(descriptor_, text.data(), text.size(), static_cast<off_t>(address)),
              static_cast<ssize_t>(text.size()));
  }
  void note(std::size_t address, const std::string& text) {
    own.add(address, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  void write(std::size_t address, const std::string& text) {
    put(address, text);
    note(address, text);
  }
  void resize(std::size_t length) const { ASSERT_EQ(::ftruncate(descriptor_, static_cast<off_t>(length)), 0); }
  bool are_there(std::size_t length) const { return own.are_in(descriptor_, length); }

  OwnBytes own;

 private:
  test::TemporaryFolder folder_;
  int descriptor_;
};

TEST_F(KnownBytes, AreFoundAgainWhateverTheOrderAndTheOverlapsOfTheirPieces) {
  std::mt19937 random(1);
  for (int n = 0; n < 60; ++n) {
    const std::size_t address = random() % (known + 500);
    write(address, std::string(1 + random() % 300, static_cast<char>('a' + n % 26)));
  }
  write(known + 1000, "end");
  EXPECT_TRUE(are_there(known + 1003));
}

TEST_F(KnownBytes, GapsAreTheZerosThatTheyAreOnDisk) {
  write(100, "later");
  EXPECT_TRUE(are_there(105));
  put(50, "x");
  EXPECT_FALSE(are_there(105));
  put(50, std::string(1, '\0'));
  EXPECT_TRUE(are_there(105));
}

TEST_F(KnownBytes, AnyByteOfTheBeginCountsAndNoneBehindIt) {
  const std::string text(known + 100, 'a');
  write(0, text);
  for (const std::size_t at : {std::size_t{0}, std::size_t{1}, std::size_t{4095}, std::size_t{4096}, known - 1}) {
    put(at, "b");
    EXPECT_FALSE(are_there(text.size())) << at;
    put(at, "a");
    EXPECT_TRUE(are_there(text.size())) << at;
  }
  put(known, "b");
  EXPECT_TRUE(are_there(text.size())) << "what changes farther on is not seen";
}

TEST_F(KnownBytes, AreGoneWithTheLengthOfTheirFile) {
  for (const std::size_t length : {std::size_t{1}, std::size_t{500}, known, known + 3000}) {
    own = {};
    resize(0);
    write(0, std::string(length, 'a'));
    EXPECT_TRUE(are_there(length));
    resize(length + 1);
    EXPECT_FALSE(are_there(length)) << length;
    resize(length - 1);
    EXPECT_FALSE(are_there(length)) << length;
    resize(0);
    EXPECT_FALSE(are_there(length)) << length;
  }
}

// Cut and filled up again, a file has its length and zeros.
TEST_F(KnownBytes, AFileThatWasFilledUpAgainIsAnother) {
  write(0, std::string(1000, 'a'));
  resize(10);
  resize(1000);
  EXPECT_FALSE(are_there(1000));
}

TEST_F(KnownBytes, WhatCannotBeKnownIsNoLoss) {
  write(0, "abc");
  EXPECT_TRUE(own.are_in(-1, 3)) << "no such descriptor";
  own = {};
  resize(0);
  EXPECT_TRUE(are_there(0)) << "nothing was written";
}

// Published values of FNV-1a.
TEST(Digest, IsThatOfItsAuthors) {
  static_assert(digest("") == 0xcbf29ce484222325u);
  static_assert(digest("a") == 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(digest("foobar"), 0x85944171f73967e8u);
}

TEST(Digest, OfATextWithOneBitOrOneByteChangedIsAnother) {
  const std::string text = "mass: 2\nspeed: 0.5\n";
  std::set<std::uint64_t> all{digest(text)};
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string other = text;
      other[i] = static_cast<char>(static_cast<unsigned char>(other[i]) ^ (1u << bit));
      EXPECT_TRUE(all.insert(digest(other)).second) << "byte " << i << ", bit " << bit;
    }
    EXPECT_TRUE(all.insert(digest(text.substr(0, i))).second) << "torn behind " << i;
  }
  EXPECT_TRUE(all.insert(digest(text + '\0')).second) << "a zero at the end counts";
}

std::string text_in(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}
void write_part(PartFile& part, const std::string& text) {
  std::ofstream(part.temporary()) << text;
  part.made();
}

TEST(PartFile, TakesItsPlaceWhenItIsWholeAndLeavesTheOlderOneUntilThen) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("rows.csv");
  std::ofstream(file) << "older";
  {
    PartFile given_up(file);
    write_part(given_up, "half of");
    EXPECT_EQ(text_in(file), "older");
  }
  EXPECT_EQ(text_in(file), "older") << "a part that is given up";
  PartFile part(file);
  EXPECT_FALSE(std::filesystem::exists(part.temporary())) << "the one before was removed";
  write_part(part, "newer");
  EXPECT_EQ(part.put_in_place(), 0);
  EXPECT_EQ(text_in(file), "newer");
  EXPECT_FALSE(std::filesystem::exists(part.temporary()));
}

TEST(PartFile, ThatNobodyMadeTouchesNothing) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("rows.csv");
  std::ofstream(file + ".polhode-part") << "of another program that was killed";
  {
    const PartFile part(file);
    EXPECT_EQ(part.problem(), 0) << "it may be written over";
  }
  EXPECT_TRUE(std::filesystem::exists(file + ".polhode-part"));
}

TEST(PartFile, ReplacesWhatALinkLeadsToThoughNothingIsThereYet) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("far"));
  std::filesystem::create_symlink("far/rows.csv", folder.file("near.csv"));
  PartFile part(folder.file("near.csv"));
  EXPECT_EQ(part.target(), folder.file("far/rows.csv"));
  write_part(part, "text");
  EXPECT_EQ(part.put_in_place(), 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("near.csv")));
  EXPECT_EQ(text_in(folder.file("far/rows.csv")), "text");
}

TEST(PartFile, FoldersAndDevicesAreNotReplaced) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(PartFile(folder.file("")).problem(), EISDIR);
  EXPECT_FALSE(PartFile(folder.file("")).is_special());
  EXPECT_TRUE(PartFile("/dev/null").is_special());
  EXPECT_EQ(PartFile("/dev/null").problem(), EINVAL);
  EXPECT_EQ(PartFile(folder.file("none.csv")).problem(), 0);
  std::filesystem::create_directory(folder.file("rows.csv.polhode-part"));
  EXPECT_EQ(PartFile(folder.file("rows.csv")).problem(), EEXIST);
}

// Of the longest names that a folder takes, each has its own.
TEST(PartFile, LongNamesHaveTemporaryNamesOfTheirOwnThatTheFolderTakes) {
  const test::TemporaryFolder folder;
  std::set<std::string> names;
  for (const char last : {'a', 'b', 'c'}) {
    const std::string file = folder.file(std::string(254, 'x') + last);
    PartFile part(file);
    EXPECT_TRUE(names.insert(part.temporary()).second);
    EXPECT_EQ(PartFile(file).temporary(), part.temporary()) << "the same in each run";
    write_part(part, "text");
    EXPECT_EQ(part.put_in_place(), 0) << last;
    EXPECT_EQ(text_in(file), "text");
  }
}

}  // namespace
}  // namespace polhode::io
