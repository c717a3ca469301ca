// SPDX-License-Identifier: BSD-3-Clause
// Texts to trees and back: kinds, places, what is no YAML of a deck, and changes by --set.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "io/deck/deck_source.hpp"
#include "io/yaml/document.hpp"
#include "support/places.hpp"

namespace polhode::io {
namespace {

// A tree as text: nothing is ~, quoted text stands in marks.
std::string flow_of(const std::string& text) { return flow_text(parse_document(text)); }

std::string syntax_error_of(const std::string& text) {
  try {
    parse_document(text);
  } catch (const SyntaxError& error) {
    return std::to_string(error.place.line) + ":" + std::to_string(error.place.column) + ": " + error.what();
  }
  return "";
}

std::string place_of(const std::string& text, const std::string& path) {
  const Item tree = parse_document(text);
  const Item* item = find_entry(tree, path);
  return item ? std::to_string(item->place.line) + ":" + std::to_string(item->place.column) : "none";
}

TEST(Yaml, TextsBecomeTheTreesThatYamlSays) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "~"},
      {"# a comment alone\n", "~"},
      {"7", "7"},
      {"a: 1", "{a: 1}"},
      {"a: '1'", "{a: '1'}"},
      {"a: \"1\"", "{a: '1'}"},
      {"a: !!str 1", "{a: '1'}"},
      {"a: |\n  x: y\n  z\n", "{a: 'x: y\nz\n'}"},
      {"a:\nb: ~\nc: null\nd: 'null'", "{a: ~, b: ~, c: ~, d: 'null'}"},
      {"a: [1, [x, 'y'], {b: }]", "{a: [1, [x, 'y'], {b: ~}]}"},
      {"- 1\n- {a: 2}\n-\n  - 3\n", "[1, {a: 2}, [3]]"},
      {"a: {}\nb: []", "{a: {}, b: []}"},
      {"a: 1\na: 2", "{a: 1, a: 2}"},
      {"b: &x [1, 2]\nc: *x\nd: {e: *x}", "{b: [1, 2], c: [1, 2], d: {e: [1, 2]}}"},
      {"x: \"=2*a\"\r\ny: 1\r\n", "{x: '=2*a', y: 1}"},
      {"---\na: 1\n...\n", "{a: 1}"},
      {"\xEF\xBB\xBF"
       "a: 1",
       "{a: 1}"},
  };
  for (const auto& [text, flow] : cases) EXPECT_EQ(flow_of(text), flow) << text;
}

TEST(Yaml, PlacesAreThoseOfKeysAndOfElements) {
  const std::string text = "a: 1\nb:\n  - x\n  - {c: [1,\n    2]}\n";
  for (const auto& [path, place] :
       {std::pair("a", "1:1"), std::pair("b", "2:1"), std::pair("b.0", "3:5"), std::pair("b.1", "4:5"),
        std::pair("b.1.c", "4:6"), std::pair("b.1.c.1", "5:5"), std::pair("b.2", "none"), std::pair("a.x", "none")})
    EXPECT_EQ(place_of(text, path), place) << path;
}

TEST(Yaml, ColumnsCountCharactersNotBytes) {
  EXPECT_EQ(place_of("\xC3\xA4: {\xE2\x82\xAC: 1, u: 2}\nv: 1", "\xC3\xA4.u"), "1:11");
  EXPECT_EQ(place_of("t: \xF0\x9F\x9A\x80\nb: {\"\xF0\x9F\x9A\x80\": 1, v: 2}", "b.v"), "2:13");
  EXPECT_EQ(place_of("\xEF\xBB\xBF\xC3\xA4: {b: 1}", "\xC3\xA4.b"), "1:5");
}

// What stands for something else stands where it is asked for.
TEST(Yaml, AnAliasHasThePlaceWhereItStands) {
  const std::string text = "a: &x {k: [1]}\nlong_name: *x\n";
  EXPECT_EQ(place_of(text, "long_name"), "2:1");
  EXPECT_EQ(place_of(text, "long_name.k"), "1:8");
}

