// SPDX-License-Identifier: BSD-3-Clause
// Findings: all of them, in the order of the file, a line each; many of one sort in one line.
#include "io/yaml/findings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace polhode::io {
namespace {

TEST(Findings, StandInTheOrderOfTheFileAndThoseOfOnePlaceAsTheyCame) {
  Findings findings;
  findings.add(Place{3, 2}, "c", "third");
  findings.add(Place{1, 9}, "b", "second");
  findings.add(Place{3, 2}, "a", "fourth");
  findings.add(Place{1, 1}, "", "first");
  EXPECT_EQ(findings.text("f.yaml"),
            "f.yaml:1:1: deck: first\nf.yaml:1:9: b: second\nf.yaml:3:2: c: third\nf.yaml:3:2: a: fourth");
  EXPECT_EQ(findings.size(), 4u);
  EXPECT_EQ(Findings().text("f"), "");
}

TEST(Findings, AreOneLineEachWhateverTheDeckHolds) {
  Findings findings("study");
  findings.add(Place{1, 1}, "a\nb", "found 'x\n\ty'");
  findings.add(Place{0, 0}, "", "is wrong");
  EXPECT_EQ(findings.text("f"), "f:0:0: study: is wrong (given by --set)\nf:1:1: a b: found 'x  y'");
}

TEST(Findings, OfOneSortAreOneLineFromTheSixthOn) {
  for (const int count : {5, 6, 40}) {
    Findings findings;
    for (int i = count; i >= 1; --i) {
      const std::string name = "n" + std::to_string(i);
      findings.add(Place{i, 1}, "nodes." + name + ".mass", "unknown key in '" + name + "'");
    }
    findings.add(Place{100, 1}, "nodes.n1.position", "another fault");
    const std::string text = findings.text("f");
    const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
    EXPECT_EQ(lines, count == 5 ? 6 : 2) << text;
    if (count > 5) {
      EXPECT_EQ(text.substr(0, text.find('\n')), "f:1:1: nodes.n1.mass: unknown key in 'n1' (the same for " +
                                                     std::to_string(count - 1) + " more: n2, n3, n4, n5, ...)");
    }
  }
}

// Faults of the deck itself have no entry, and are never put together.
TEST(Findings, WithoutAnEntryAreNotPutTogether) {
  Findings findings;
  for (int i = 1; i <= 8; ++i) findings.add(Place{i, 1}, "format", "is wrong");
  const std::string text = findings.text("f");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 7);
}

TEST(Findings, ProposeNamesForTheFirstFiftyAlone) {
  Findings findings;
  EXPECT_EQ(findings.suggestion("axs", {"axis", "at"}), "; did you mean 'axis'?");
  EXPECT_EQ(findings.suggestion("gravity", {"axis", "at"}), "");
  for (int i = 0; i < 50; ++i) findings.add(Place{i + 1, 1}, "a", "b");
  EXPECT_EQ(findings.suggestion("axs", {"axis", "at"}), "");
}

TEST(Findings, RememberWhichAreOfUnknownKeys) {
  Findings findings;
  Item item;
  item.place = {4, 5};
  findings.add(item, "a.b", "wrong");
  findings.add_unknown_key(item, "a.c", "unknown");
  EXPECT_FALSE(findings.all()[0].unknown_key);
  EXPECT_TRUE(findings.all()[1].unknown_key);
  EXPECT_EQ(findings.all()[1].place.line, 4);
}

}  // namespace
}  // namespace polhode::io
