// SPDX-License-Identifier: BSD-3-Clause
// Laws of functions of time in columns of a CSV file: the columns meant are read, or the deck is refused.
#include <gtest/gtest.h>

#include "tests/support/deck_text.hpp"

namespace polhode::io {
namespace {

// A deck beside a table `samples.csv`, which it names with these columns.
class SampleColumnsDeck {
 public:
  SampleColumnsDeck(const std::string& text, const std::string& columns) : table_("samples.csv", text) {
    folder_ = table_.path.substr(0, table_.path.rfind('/') + 1);
    std::ofstream(folder_ + "deck.yaml")
        << "format: polhode-deck/1\nnodes: {a: {position: [0, 0, 0]}}\n"
           "forces:\n  f: {type: load, node: a, force: [1, 0, 0], history: {file: samples.csv, columns: "
        << columns << "}}\nanalysis: {type: transient, duration: 1, step: 0.1}\n";
  }

  // The table becomes a link.
  void link_table_to(const std::string& file) const {
    std::filesystem::remove(table_.path);
    std::filesystem::create_symlink(file, table_.path);
  }

  double value(double t) const {
    return read_deck(folder_ + "deck.yaml").model.entries.back().function("history")(t).value;
  }

  // Without the name of the file and the place in it.
  std::string refusal() const {
    try {
      read_deck(folder_ + "deck.yaml");
    } catch (const DeckError& error) {
      const std::string text = error.what();
      return text.substr(text.find("forces.f.history") + 17);
    }
    return "";
  }

