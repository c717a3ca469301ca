// SPDX-License-Identifier: BSD-3-Clause
// Numbers as texts: none loses a bit, and each is as short as it can be.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>

#include "polhode/model/model_settings.hpp"
#include "polhode/model/settings.hpp"
#include "polhode/model/text.hpp"

namespace polhode::model {
namespace {

// Of all magnitudes: finite ones among random bits.
std::vector<double> many_numbers() {
  std::vector<double> all{0.1, 1.0 / 3, 1e22, 123456.5, 5e-324, std::numeric_limits<double>::max(), 1e15, 1e16};
  std::mt19937_64 random(7);
  while (all.size() < 2000) {
    const double number = std::bit_cast<double>(std::uint64_t(random()));
    if (std::isfinite(number)) all.push_back(number);
  }
  return all;
}

TEST(ShownText, HasNoCommandsOfTerminals) {
  EXPECT_EQ(shown_text("a\x1b[31m\x07 b\tc\r\nd\x7f"), "a?[31m? b\tc?\nd?");
  EXPECT_EQ(shown_text("Brüls"), "Brüls");
  EXPECT_EQ(shown_text("a\u0080b\u009b31mc\u00a0d\u202ee\u2066f\u2030"), "a?b?31mc\u00a0d?e?f\u2030");
  EXPECT_EQ(shown_text("cut \xc2"), "cut \xc2");
}

TEST(NumberText, ReadsBackToTheSameNumber) {
  for (const double number : many_numbers()) {
    EXPECT_EQ(std::strtod(number_text(number).c_str(), nullptr), number);
    EXPECT_EQ(std::strtod(text_of(Value(number)).c_str(), nullptr), number);
  }
}

// Readers of YAML 1.1 take 1e-6 for a text: an exponent stands behind a point, with its sign.
TEST(NumberText, InADeckIsANumberForEveryReaderOfYaml) {
  for (const double number : many_numbers()) {
    const std::string text = text_of(Value(number));
    const std::size_t e = text.find('e');
    if (e == std::string::npos) continue;
    EXPECT_LT(text.find('.'), e) << text;
    EXPECT_TRUE(text[e + 1] == '+' || text[e + 1] == '-') << text;
    EXPECT_NE(text[e + 2], '0') << text;
  }
}

TEST(NumberText, IsTheShortestThatPeopleWrite) {
  for (const auto& [number, text] : {std::pair(0.1, "0.1"), std::pair(4.0, "4"), std::pair(1e-6, "1e-06"),
                                     std::pair(-2.5, "-2.5"), std::pair(0.1 + 0.2, "0.30000000000000004")})
    EXPECT_EQ(number_text(number), text);
  EXPECT_EQ(rounded_text(1.0 / 3), "0.333");
  EXPECT_EQ(rounded_text(123456, 2), "1.2e+05");
}

TEST(NumberText, CountsHaveTheirPlural) {
  EXPECT_EQ(counted(0, "node"), "0 nodes");
  EXPECT_EQ(counted(1, "node"), "1 node");
  EXPECT_EQ(counted(2, "node"), "2 nodes");
}

TEST(ValueText, IsThatOfTheDeckForEachType) {
  EXPECT_EQ(text_of(Value()), "");
  EXPECT_EQ(text_of(Value(false)), "false");
  EXPECT_EQ(text_of(Value(std::string("lie_alpha"))), "lie_alpha");
  EXPECT_EQ(text_of(Value(std::vector<std::string>{"x", "rz"})), "[x, rz]");
  EXPECT_EQ(text_of(Value(std::vector<std::string>{})), "");
  EXPECT_EQ(text_of(Value(math::VectorX(math::Vec3(1, 1e-7, -0.5)))), "[1, 1.0e-7, -0.5]");
}

// The keys of `constraints` and `initial` are bound to the model itself.
TEST(ModelSettings, AreReadAsTheyAreAssigned) {
  const Setting& redundant = constraints_table.settings[0];
  Model model;
  EXPECT_EQ(text_of(redundant.read(&model)), text_of_default(redundant));
  for (const std::string_view choice : redundant.field.choices) {
    redundant.assign(&model, Value(std::string(choice)));
    EXPECT_EQ(model.resolve_redundant, choice == "resolve");
    EXPECT_EQ(text_of(redundant.read(&model)), choice);
  }
  for (const Setting& tolerance : initial_table.settings) {
    tolerance.assign(&model, Value(0.5));
    EXPECT_EQ(text_of(tolerance.read(&model)), "0.5") << tolerance.field.name;
    EXPECT_EQ(text_of_default(tolerance), "1.0e-6") << tolerance.field.name;
  }
  EXPECT_EQ(model.position_tolerance + model.velocity_tolerance, 1);
}

}  // namespace
}  // namespace polhode::model
