// SPDX-License-Identifier: BSD-3-Clause
// Values and defaults of settings as a deck would write them.
#include "polhode/model/settings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace polhode::model {
namespace {

// The shortest text that gives the number back, with the point that YAML 1.1 wants before an exponent: 1.0e-6.
std::string number_in_deck(double value) {
  const std::string shortest = fmt::format("{}", value);
  const std::size_t e = shortest.find('e');
  if (e == std::string::npos) return shortest;
  std::string mantissa = shortest.substr(0, e);
  if (mantissa.find('.') == std::string::npos) mantissa += ".0";
  const int exponent = std::stoi(shortest.substr(e + 1));
  return fmt::format("{}e{}{}", mantissa, exponent < 0 ? "" : "+", exponent);
}

// In brackets, as YAML writes lists on one line; nothing for an empty one.
template <class List>
std::string list_in_deck(const List& list, auto text_of_one) {
  std::string text;
  for (const auto& one : list) {
    if (!text.empty()) text += ", ";
    text += text_of_one(one);
  }
  return text.empty() ? text : "[" + text + "]";
}

}  // namespace

bool Given::has(std::string_view key) const { return std::find(keys.begin(), keys.end(), key) != keys.end(); }

std::string Given::path_of(std::string_view key) const { return path + "." + std::string(key); }

// By the type that the value has; an empty value has no text.
std::string text_of(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<double>(&value)) return number_in_deck(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* names = std::get_if<std::vector<std::string>>(&value))
    return list_in_deck(*names, [](const std::string& name) { return name; });
  if (const auto* numbers = std::get_if<math::VectorX>(&value)) return list_in_deck(*numbers, number_in_deck);
  return "";
}

// A text of its own where a default depends on other settings; else the value that the struct starts with.
std::string text_of_default(const Setting& setting) {
  if (!setting.field.default_text.empty()) return std::string(setting.field.default_text);
  if (setting.field.required || !setting.otherwise) return "";
  return text_of(setting.otherwise());
}

}  // namespace polhode::model
