// SPDX-License-Identifier: BSD-3-Clause
// Reading structs of settings by their tables: what is wrong is reported at its place, what is right arrives.
#include "io/deck/read_settings.hpp"

#include <gtest/gtest.h>

namespace polhode::io {
namespace {

struct Inner {
  double tolerance = 0.5;
};

struct First {
  double one = 1;
};

struct Second {
  double one = 2;
  double two = 2;
};

struct Options {
  enum class Kind { plain, fancy } kind = Kind::plain;
  double size = 3;
  std::optional<int> count;
  std::vector<std::string> names;
  Inner inner;
  double step = 0;
  std::optional<Inner> control;
  double angle = 0;
  std::string method = "first";
  First first;
  Second second;
};

}  // namespace
}  // namespace polhode::io

template <>
struct polhode::model::Choices<polhode::io::Options::Kind> {
  using Kind = io::Options::Kind;
  static constexpr std::array<std::pair<Kind, std::string_view>, 2> all{{{Kind::plain, "plain"}, {Kind::fancy, "fancy"}}};
};

namespace polhode::io {
namespace {

using model::setting;

constexpr model::Setting inner_keys[] = {setting<&Inner::tolerance>({.name = "tolerance", .doc = "bound", .min = 0})};
const model::SettingsTable inner_table{"inner", "Inside.", inner_keys};

constexpr model::Setting keys[] = {
    setting<&Options::kind>({.name = "kind", .doc = "kind"}),
    setting<&Options::size>({.name = "size", .doc = "how large", .required = true, .min = 0, .max = 10}),
    setting<&Options::count>({.name = "count", .doc = "how many", .min = 1}),
    setting<&Options::names>({.name = "names", .doc = "names"}),
    model::group<&Options::inner>({.name = "inner", .doc = "inside"}, inner_table),
    model::setting_or_group<&Options::step, &Options::control>({.name = "step", .doc = "step"}, inner_table),
    setting<&Options::angle>({.name = "angle", .unit = "rad", .doc = "angle"}),
};

void complete(Options& options, const model::Given& given, model::Problems& problems) {
  if (given.has("count") && given.has("names"))
    problems.push_back({given.path_of("names"), "stands beside count; remove one"});
  if (options.inner.tolerance > 5) problems.push_back({given.path_of("inner") + ".tolerance", "is too large"});
  options.size *= 2;
}

const model::SettingsTable table{"options", "Options.", keys, nullptr, model::completed_by<complete>};

constexpr model::Setting first_keys[] = {setting<&First::one>({.name = "one", .doc = "one"})};
constexpr model::Setting second_keys[] = {setting<&Second::one>({.name = "one", .doc = "one"}),
                                          setting<&Second::two>({.name = "two", .doc = "two"})};
const model::SettingsTable first_table{"first", "First.", first_keys};
const model::SettingsTable second_table{"second", "Second.", second_keys};

std::span<const model::Alternative> methods() {
  static const model::Alternative all[] = {{"first", "the first", &first_table}, {"second", "the second", &second_table}};
  return all;
}

void* choose(void* settings, std::string_view name) {
  auto& options = *static_cast<Options*>(settings);
  options.method = name;
  if (name == "first") return &options.first;
  return &options.second;
}

const model::Alternatives alternatives{
    .key = {.name = "method", .doc = "how", .default_text = "first"}, .all = methods, .choose = choose};
const model::SettingsTable method_table{"method", "A method.", {}, &alternatives};

// The problems of a text, one line each; `options` takes what it says.
std::string problems_of(const std::string& text, Options& options, const model::SettingsTable& by = table) {
  Findings findings;
  Reader reader(findings, "");
  const Item item = parse_document(text);
  const bool good = read_settings(item, "here", by, &options, reader);
  EXPECT_EQ(good, findings.empty());
  return findings.text("f");
}

TEST(ReadSettings, WritesEachValueToItsMember) {
  Options options;
  EXPECT_EQ(problems_of("{kind: fancy, size: 4, count: 2, inner: {tolerance: 1}, step: 0.25, angle_deg: 180}", options),
            "");
  EXPECT_EQ(options.kind, Options::Kind::fancy);
  EXPECT_EQ(options.size, 8);  // completed: twice what is given
  EXPECT_EQ(options.count, 2);
  EXPECT_EQ(options.inner.tolerance, 1);
  EXPECT_EQ(options.step, 0.25);
  EXPECT_FALSE(options.control.has_value());
  EXPECT_NEAR(options.angle, 3.14159265358979, 1e-12);
}

TEST(ReadSettings, KeysThatAreNotGivenKeepTheirDefaults) {
  Options options;
  EXPECT_EQ(problems_of("{size: 1}", options), "");
  EXPECT_EQ(options.kind, Options::Kind::plain);
  EXPECT_FALSE(options.count.has_value());
  EXPECT_EQ(options.inner.tolerance, 0.5);
}

TEST(ReadSettings, AMappingInThePlaceOfAValueGoesToTheOptionalStruct) {
  Options options;
  EXPECT_EQ(problems_of("{size: 1, step: {tolerance: 0.125}}", options), "");
  ASSERT_TRUE(options.control.has_value());
  EXPECT_EQ(options.control->tolerance, 0.125);
}

TEST(ReadSettings, ReportsUnknownDoubledAndMissingKeysAtTheirPlaces) {
  Options options;
  EXPECT_EQ(problems_of("{kin: plain,\n kind: plain,\n kind: fancy}", options),
            "f:1:1: here: 'size' is missing: how large\n"
            "f:1:2: here.kin: unknown key 'kin'; did you mean 'kind'?\n"
            "f:3:2: here.kind: 'kind' stands here twice, first in line 2; remove one");
}

TEST(ReadSettings, ReportsTypesBoundsAndChoices) {
  Options options;
  EXPECT_EQ(problems_of("{size: 11,\n kind: fance,\n count: 1.5,\n names: x,\n inner: {tolerance: -1}}", options),
            "f:1:2: here.size: must be in [0, 10], is 11\n"
            "f:2:2: here.kind: unknown kind 'fance'; did you mean 'fancy'?\n"
            "f:3:2: here.count: must be a whole number, is 1.5\n"
            "f:4:2: here.names: expected a list of names, found 'x'\n"
            "f:5:10: here.inner.tolerance: must be in [0, inf), is -1");
}

TEST(ReadSettings, ProblemsBetweenKeysStandAtTheEntryOfTheirPath) {
  Options options;
  EXPECT_EQ(problems_of("{size: 1,\n inner:\n  {tolerance: 6}}", options),
            "f:3:4: here.inner.tolerance: is too large");
}

TEST(ReadSettings, KeysThatExcludeEachOtherAreReportedWhereEachIsRight) {
  Options options;
  EXPECT_EQ(problems_of("{size: 1, count: 2,\n names: [a]}", options),
            "f:2:2: here.names: stands beside count; remove one");
}

TEST(ReadSettings, TheChosenAlternativeBringsItsOwnKeys) {
  Options options;
  EXPECT_EQ(problems_of("{method: second, two: 7}", options, method_table), "");
  EXPECT_EQ(options.method, "second");
  EXPECT_EQ(options.second.two, 7);
  EXPECT_EQ(problems_of("{one: 5}", options, method_table), "");
  EXPECT_EQ(options.method, "first");
  EXPECT_EQ(options.first.one, 5);
}

TEST(ReadSettings, AKeyOfAnotherAlternativeSaysWhoseItIs) {
  Options options;
  EXPECT_EQ(problems_of("{method: first, two: 7}", options, method_table),
            "f:1:17: here.two: belongs to method `second`, not to `first`; remove it");
  EXPECT_EQ(problems_of("{method: thrid, two: 7}", options, method_table),
            "f:1:2: here.method: unknown method 'thrid'; one of: first, second");
}

}  // namespace
}  // namespace polhode::io
