// SPDX-License-Identifier: BSD-3-Clause
// Rows on disk: the same bits back, and nothing lost or invented wherever the file ends.
#include "polhode/studies/rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "support/program.hpp"

namespace polhode::studies {
namespace {

using support::content_of;

const Identity identity = {{"deck", "12ab"}, {"vary.a", "[1, 2]"}};

Row sample(std::size_t number) {
  Row row;
  row.number = number;
  row.status = number % 2 ? Row::Status::failed : Row::Status::completed;
  row.message = number % 2 ? "worst row: joints.pivot" : "";
  row.steps = 100;
  row.newton_iterations = 301;
  row.cpu = 0.00123;
  row.responses = {1.0 / 3 * static_cast<double>(number), -0.0, std::numeric_limits<double>::quiet_NaN(), 5e-324};
  return row;
}

TEST(Rows, ComeBackToTheLastBit) {
  const Row row = sample(3);
  const std::string line = line_of(row);
  const auto back = row_of(std::string_view(line).substr(0, line.size() - 1));
  ASSERT_TRUE(back);
  EXPECT_EQ(line_of(*back), line);
  EXPECT_EQ(back->responses[0], row.responses[0]);
  EXPECT_TRUE(std::signbit(back->responses[1]));
  EXPECT_TRUE(std::isnan(back->responses[2]));
  EXPECT_EQ(back->responses[3], 5e-324);
  EXPECT_EQ(back->message, row.message);
}

TEST(Rows, AreRefusedWithAnyOneBitWrong) {
  std::string line = line_of(sample(3));
  line.pop_back();
  for (std::size_t i = 0; i < line.size(); ++i) {
    std::string damaged = line;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_FALSE(row_of(damaged)) << i;
    EXPECT_FALSE(row_of(std::string_view(line).substr(0, i))) << i;
  }
}

// Cut at any byte, as a kill or a full disk may: what was whole is there, the rest is added again, and all is as
// before.
TEST(RowsFile, GoesOnFromAnyLength) {
  const test::TemporaryFolder folder;
  const std::string whole = folder.file("whole.rows");
  const std::string cut = folder.file("cut.rows");
  {
    RowsFile file(whole, identity);
    for (std::size_t k = 0; k < 4; ++k) file.append(sample(k));
  }
  const std::string all = content_of(whole);
  EXPECT_EQ(read_rows(whole).rows.size(), 4u);
  EXPECT_EQ(read_rows(whole).identity, identity);
  const std::size_t head = all.find("\nrows\n");
  for (std::size_t length = 0; length <= all.size(); length += length < head ? 9 : 1) {
    std::ofstream(cut, std::ios::binary) << all.substr(0, length);
    {
      RowsFile file(cut, identity);
      ASSERT_EQ(file.opened(), RowsFile::Opened::ready);
      for (std::size_t k = file.before().rows.size(); k < 4; ++k) file.append(sample(k));
    }
    ASSERT_EQ(content_of(cut), all) << length;
  }
}

TEST(RowsFile, SaysWhatHasChangedAndLeavesTheFileAlone) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("a.rows");
  { RowsFile(file, identity).append(sample(0)); }
  const std::string before = content_of(file);
  const Identity other = {{"deck", "13ab"}, {"vary.a", "[1, 3]"}, {"vary.b", "[0]"}};
  const RowsFile changed(file, other);
  EXPECT_EQ(changed.opened(), RowsFile::Opened::changed);
  EXPECT_EQ(differences(changed.before().identity, other),
            (std::vector<std::string>{"the deck (or a file that it names) has changed", "vary.a: was [1, 2], is [1, 3]",
                                      "vary.b: is new"}));
  EXPECT_EQ(content_of(file), before);
  EXPECT_EQ(differences({{"a", "1"}, {"b", "2"}}, {{"b", "2"}, {"a", "1"}}).size(), 1u);
}

}  // namespace
}  // namespace polhode::studies
