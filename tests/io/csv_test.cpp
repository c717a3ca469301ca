// SPDX-License-Identifier: BSD-3-Clause
// Laws of comma-separated values: what is written reads back, and other programs' tables are understood.
#include "io/csv/csv.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

using namespace polhode::io;

namespace {

using Cells = std::vector<std::string>;

TEST(Csv, CellsReadBackAsTheyWereWritten) {
  const Cells texts = {"plain", "with, comma", "with \"quotes\"", "", "[m/s^2]", "\"", "a\"\"b"};
  CsvLine line;
  for (const std::string& text : texts) line.add(text);
  EXPECT_EQ(csv_cells(line.end()), texts);
}

TEST(Csv, TextIsQuotedOnlyWhereItMustBe) {
  CsvLine line;
  line.add("time [s]");
  line.add("force [N, N m]");
  line.add("say \"x\"");
  line.add("two\nlines");
  EXPECT_EQ(line.end(), "time [s],\"force [N, N m]\",\"say \"\"x\"\"\",\"two\nlines\"\n");
}

TEST(Csv, NumbersLoseNoBit) {
  const std::vector<double> numbers = {0.1,    0.1 + 0.2, -1.0 / 3,
                                       1e-300, 1e300,     std::numeric_limits<double>::denorm_min(),
                                       -0.0,   5,         123456789012345678.0};
  CsvLine line;
  for (const double number : numbers) line.add(number);
  const Cells cells = csv_cells(line.end());
  ASSERT_EQ(cells.size(), numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto read = csv_number(cells[i]);
    ASSERT_TRUE(read) << cells[i];
    EXPECT_EQ(*read, numbers[i]);
    EXPECT_EQ(std::signbit(*read), std::signbit(numbers[i]));
  }
}

TEST(Csv, ALineBeginsAnewAfterItsEnd) {
  CsvLine line;
  line.add(std::int64_t{1});
  line.add(2.5);
  EXPECT_EQ(line.end(), "1,2.5\n");
  line.add_empty();
  line.add("x");
  line.add_empty();
  EXPECT_EQ(line.end(), ",x,\n");
  EXPECT_EQ(line.end(), "\n");
}

TEST(Csv, DelimitersBlanksAndLineEndsOfOtherProgramsAreUnderstood) {
  EXPECT_EQ(csv_cells("t,a"), (Cells{"t", "a"}));
  EXPECT_EQ(csv_cells(" 1 ;2;  3\r", ';'), (Cells{"1", "2", "3"}));
  EXPECT_EQ(csv_cells("0,5;\t10", ';'), (Cells{"0,5", "10"}));
  EXPECT_EQ(csv_cells("1\t2\t\t4", '\t'), (Cells{"1", "2", "", "4"}));
  EXPECT_EQ(csv_cells("\"t\" , \"a [m/s^2]\"\r\n"), (Cells{"t", "a [m/s^2]"}));
  EXPECT_EQ(csv_cells("\"1,5\",2,"), (Cells{"1,5", "2", ""}));
  EXPECT_EQ(csv_cells("\"not closed, ever"), (Cells{"not closed, ever"}));
  EXPECT_EQ(csv_cells(""), Cells{""});
  EXPECT_EQ(csv_cells("\xef\xbb\xbft,a"), (Cells{"t", "a"}));
}

TEST(Csv, ADelimiterIsInAllRows) {
  const auto found = [](const std::string& text) {
    std::istringstream stream(text);
    const CsvDelimiter delimiter = find_delimiter(stream, "x.csv");
    return delimiter.problem.empty() ? std::string(1, delimiter.character) : delimiter.problem;
  };
  EXPECT_EQ(found("t,a\n0,1\n"), ",");
  EXPECT_EQ(found("time, s;force, N\n# a, remark\n\n0,5;10\n"), ";");
  EXPECT_EQ(found("t\ta\n0,5\t10\n"), "\t");
  EXPECT_EQ(found("t,a,\"why; when\"\n0,\t1,none\n"), ",") << "in quotation marks";
  EXPECT_EQ(found(""), ",");
  EXPECT_EQ(
      found("t,a\n\n0;1\n"),
      "row 3 of 'x.csv' has a semicolon, row 1 has none; put the same delimiter between the cells of all rows, and "
      "texts with semicolons in quotation marks");
  EXPECT_EQ(found("0;\t1\n2;\t3\n"), "row 1 of 'x.csv' has semicolons and tabs between cells; remove one of them");
}

TEST(Csv, ACommaIsDecimalWhereItIsNoDelimiter) {
  EXPECT_EQ(csv_number("0,5", ';'), 0.5);
  EXPECT_EQ(csv_number("-1,5e-3", '\t'), -1.5e-3);
  EXPECT_EQ(csv_number("0.5", ';'), 0.5);
  for (const char* text : {"1.000,5", "1,000.5", "1,000,000", ",", "0,5 s"})
    EXPECT_FALSE(csv_number(text, ';')) << text;
}

TEST(Csv, OnlyWholeFiniteNumbersAreNumbers) {
  EXPECT_EQ(csv_number("1e-3"), 1e-3);
  EXPECT_EQ(csv_number("+2"), 2);
  for (const char* text : {"", "t", "1.5 m", "1,5", "nan", "inf", "1e999", "--1", "0x10", "1d3"})
    EXPECT_FALSE(csv_number(text)) << text;
}

TEST(Csv, BlankLinesAndCommentsCountButAreNoRows) {
  std::istringstream text("\xef\xbb\xbf# a comment\n\nt;a\r\n \t\n1;2\r\n#3;4\n5;6");
  CsvReader reader(text, ';');
  Cells cells;
  ASSERT_TRUE(reader.next(cells));
  EXPECT_EQ(cells, (Cells{"t", "a"}));
  EXPECT_EQ(reader.line(), 3);
  ASSERT_TRUE(reader.next(cells));
  EXPECT_EQ(cells, (Cells{"1", "2"}));
  ASSERT_TRUE(reader.next(cells));
  EXPECT_EQ(cells, (Cells{"5", "6"}));
  EXPECT_EQ(reader.line(), 7);
  EXPECT_FALSE(reader.next(cells));
}

}  // namespace