 private:
  support::TemporaryFile table_;
  std::string folder_;
};

double sample_at(double t, const std::string& text, const std::string& columns) {
  return SampleColumnsDeck(text, columns).value(t);
}

std::string sample_refusal(const std::string& text, const std::string& columns) {
  return SampleColumnsDeck(text, columns).refusal();
}

// Heads and empty lines count, as in an editor and in all other messages.
TEST(SampleColumns, TimesThatDoNotAscendAreNamedByTheRowsOfTheFile) {
  const std::string message = "file: times must ascend strictly: row ";
  EXPECT_EQ(sample_refusal("t,a\n0,0\n1,2\n1,3\n", "[t, a]"), message + "4 of 'samples.csv' does not come after row 3");
  EXPECT_EQ(sample_refusal("0,0\n1,2\n0.5,3\n", "[1, 2]"), message + "3 of 'samples.csv' does not come after row 2");
  EXPECT_EQ(sample_refusal("t,a\n0,0\n\n1,2\n-1,3\n", "[t, a]"),
            message + "5 of 'samples.csv' does not come after row 4");
}

TEST(SampleColumns, ATableWithoutEndIsRefused) {
  const SampleColumnsDeck deck("t,a\n0,0\n1,2\n", "[t, a]");
  deck.link_table_to("/dev/zero");
  EXPECT_EQ(deck.refusal(), "file: 'samples.csv' is a device, which may have no end; name a regular file or a pipe");
  deck.link_table_to("none.csv");
  EXPECT_EQ(deck.refusal(), "file: cannot read 'samples.csv' beside the deck");
}

TEST(SampleColumns, NumbersCountColumnsFromOne) {
  EXPECT_EQ(sample_at(1, "t,b,a\n0,9,1\n1,9,5\n", "[1, 3]"), 5);
  EXPECT_EQ(sample_at(1, "0,9,1\n1,9,5\n", "[1, 3]"), 5);
}

TEST(SampleColumns, NumbersAreNotLookedUpAmongTheCellsOfTheFirstRow) {
  EXPECT_EQ(sample_at(0, "0,7,2\n1,8,1\n", "[1, 2]"), 7) << "the third cell is 2";
  EXPECT_EQ(sample_at(1, "0,7,2\n1,8,1\n", "['1', '2']"), 8);
  EXPECT_EQ(sample_at(3, "2,1\n3,4\n", "[1, 2]"), 4) << "1 and 2 stand in the first row, exchanged";
  EXPECT_EQ(sample_at(1, "t,2,1\n0,3,4\n1,5,6\n", "[1, 2]"), 5) << "heads that are numbers";
}

TEST(SampleColumns, NamesNeedHeads) {
  EXPECT_EQ(sample_refusal("0,0.5\n1,2\n", "[t, a]"),
            "columns: row 1 of 'samples.csv' has no heads; give both columns by their numbers, counted from 1");
  EXPECT_EQ(sample_refusal("0.5,1.5\n1,2\n", "[0.5, 1.5]"),
            "columns: row 1 of 'samples.csv' has no heads; give both columns by their numbers, counted from 1");
  EXPECT_EQ(sample_refusal("time,a\n0,0\n1,2\n", "[tiem, a]"),
            "columns.0: the file 'samples.csv' has no column 'tiem'; did you mean 'time'?");
  EXPECT_EQ(
      sample_refusal("t,a,a\n0,0,1\n1,2,3\n", "[t, a]"),
      "columns.1: the file 'samples.csv' has two columns 'a'; give both columns by their numbers, counted from 1");
}

TEST(SampleColumns, NumbersAndNamesAreNotMixed) {
  EXPECT_EQ(sample_refusal("t,a\n0,0\n1,2\n", "[t, 2]"),
            "columns: 't' and '2' are a number and a head; give both columns by their numbers, counted from 1, or both "
            "by their heads");
}

TEST(SampleColumns, NumbersLieInTheTable) {
  EXPECT_EQ(sample_refusal("t,a\n0,0\n1,2\n", "[0, 1]"), "columns.0: columns are counted from 1");
  EXPECT_EQ(sample_refusal("t,a\n0,0\n1,2\n", "[1, 3]"),
            "columns.1: the file 'samples.csv' has 2 columns, counted from 1; there is no column 3");
  EXPECT_EQ(sample_refusal("0,0\n1,2\n", "[1, 01]"), "columns: both are the same column");
}

TEST(SampleColumns, AFirstRowWithoutTimeIsNotTakenForHeads) {
  for (const std::string cell : {"", "nan", "inf", "0.5s"})
    EXPECT_EQ(sample_refusal(cell + ",1\n1,2\n2,3\n", "[1, 2]"),
              "file: row 1 of 'samples.csv' has no finite numbers in these columns")
        << cell;
}

TEST(SampleColumns, CommasAreDecimalBetweenSemicolonsAndTabs) {
  EXPECT_EQ(sample_at(0.5, "0,5;10\n1,5;20,25\n", "[1, 2]"), 10);
  EXPECT_EQ(sample_at(1.5, "t;a\n0,5;10\n1,5;20,25\n", "[t, a]"), 20.25);
  EXPECT_EQ(sample_at(1.5, "0.5;10\n1.5;20.25\n", "[1, 2]"), 20.25);
  EXPECT_EQ(sample_at(1.5, "0,5\t10\n1,5\t20,25\n", "[1, 2]"), 20.25);
}

TEST(SampleColumns, TablesThatReadInTwoWaysAreRefused) {
  EXPECT_EQ(
      sample_refusal("t,a\n0,5;10\n1;20\n", "[t, a]"),
      "file: row 2 of 'samples.csv' has a semicolon, row 1 has none; put the same delimiter between the cells of all "
      "rows, and texts with semicolons in quotation marks");
  EXPECT_EQ(
      sample_refusal("0,10\n0,5,20\n", "[1, 2]"),
      "file: row 2 of 'samples.csv' has 3 cells, row 1 has 2; give all rows as many, and put semicolons between cells "
      "where commas are decimal");
  EXPECT_EQ(
      sample_refusal("0,5,10\n1,20\n", "[1, 2]"),
      "file: row 2 of 'samples.csv' has 2 cells, row 1 has 3; give all rows as many, and put semicolons between cells "
      "where commas are decimal");
  EXPECT_EQ(sample_refusal("0.5;1,000\n1.5;2,000\n", "[1, 2]"),
            "file: row 1 of 'samples.csv' has ',' in a number, row 1 has '.'; write all decimal marks alike, and none "
            "between thousands");
}

TEST(SampleColumns, AreNoFolder) {
  EXPECT_EQ(
      support::refusal_of("format: polhode-deck/1\nnodes: {a: {position: [0, 0, 0]}}\n"
                          "forces:\n  f: {type: load, node: a, force: [1, 0, 0], history: {file: ., columns: [1, 2]}}\n"
                          "analysis: {type: transient, duration: 1, step: 0.1}\n"),
      "4:56: forces.f.history.file: '.' is a folder; name a CSV file in it");
}

TEST(SampleColumns, EmptyCellsAtTheEndOfARowAreNone) {
  EXPECT_EQ(sample_at(1, "t,a\n0,1,\n1,2,,\n", "[t, a]"), 2);
  EXPECT_EQ(sample_at(1, "t,a,\n0,1\n1,2\n", "[t, a]"), 2);
}

}  // namespace
}  // namespace polhode::io
