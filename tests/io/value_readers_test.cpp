// SPDX-License-Identifier: BSD-3-Clause
// Readers of single values: what they take, and what they say of all else, at its place.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "io/deck/functions.hpp"
#include "io/deck/model_reader.hpp"
#include "io/deck/reader.hpp"

namespace polhode::io {
namespace {

using math::MatrixX;
using model::FieldType;

// A reader of the deck `text`, whose names are known and whose parameters are read; `at` is one of its entries.
struct ReadDeck {
  explicit ReadDeck(const std::string& text) : tree(parse_document(text)), reader(findings, "") {
    read_names(tree, reader);
    if (const Item* parameters = tree.find("parameters")) read_parameters(*parameters, reader);
  }
  const Item& at(const std::string& path) const { return *find_entry(tree, path); }
  // Without the name of a file.
  std::string said() const { return findings.text(""); }

  Findings findings;
  Item tree;
  Reader reader;
};

// What a value is refused with when it is read by `read`, with a colon for the name of a file; "" if it is taken.
template <class Read>
std::string refusal_of_value(const std::string& text, const Read& read) {
  ReadDeck deck("v: " + text);
  const bool taken = read(deck.reader, deck.at("v"));
  EXPECT_EQ(taken, deck.findings.empty()) << text;
  const std::string said = deck.said();
  const std::string begin = ":1:1: v: ";
  return said.starts_with(begin) ? said.substr(begin.size()) : said;
}

std::string refusal_of_number(const std::string& text, const model::Field& field, double scale = 1) {
  return refusal_of_value(
      text, [&](Reader& reader, const Item& item) { return reader.plain.number(item, "v", field, scale).has_value(); });
}

TEST(PlainReader, TakesNumbersInTheSpellingsOfYamlAlone) {
  ReadDeck deck("v: [4, -4.0e+7, 4e7, .5, +1, 007, '=2^3', '=pi', -0.0, 1.0e-400]");
  const auto all = deck.reader.plain.numbers(deck.at("v"), "v", {}, 0);
  ASSERT_TRUE(all) << deck.said();
  EXPECT_EQ(*all, (std::vector<double>{4, -4e7, 4e7, 0.5, 1, 7, 8, std::numbers::pi, 0, 0}));
  EXPECT_TRUE(std::signbit((*all)[8]));
}

TEST(PlainReader, SaysOfEachThingThatIsNoNumberWhatItIs) {
  const std::pair<const char*, const char*> cases[] = {
      {"'4'", "expected a number, found text '4'; write it without quotes"},
      {"four", "expected a number, found 'four'; an expression begins with '=', such as \"=2*pi\""},
      {"0x10", "expected a number, found '0x10'; an expression begins with '=', such as \"=2*pi\""},
      {"1e", "expected a number, found '1e'; an expression begins with '=', such as \"=2*pi\""},
      {"", "expected a number, found nothing"},
      {"[1]", "expected a number, found a list of 1"},
      {"{a: 1}", "expected a number, found a mapping"},
      {".inf", "must be finite, is .inf"},
      {"-.INF", "must be finite, is -.INF"},
      {".NaN", "must be finite, is .NaN"},
      {"nan", "must be finite, is nan"},
      {"1.0e+400", "must be finite, 1.0e+400 is too large"},
      {"'=1/0'", "the expression '=1/0' is not finite"},
      {"'=2*t'", "in the expression '=2*t': "},
      {"'=2*'", "in the expression '=2*': "},
  };
  for (const auto& [text, refusal] : cases)
    EXPECT_TRUE(refusal_of_number(text, {}).starts_with(refusal)) << text << ": " << refusal_of_number(text, {});
}

struct Bounds {
  model::Field field;
  std::vector<const char*> inside;
  std::vector<const char*> outside;
  const char* interval;
};

TEST(PlainReader, HoldsNumbersAgainstTheirBounds) {
  const Bounds cases[] = {
      {{.min = 0, .max = 1}, {"0", "1", "'=1/2'"}, {"-1.0e-300", "1.0000000000000002"}, "[0, 1]"},
      {{.min = 0, .max = 1, .min_exclusive = true, .max_exclusive = true}, {"0.5"}, {"0", "1", "-0.0"}, "(0, 1)"},
      {{.min = 0, .min_exclusive = true}, {"5.0e-324", "1.0e+308"}, {"0"}, "(0, inf)"},
      {{.max = 0.5}, {"-7", "0.5"}, {"0.6"}, "(-inf, 0.5]"},
      {{.min = -1, .max = 1.0 / 3}, {"-1"}, {"0.4"}, "[-1, 1/3]"},
      {{}, {"-1.0e+308"}, {}, ""},
  };
  for (const Bounds& one : cases) {
    EXPECT_EQ(interval(one.field), one.interval);
    for (const char* text : one.inside) EXPECT_EQ(refusal_of_number(text, one.field), "") << text;
    for (const char* text : one.outside)
      EXPECT_TRUE(refusal_of_number(text, one.field).starts_with("must be in " + std::string(one.interval) + ", is "))
          << text << ": " << refusal_of_number(text, one.field);
  }
}

TEST(PlainReader, HoldsBoundsInTheUnitOfTheKey) {
  const model::Field angle{.unit = "rad", .min = 0, .max = 1};
  EXPECT_EQ(refusal_of_number("57", angle, std::numbers::pi / 180), "");
  EXPECT_TRUE(refusal_of_number("58", angle, std::numbers::pi / 180).starts_with("must be in [0, 1], is 1.01"));
}

TEST(PlainReader, WholeNumbersAreWholeFirstAndInTheirBoundsThen) {
  const model::Field count{.min = 1, .max = 5};
  const auto refusal = [&](const char* text) {
    return refusal_of_value(text, [&](Reader& reader, const Item& item) {
      return reader.plain.whole_number(item, "v", count).has_value();
    });
  };
  for (const char* text : {"1", "5", "3.0", "'=2+2'"}) EXPECT_EQ(refusal(text), "") << text;
  EXPECT_EQ(refusal("7.5"), "must be a whole number, is 7.5");
  EXPECT_EQ(refusal("1.0e+10"), "must be a whole number, is 1e+10");
  EXPECT_EQ(refusal("0"), "must be in [1, 5], is 0");
  EXPECT_EQ(refusal("6"), "must be in [1, 5], is 6");
}

// Of a list all components are looked at; a wrong one is named by its index.
TEST(PlainReader, ListsNameEachComponentThatIsWrong) {
  ReadDeck deck("v: [1, x, 3, '=1/0', -5]");
  EXPECT_FALSE(deck.reader.plain.numbers(deck.at("v"), "v", {.min = 0}, 5));
  EXPECT_EQ(deck.said(),
            ":1:8: v.1: expected a number, found 'x'; an expression begins with '=', such as \"=2*pi\"\n"
            ":1:14: v.3: the expression '=1/0' is not finite\n"
            ":1:22: v.4: must be in [0, inf), is -5");
  const auto refusal = [](const char* text) {
    return refusal_of_value(
        text, [](Reader& reader, const Item& item) { return reader.plain.numbers(item, "v", {}, 3).has_value(); });
  };
  EXPECT_EQ(refusal("[1, 2]"), "expected a list of 3 numbers, found a list of 2");
  EXPECT_EQ(refusal("1"), "expected a list of 3 numbers, found '1'");
}

TEST(PlainReader, FlagsAreTheWordsOfYamlAlone) {
  const auto refusal = [](const std::string& text) {
    return refusal_of_value(text,
                            [](Reader& reader, const Item& item) { return reader.plain.flag(item, "v").has_value(); });
  };
  for (const char* text : {"true", "True", "TRUE", "false", "False", "FALSE"}) EXPECT_EQ(refusal(text), "") << text;
  for (const char* text : {"yes", "on", "1", "tRUE", "[true]"})
    EXPECT_TRUE(refusal(text).starts_with("expected true or false, found ")) << text;
  EXPECT_EQ(refusal("'true'"), "expected true or false, found text 'true'");
}

TEST(PlainReader, ChoicesAreProposedOrListed) {
  const std::string_view methods[] = {"lie_alpha", "ul_crv", "bdf"};
  const model::Field method{.name = "method", .type = FieldType::choice, .choices = methods};
  const auto refusal = [&](const char* text) {
    return refusal_of_value(
        text, [&](Reader& reader, const Item& item) { return reader.value(item, "v", method, "").has_value(); });
  };
  EXPECT_EQ(refusal("ul_crv"), "");
  EXPECT_EQ(refusal("ul_crw"), "unknown method 'ul_crw'; did you mean 'ul_crv'?");
  EXPECT_EQ(refusal("euler"), "unknown method 'euler'; one of: lie_alpha, ul_crv, bdf");
  EXPECT_EQ(refusal("[bdf]"), "expected a name, found a list of 1");
}

TEST(PlainReader, ListsOfNamesHaveEachOnce) {
  const std::string_view axes[] = {"x", "y", "rz"};
  const model::Field fixed{.name = "fixed", .type = FieldType::choices, .choices = axes};
  const auto refusal = [&](const char* text) {
    return refusal_of_value(
        text, [&](Reader& reader, const Item& item) { return reader.value(item, "v", fixed, "").has_value(); });
  };
  EXPECT_EQ(refusal("[rz, x]"), "");
  EXPECT_EQ(refusal("[]"), "");
  EXPECT_EQ(refusal("[x, y, x]"), ":1:11: v.2: 'x' stands twice in this list; remove one");
  EXPECT_EQ(refusal("[x, q, r]"),
            ":1:8: v.1: unknown fixed 'q'; one of: x, y, rz\n:1:11: v.2: unknown fixed 'r'; did you mean 'rz'?");
  EXPECT_EQ(refusal("x"), "expected a list of names, found 'x'");
  EXPECT_EQ(refusal("[x, [y]]"), "expected a list of names, found a list of 2");
}

TEST(Parameters, AreEvaluatedInTheOrderOfTheirReferences) {
  const ReadDeck deck("parameters: {c: '=a + b', b: '=2*a', a: 3, d: '=pi > 3 ? c : 0'}");
  EXPECT_EQ(deck.said(), "");
  const std::map<std::string, double, std::less<>> expected{{"a", 3}, {"b", 6}, {"c", 9}, {"d", 9}};
  EXPECT_EQ(deck.reader.parameters.values, expected);
}

TEST(Parameters, EachCycleIsReportedOnceWhereItsFirstMemberStands) {
  const ReadDeck deck(
      "parameters:\n  user: '=b'\n  a: '=b'\n  b: '=c'\n  c: '=a + one'\n  one: 1\n  x: '=x'\n  y: '=z'\n  z: '=y'\n");
  EXPECT_EQ(deck.said(),
            ":3:3: parameters.a: refers to itself: a -> b -> c -> a\n"
            ":7:3: parameters.x: refers to itself: x -> x\n"
            ":8:3: parameters.y: refers to itself: y -> z -> y");
  for (const char* name : {"a", "b", "c", "x", "y", "z", "user"})
    EXPECT_TRUE(deck.reader.parameters.is_faulty(name)) << name;
  EXPECT_FALSE(deck.reader.parameters.is_faulty("one"));
}

// One slip makes one message, however many values use the parameter.
TEST(Parameters, ThatAreFaultySilenceWhatUsesThem) {
  ReadDeck deck("parameters: {a: x, b: '=2*a', c: 1}\nv: ['=a', '=b*c', '=c', '=b +']");
  EXPECT_FALSE(deck.reader.plain.numbers(deck.at("v"), "v", {}, 4));
  EXPECT_FALSE(read_function(deck.at("v.0"), "v.0", {}, 1, deck.reader));
  const std::string said = deck.said();
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_TRUE(said.starts_with(":1:14: parameters.a: expected a number, found 'x'")) << said;
  EXPECT_NE(said.find(":2:25: v.3: in the expression '=b +': "), std::string::npos) << said;
}

TEST(Parameters, HaveNamesThatExpressionsCanHave) {
  const ReadDeck deck("parameters:\n  a-b: 1\n  2x: 1\n  t: 1\n  pi: 3\n  sin: 1\n  ok_2: 1\n  ground: 1\n");
  EXPECT_EQ(deck.reader.parameters.values.size(), 1u);
  EXPECT_EQ(deck.reader.parameters.values.count("ok_2"), 1u);
  EXPECT_EQ(deck.findings.size(), 6u) << deck.said();
}

TEST(MatrixReader, ReadsRowsAsTheyAreWritten) {
  ReadDeck deck("v: [[1, 2, 3], [4, 5, 6], ['=7', 8, 9]]");
  const auto matrix = deck.reader.matrices.square(deck.at("v"), "v", {}, 3);
  ASSERT_TRUE(matrix);
  EXPECT_EQ(*matrix, (MatrixX(3, 3) << 1, 2, 3, 4, 5, 6, 7, 8, 9).finished());
}

TEST(MatrixReader, NamesEachRowThatIsWrong) {
  ReadDeck deck("v: [[1, 2], [3, x], 4]");
  EXPECT_FALSE(deck.reader.matrices.square(deck.at("v"), "v", {}, 2));
  EXPECT_EQ(deck.said(), ":1:1: v: expected 2 rows of 2 numbers, found a list of 3");
  ReadDeck rows("v: [[1], [3, x]]");
  EXPECT_FALSE(rows.reader.matrices.square(rows.at("v"), "v", {}, 2));
  EXPECT_EQ(rows.findings.size(), 2u) << rows.said();
}

// Both halves agree to nine digits, or to round-off of the largest entry; what is read is symmetric to the last bit.
TEST(MatrixReader, SymmetricMatricesMayHaveTheRoundOffOfTheirAuthor) {
  ReadDeck deck(
      "good: [[1.0e+6, 0.1], [0.1000000000001, 2]]\nsmall: [[1.0e+6, 1.0e-9], [0, 2]]\n"
      "bad: [[1, 0.1], [0.1001, 2]]");
  const auto good = deck.reader.matrices.symmetric(deck.at("good"), "good", {}, 2);
  ASSERT_TRUE(good);
  EXPECT_EQ((*good)(0, 1), (*good)(1, 0));
  EXPECT_NEAR((*good)(0, 1), 0.1, 1e-12);
  EXPECT_TRUE(deck.reader.matrices.symmetric(deck.at("small"), "small", {}, 2));
  EXPECT_FALSE(deck.reader.matrices.symmetric(deck.at("bad"), "bad", {}, 2));
  EXPECT_EQ(deck.said(), ":3:1: bad: must be symmetric, but entry [2, 1] is 0.1001 and [1, 2] is 0.1");
}

TEST(MatrixReader, BoundsOfADiagonalAreNoneOfTheWholeMatrix) {
  ReadDeck deck("list: [1, 2, 3]\nwhole: [[1, -0.5, 0], [-0.5, 2, 0], [0, 0, 3]]\nwrong: [1, -2, 3]\nlong: [1, 2]");
  const model::Field positive{.min = 0};
  const auto list = deck.reader.matrices.inertia(deck.at("list"), "list", positive);
  ASSERT_TRUE(list);
  EXPECT_EQ(*list, MatrixX(math::Vec3(1, 2, 3).asDiagonal()));
  const auto whole = deck.reader.matrices.inertia(deck.at("whole"), "whole", positive);
  ASSERT_TRUE(whole);
  EXPECT_EQ((*whole)(0, 1), -0.5);
  EXPECT_FALSE(deck.reader.matrices.inertia(deck.at("wrong"), "wrong", positive));
  EXPECT_FALSE(deck.reader.matrices.inertia(deck.at("long"), "long", positive));
  EXPECT_FALSE(deck.reader.matrices.diagonal(deck.at("long"), "long", positive, 6));
  EXPECT_EQ(deck.said(),
            ":3:12: wrong.1: must be in [0, inf), is -2\n"
            ":4:1: long: expected three principal values or three rows of three numbers, found a list of 2\n"
            ":4:1: long: expected 6 diagonal values or 6 rows of 6 numbers, found a list of 2");
}

TEST(MatrixReader, PointsAreRowsAndPairsAreColumns) {
  ReadDeck deck("v: [[1, 2, 3], [4, 5, 6]]\nzero: [[1, 0, 0], [0, 0, 0]]\none: [[1, 2, 3]]\nnone: []");
  const auto points = deck.reader.matrices.points(deck.at("v"), "v", {});
  const auto pair = deck.reader.matrices.vector_pair(deck.at("v"), "v", {.type = FieldType::point_pair});
  ASSERT_TRUE(points && pair);
  EXPECT_EQ(*pair, points->transpose());
  EXPECT_EQ((*pair)(2, 1), 6);
  EXPECT_TRUE(deck.reader.matrices.vector_pair(deck.at("zero"), "zero", {.type = FieldType::point_pair}));
  EXPECT_FALSE(deck.reader.matrices.vector_pair(deck.at("zero"), "zero", {.type = FieldType::axes}));
  EXPECT_FALSE(deck.reader.matrices.vector_pair(deck.at("one"), "one", {.type = FieldType::axes}));
  EXPECT_FALSE(deck.reader.matrices.points(deck.at("none"), "none", {}));
  EXPECT_EQ(deck.said(),
            ":2:19: zero.1: a direction needs a length; [0, 0, 0] has none\n"
            ":3:1: one: expected two directions, [[x, y, z], [x, y, z]]; found a list of 1\n"
            ":4:1: none: expected a list of points [x, y, z], found a list of 0");
}

// A deck with one of everything that has a name; the beam has three inner nodes.
struct NamedDeck : ReadDeck {
  explicit NamedDeck(const std::string& value)
      : ReadDeck("nodes: {root: , tip: }\nbeams: {arm: , bad: }\nsections: {steel: }\njoints: {A: , B: }\nv: " +
                 value) {
    reader.names.inner_nodes["arm"] = 3;
  }
};

TEST(ReferenceReader, NodesAreThoseOfTheDeckAndInnerOnesOfBeams) {
  const auto refusal = [](const char* name, bool inner) {
    NamedDeck deck(name);
    const bool known = deck.reader.references.node(deck.at("v"), "v", inner).has_value();
    EXPECT_TRUE(known == deck.findings.empty() || std::string_view(name) == "bad.1") << name;
    const std::string said = deck.said();
    return known ? "known" : said.empty() ? "silent" : said.substr(said.find("v: ") + 3);
  };
  for (const char* name : {"root", "tip"}) EXPECT_EQ(refusal(name, false), "known") << name;
  for (const char* name : {"arm.1", "arm.3"}) EXPECT_EQ(refusal(name, true), "known") << name;
  EXPECT_EQ(refusal("bad.1", true), "silent") << "the beam has an error of its own";
  EXPECT_EQ(refusal("arm.1", false),
            "'arm.1' is an inner node of a beam, which carries joints and forces only; split the beam at a node");
  EXPECT_EQ(refusal("ground", true), "'ground' is the inertial frame, not a node; name a node");
  EXPECT_EQ(refusal("roof", true), "there is no node 'roof'; did you mean 'root'?");
  EXPECT_EQ(refusal("leg.1", true), "there is no node 'leg.1'");
  for (const char* name : {"arm.0", "arm.4", "arm.01", "arm.x", "arm.", "arm.1x", "arm.-1"})
    EXPECT_EQ(refusal(name, true),
              "there is no node '" + std::string(name) + "'; the inner nodes of this beam are arm.1 to arm.3");
}

TEST(ReferenceReader, PairsHaveTwoEndsOneOfWhichMayBeTheGround) {
  const auto refusal = [](const char* pair) {
    NamedDeck deck(pair);
    const bool taken = deck.reader.references.node_pair(deck.at("v"), "v").has_value();
    EXPECT_EQ(taken, deck.findings.empty());
    return deck.said();
  };
  for (const char* pair : {"[ground, tip]", "[arm.2, root]", "[tip, ground]"}) EXPECT_EQ(refusal(pair), "") << pair;
  EXPECT_EQ(refusal("[tip, tip]"), ":5:1: v: both ends are 'tip'; name two different ones");
  EXPECT_EQ(refusal("[ground, ground]"), ":5:1: v: both ends are 'ground'; name two different ones");
  EXPECT_EQ(refusal("[tap, toot]"),
            ":5:5: v.0: there is no node 'tap'; did you mean 'tip'?\n"
            ":5:10: v.1: there is no node 'toot'; did you mean 'root'?");
  EXPECT_EQ(refusal("tip"), ":5:1: v: expected two names of nodes, one of them may be ground; found 'tip'");
}

TEST(ReferenceReader, SectionsAndBeamsAreProposedAmongTheirOwn) {
  NamedDeck deck("[steal, steel, arm, wood]");
  EXPECT_FALSE(deck.reader.references.sections(deck.at("v"), "v"));
  EXPECT_FALSE(deck.reader.references.beam(deck.at("v.1"), "v.1"));
  EXPECT_EQ(deck.reader.references.beam(deck.at("v.2"), "v.2"), "arm");
  EXPECT_EQ(deck.said(),
            ":5:5: v.0: there is no section 'steal'; did you mean 'steel'?\n"
            ":5:12: v.1: there is no beam 'steel'\n"
            ":5:19: v.2: there is no section 'arm'\n"
            ":5:24: v.3: there is no section 'wood'");
}

TEST(ReferenceReader, WeightsAreOfJointsOrTheirCoordinatesEachOnce) {
  NamedDeck good("{A: 1, B.rotation: '=-2'}");
  const auto weights = good.reader.references.weights(good.at("v"), "v", {});
  ASSERT_TRUE(weights) << good.said();
  EXPECT_EQ(*weights, (model::Weights{{"A", 1}, {"B.rotation", -2}}));
  NamedDeck wrong("{A: x, C: 1, B: 1, B: 2}");
  EXPECT_FALSE(wrong.reader.references.weights(wrong.at("v"), "v", {}));
  EXPECT_EQ(wrong.findings.size(), 3u) << wrong.said();
  EXPECT_NE(wrong.said().find("v.C: there is no joint 'C'"), std::string::npos) << wrong.said();
  EXPECT_NE(wrong.said().find("v.B: 'B' stands here twice; remove one"), std::string::npos) << wrong.said();
}

TEST(PlainReader, OneNumberStandsForSixAndAListForItself) {
  const model::Field damping{.type = FieldType::one_or_six, .min = 0};
  ReadDeck deck("one: 0.5\nsix: [1, 2, 3, 4, 5, 6]\nfive: [1, 2, 3, 4, 5]\nlow: -1");
  const auto value_at = [&](const char* path) { return deck.reader.value(deck.at(path), path, damping, ""); };
  EXPECT_EQ(std::get<math::VectorX>(*value_at("one")), math::VectorX::Constant(6, 0.5));
  EXPECT_EQ(std::get<math::VectorX>(*value_at("six"))[5], 6);
  EXPECT_FALSE(value_at("five"));
  EXPECT_FALSE(value_at("low"));
  EXPECT_EQ(deck.findings.size(), 2u);
}

}  // namespace
}  // namespace polhode::io