TEST(Yaml, WhatIsNoYamlOfADeckSaysWhereAndWhatToDo) {
  const std::pair<std::string, const char*> cases[] = {
      {"a: 1\n---\nb: 2\n", "2:1: a second document begins here; a deck is one document"},
      {"a: 1\nb: \x01", "2:4: a control character (code 1), which YAML does not allow; remove it"},
      {"a: \xC3\xA4\x7F", "1:5: a control character (code 127), which YAML does not allow; remove it"},
      {"a: \xE4", "1:4: this is not UTF-8 text; save the file in that encoding"},
      {"\xC3\xA4: \xC0\xAF", "1:4: this is not UTF-8 text; save the file in that encoding"},
      {"a: \xED\xA0\x80", "1:4: this is not UTF-8 text; save the file in that encoding"},
      {"a: \xF4\x90\x80\x80", "1:4: this is not UTF-8 text; save the file in that encoding"},
      {"[a]: 1", "1:1: a key must be a name, not a list or a mapping"},
      {"{a: 1}: 1", "1:1: a key must be a name, not a list or a mapping"},
      {"~: 1", "1:1: a key must be a name"},
      {"a: &x [*x]", "1:8: an alias inside of what it stands for"},
      {"a: *none", "1:4: there is no anchor '&none' before this alias"},
      {"a:\n\tb: 1", "2:1: a tab indents this line; YAML takes spaces alone"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(syntax_error_of(text), error) << text;
  for (const auto& [text, remedy] :
       {std::pair("a: {b: 1", "a '}' or a comma is missing"), std::pair("a: [1, 2", "a ']' or a comma is missing"),
        std::pair("[1", "a ']' or a comma is missing"), std::pair("{a: 1", "a '}' or a comma is missing"),
        std::pair("[[1], 2\n", "a ']' or a comma is missing"), std::pair("a: \"open\n", "a quote is not closed"),
        std::pair("a: @b", "put quotes around the text")})
    EXPECT_NE(syntax_error_of(text).find(remedy), std::string::npos) << text << ": " << syntax_error_of(text);
}

TEST(Yaml, DepthIsLimitedAlsoThroughAliases) {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  EXPECT_EQ(syntax_error_of(nested(64)), "");
  EXPECT_EQ(syntax_error_of(nested(65)), "1:65: nested more than 64 levels deep");
  const std::string deep = "- &x " + nested(33) + "\n- ";
  EXPECT_EQ(syntax_error_of(deep + std::string(29, '[') + "*x" + std::string(29, ']')), "");
  EXPECT_NE(syntax_error_of(deep + std::string(31, '[') + "*x" + std::string(31, ']')).find("nested more than 64"),
            std::string::npos);
}

// What a tree holds survives being written, whatever its texts are.
Item random_tree(std::mt19937& random, int depth) {
  static const char* const plain[] = {"1", "-2.5e-3", "abc", "true", "a_b-c", "4.0e+7", ".inf"};
  static const char* const quoted[] = {"",          "1",           "null",       "~",      "true",      "a: b",
                                       "- a",       "# no",        "\xC3\xA4 x", "a\nb\n", "  blanks ", "\t",
                                       "say \"x\"", "back\\slash", "=a ? b : c", "[1, 2]", "{a: 1}",    "%",
                                       "@at",       "*alias",      "&anchor"};
  Item item;
  const std::uint_fast32_t kind = random() % (depth > 0 ? 6 : 3);
  if (kind == 0) return item;
  if (kind < 3) {
    item.kind = Item::Kind::scalar;
    item.quoted = kind == 2;
    item.text = item.quoted ? quoted[random() % std::size(quoted)] : plain[random() % std::size(plain)];
    return item;
  }
  item.kind = kind == 3 ? Item::Kind::sequence : Item::Kind::mapping;
  for (std::uint_fast32_t n = random() % 4; n > 0; --n) {
    Item inner = random_tree(random, depth - 1);
    inner.listed = item.kind == Item::Kind::sequence;
    if (!inner.listed) inner.key = quoted[1 + random() % (std::size(quoted) - 1)];
    item.items.push_back(std::move(inner));
  }
  return item;
}

TEST(Yaml, ATreeThatIsWrittenIsReadAsItWas) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    Item tree;
    tree.kind = Item::Kind::mapping;
    tree.items.push_back(random_tree(random, 4));
    tree.items.back().key = "root";
    const std::string text = write_document(tree);
    ASSERT_EQ(flow_of(text), flow_text(tree)) << "seed " << seed << "\n" << text;
  }
}

TEST(Yaml, EveryShippedDeckIsWrittenToTheTreeThatItIs) {
  std::size_t decks = 0;
  for (const char* folder : {"benchmarks", "examples", "studies"})
    for (const auto& file : std::filesystem::directory_iterator(std::string(POLHODE_SOURCE_DIR "/inputs/") + folder)) {
      if (file.path().extension() != ".yaml") continue;
      const Item tree = parse_document(read_file(file.path()));
      EXPECT_TRUE(flow_of(write_document(tree)) == flow_text(tree)) << file.path();
      ++decks;
    }
  EXPECT_GT(decks, 35u);
}

