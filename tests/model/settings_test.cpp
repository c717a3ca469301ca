// SPDX-License-Identifier: BSD-3-Clause
// Tables of settings: each type of member, its default, and writing what was read.
#include "polhode/model/settings.hpp"

#include <gtest/gtest.h>

namespace polhode::model {
namespace {

enum class Size { small, large };

struct Inner {
  double part = 0.25;
};

struct Options {
  bool on = true;
  int count = 3;
  long many = 4000000;
  double tolerance = 1e-6;
  std::optional<double> limit;
  std::string label = "none";
  Size size = Size::large;
  std::optional<Size> other_size;
  math::Vec3 about{0, 0, 1.5};
  math::Vec3 axis{0, 0, 1};
  std::array<double, 2> range{1, 2};
  std::optional<std::array<double, 2>> band;
  std::vector<double> times;
  std::vector<std::string> names{"a", "b"};
  Inner inner;
  std::optional<Inner> optional_inner;
  double step = 0.5;
  std::optional<Inner> control;
};

}  // namespace

template <>
struct Choices<Size> {
  static constexpr std::array<std::pair<Size, std::string_view>, 2> all{{{Size::small, "small"}, {Size::large, "large"}}};
};

namespace {

constexpr Setting inner_keys[] = {setting<&Inner::part>({.name = "part", .doc = "a part", .min = 0})};
const SettingsTable inner_table{"inner", "Inside.", inner_keys};

const Setting on = setting<&Options::on>({.name = "on"});
const Setting count = setting<&Options::count>({.name = "count"});
const Setting many = setting<&Options::many>({.name = "many"});
const Setting tolerance = setting<&Options::tolerance>({.name = "tolerance"});
const Setting limit = setting<&Options::limit>({.name = "limit"});
const Setting label = setting<&Options::label>({.name = "label"});
const Setting size = setting<&Options::size>({.name = "size"});
const Setting other_size = setting<&Options::other_size>({.name = "other_size"});
const Setting about = setting<&Options::about>({.name = "about"});
const Setting axis = setting<&Options::axis>({.name = "axis", .type = FieldType::direction});
const Setting range = setting<&Options::range>({.name = "range"});
const Setting band = setting<&Options::band>({.name = "band"});
const Setting times = setting<&Options::times>({.name = "times"});
const Setting names = setting<&Options::names>({.name = "names"});
const Setting inner = group<&Options::inner>({.name = "inner"}, inner_table);
const Setting optional_inner = group<&Options::optional_inner>({.name = "optional_inner"}, inner_table);
const Setting step = setting_or_group<&Options::step, &Options::control>({.name = "step", .required = true}, inner_table);

TEST(Settings, TheMemberSaysTheTypeOfTheField) {
  EXPECT_EQ(on.field.type, FieldType::flag);
  EXPECT_EQ(count.field.type, FieldType::integer);
  EXPECT_EQ(many.field.type, FieldType::integer);
  EXPECT_EQ(tolerance.field.type, FieldType::number);
  EXPECT_EQ(limit.field.type, FieldType::number);
  EXPECT_EQ(label.field.type, FieldType::text);
  EXPECT_EQ(size.field.type, FieldType::choice);
  EXPECT_EQ(other_size.field.type, FieldType::choice);
  EXPECT_EQ(about.field.type, FieldType::vector3);
  EXPECT_EQ(axis.field.type, FieldType::direction);
  EXPECT_EQ(range.field.type, FieldType::numbers);
  EXPECT_EQ(range.field.size, 2);
  EXPECT_EQ(band.field.size, 2);
  EXPECT_EQ(times.field.type, FieldType::numbers);
  EXPECT_EQ(times.field.size, 0);
  EXPECT_EQ(names.field.type, FieldType::names);
  EXPECT_EQ(inner.field.type, FieldType::group);
}

TEST(Settings, ChoicesAreTheNamesOfTheEnum) {
  const std::vector<std::string_view> given(size.field.choices.begin(), size.field.choices.end());
  EXPECT_EQ(given, (std::vector<std::string_view>{"small", "large"}));
}

TEST(Settings, DefaultsAreThoseOfADefaultConstructedStruct) {
  EXPECT_EQ(text_of_default(on), "true");
  EXPECT_EQ(text_of_default(count), "3");
  EXPECT_EQ(text_of_default(many), "4000000");
  EXPECT_EQ(text_of_default(tolerance), "1.0e-6");
  EXPECT_EQ(text_of_default(label), "none");
  EXPECT_EQ(text_of_default(size), "large");
  EXPECT_EQ(text_of_default(about), "[0, 0, 1.5]");
  EXPECT_EQ(text_of_default(range), "[1, 2]");
  EXPECT_EQ(text_of_default(names), "[a, b]");
  EXPECT_EQ(text_of_default(setting<&Options::tolerance>({.name = "tolerance", .default_text = "as the step"})),
            "as the step");
}

TEST(Settings, RequiredKeysGroupsAndEmptyMembersHaveNoDefault) {
  for (const Setting* one : {&limit, &other_size, &band, &times, &inner, &optional_inner, &step})
    EXPECT_EQ(text_of_default(*one), "") << one->field.name;
}

TEST(Settings, AnEmptyOptionalMemberReadsAsNotGiven) {
  const Options options;
  EXPECT_TRUE(std::holds_alternative<std::monostate>(limit.read(&options)));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(other_size.read(&options)));
}

TEST(Settings, WhatIsReadCanBeAssignedToAnother) {
  Options from;
  from.on = false;
  from.count = -7;
  from.many = 123456789;
  from.tolerance = 0.1;
  from.limit = 2.5;
  from.label = "text";
  from.size = Size::small;
  from.other_size = Size::large;
  from.about = {1, 2, 3};
  from.axis = {0, 1, 0};
  from.range = {3, 4};
  from.band = {5, 6};
  from.times = {0.1, 0.2, 0.3};
  from.names = {"x"};
  from.step = 0.125;
  Options to;
  for (const Setting* one : {&on, &count, &many, &tolerance, &limit, &label, &size, &other_size, &about, &axis, &range,
                             &band, &times, &names, &step})
    one->assign(&to, one->read(&from));
  EXPECT_EQ(to.on, from.on);
  EXPECT_EQ(to.count, from.count);
  EXPECT_EQ(to.many, from.many);
  EXPECT_EQ(to.tolerance, from.tolerance);
  EXPECT_EQ(to.limit, from.limit);
  EXPECT_EQ(to.label, from.label);
  EXPECT_EQ(to.size, from.size);
  EXPECT_EQ(to.other_size, from.other_size);
  EXPECT_EQ(to.about, from.about);
  EXPECT_EQ(to.axis, from.axis);
  EXPECT_EQ(to.range, from.range);
  EXPECT_EQ(to.band, from.band);
  EXPECT_EQ(to.times, from.times);
  EXPECT_EQ(to.names, from.names);
  EXPECT_EQ(to.step, from.step);
}

TEST(Settings, AnOptionalGroupIsMadeWhenItsStructIsAskedFor) {
  Options options;
  EXPECT_EQ(optional_inner.find(&options), nullptr);
  inner_keys[0].assign(optional_inner.nested(&options), Value(0.75));
  ASSERT_TRUE(options.optional_inner.has_value());
  EXPECT_EQ(options.optional_inner->part, 0.75);
  EXPECT_EQ(optional_inner.find(&options), &*options.optional_inner);
  EXPECT_EQ(optional_inner.nested(&options), &*options.optional_inner);
  EXPECT_EQ(inner.nested(&options), &options.inner);
}

TEST(Settings, AValueOrAMappingIsBoundToTwoMembers) {
  Options options;
  EXPECT_TRUE(step.or_value);
  step.assign(&options, Value(0.25));
  EXPECT_EQ(options.step, 0.25);
  EXPECT_FALSE(options.control.has_value());
  step.nested(&options);
  EXPECT_TRUE(options.control.has_value());
}

TEST(Settings, NumbersAreWrittenAsADeckWritesThem) {
  EXPECT_EQ(text_of(Value(1e-13)), "1.0e-13");
  EXPECT_EQ(text_of(Value(2.5e20)), "2.5e+20");
  EXPECT_EQ(text_of(Value(0.0)), "0");
  EXPECT_EQ(text_of(Value(1.0 / 3)), "0.3333333333333333");
}

}  // namespace
}  // namespace polhode::model
