// SPDX-License-Identifier: BSD-3-Clause
// Results that others change in place while they are written, which polhode's own HDF5 file driver sees.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "append_rows.hpp"

using namespace polhode;

namespace {

using test::append_rows;

// Without a rename: the file is the same one, and others have written into it.
class ChangedInPlace : public testing::Test {
 protected:
  void SetUp() override {
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

}  // namespace