TEST(Yaml, SettingsReplaceAddAndReachIntoLists) {
  const char* const deck = "{a: {b: 1, c: [x, {d: 2}]}, e: }";
  const std::pair<const char*, const char*> cases[] = {
      {"a.b=3", "{a: {b: 3, c: [x, {d: 2}]}, e: ~}"},
      {"a.c.0=y", "{a: {b: 1, c: [y, {d: 2}]}, e: ~}"},
      {"a.c.1.d=[1, 2]", "{a: {b: 1, c: [x, {d: [1, 2]}]}, e: ~}"},
      {"a.c.1.f=1", "{a: {b: 1, c: [x, {d: 2, f: 1}]}, e: ~}"},
      {"a={k: 'text'}", "{a: {k: 'text'}, e: ~}"},
      {"e.g.h=1", "{a: {b: 1, c: [x, {d: 2}]}, e: {g: {h: 1}}}"},
      {"a.b==c = d", "{a: {b: '=c = d', c: [x, {d: 2}]}, e: ~}"},
      {"a.b=", "{a: {b: ~, c: [x, {d: 2}]}, e: ~}"},
      {"e=\"7\"", "{a: {b: 1, c: [x, {d: 2}]}, e: '7'}"},
  };
  for (const auto& [setting, flow] : cases) {
    Item tree = parse_document(deck);
    apply_setting(tree, setting);
    EXPECT_EQ(flow_text(tree), flow) << setting;
    EXPECT_EQ(flow_of(write_document(tree)), flow) << setting;
  }
}

TEST(Yaml, SettingsThatAreNoneSayWhyAndChangeNoValue) {
  const std::pair<const char*, const char*> cases[] = {
      {"a.b", "--set a.b: expected PATH=VALUE, such as analysis.step=0.001"},
      {"=1", "--set =1: expected PATH=VALUE, such as analysis.step=0.001"},
      {"a..b=1", "--set a..b=1: an empty name in the path 'a..b'"},
      {"a.b.x=1", "--set a.b.x=1: 'a.b' is '1' and has no 'x'"},
      {"a.c.2=1", "--set a.c.2=1: 'a.c' is a list of 2, counted from 0; it has no '2'"},
      {"a.c.x=1", "--set a.c.x=1: 'a.c' is a list of 2, counted from 0; it has no 'x'"},
      {"a.c.-1=1", "--set a.c.-1=1: 'a.c' is a list of 2, counted from 0; it has no '-1'"},
      {"a.b='x", "--set a.b='x: the value: this is not YAML: a quote is not closed"},
  };
  for (const auto& [setting, message] : cases) {
    Item tree = parse_document("{a: {b: 1, c: [x, y]}}");
    try {
      apply_setting(tree, setting);
      ADD_FAILURE() << setting;
    } catch (const SettingError& error) {
      EXPECT_EQ(error.what(), std::string(message));
    }
    EXPECT_EQ(flow_text(tree), "{a: {b: 1, c: [x, y]}}") << setting;
  }
}

// Messages say (given by --set) of what has no place; a value of a study stands where the deck has its entry.
TEST(Yaml, ASettingHasNoPlaceAndAValueOfAStudyThatOfItsEntry) {
  Item tree = parse_document("a:\n  b: [1, 2]\n");
  apply_setting(tree, "a.b.1={c: 1}");
  EXPECT_EQ(find_entry(tree, "a.b.1")->place.line, 0);
  EXPECT_EQ(find_entry(tree, "a.b.1.c")->place.line, 0);
  EXPECT_TRUE(find_entry(tree, "a.b.1")->listed);
  EXPECT_EQ(find_entry(tree, "a.b.0")->place.line, 2);
  apply_value(tree, "a.b.0", "7");
  EXPECT_EQ(find_entry(tree, "a.b.0")->place.line, 2);
  apply_value(tree, "a.n.m", "8");  // made: at the place of what it is in
  EXPECT_EQ(find_entry(tree, "a.n.m")->place.line, 1);
  EXPECT_EQ(flow_text(tree), "{a: {b: [7, {c: 1}], n: {m: 8}}}");
}

TEST(Yaml, ItemsAreNamedForMessages) {
  const std::pair<const char*, std::string> cases[] = {
      {"a:", "nothing"},          {"a: x", "'x'"}, {"a: 'x'", "text 'x'"}, {"a: [1, 2]", "a list of 2"},
      {"a: {b: 1}", "a mapping"},
  };
  for (const auto& [text, name] : cases) EXPECT_EQ(describe(parse_document(text).items[0]), name);
  const std::string forty(40, 'y');
  EXPECT_EQ(describe(parse_document("a: " + forty).items[0]), "'" + forty + "'");
  EXPECT_EQ(describe(parse_document("a: " + forty + "z").items[0]), "'" + forty + "...'");
}

}  // namespace
}  // namespace polhode::io
