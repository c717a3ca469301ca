// SPDX-License-Identifier: BSD-3-Clause
// Numbers and expressions, texts, choices, lists: type, bounds, finiteness.
#include "plain_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "polhode/math/decimal.hpp"

namespace polhode::io {
namespace {

using model::Field;

// A number as YAML writes it: 4, -4.0e+7, 4e7, .5, +1. Neither nan nor inf is one.
std::optional<double> parse_number(const std::string& text) {
  // strtod would take hexadecimal numbers, nan and inf.
  if (text.find_first_not_of("0123456789+-.eE") != std::string::npos) return std::nullopt;
  const char* begin = text.c_str();
  char* end = nullptr;
  const double value = math::decimal(begin, &end);
  if (text.empty() || end != begin + text.size()) return std::nullopt;
  return value;
}

// NaN is in no bounds.
bool in_bounds(double value, const Field& field) {
  return (field.min_exclusive ? value > field.min : value >= field.min) &&
         (field.max_exclusive ? value < field.max : value <= field.max);
}

}  // namespace

// An expression that uses a faulty parameter is silent: the parameter has been reported.
bool Parameters::is_faulty(const std::string& expression) const {
  if (faulty.empty()) return false;
  try {
    for (const std::string& name : model::Expression::names_used(expression))
      if (faulty.contains(name)) return true;
  } catch (const model::ExpressionError&) {
    return false;
  }
  return false;
}

// A constant: without time, with all parameters.
std::optional<double> PlainReader::expression(const Item& item, const std::string& path) {
  const std::string text = item.text.substr(1);
  if (parameters_.is_faulty(text)) return std::nullopt;  // reported where the parameter stands
  try {
    const double value = model::Expression::parse(text, parameters_.values, false)(0).value;
    if (std::isfinite(value)) return value;
    findings_.add(item, path, "the expression '" + item.text + "' is not finite");
  } catch (const model::ExpressionError& error) {
    findings_.add(item, path, "in the expression '" + item.text + "': " + error.what());
  }
  return std::nullopt;
}

// Numbers in quotes are texts, and YAML's .inf and .nan no numbers of a deck; each has its own message.
// Bounds hold after scaling, in the unit of the key.
std::optional<double> PlainReader::number(const Item& item, const std::string& path, const Field& field, double scale) {
  std::optional<double> value;
  if (item.kind == Item::Kind::scalar && item.text.starts_with('=')) {
    value = expression(item, path);
    if (!value) return std::nullopt;
  } else if (item.kind == Item::Kind::scalar) {
    value = parse_number(item.text);
    if (!value || item.quoted) {
      // The words that YAML has for them: .inf, -.inf, .nan.
      const bool not_finite = !item.quoted && item.text.size() <= 5 &&
                              (item.text.ends_with("inf") || item.text.ends_with("nan") || item.text.ends_with("NaN") ||
                               item.text.ends_with("Inf") || item.text.ends_with("INF") || item.text.ends_with("NAN"));
      findings_.add(item, path,
                    not_finite ? "must be finite, is " + item.text
                               : "expected a number, found " + describe(item) +
                                     (value ? "; write it without quotes"
                                            : "; an expression begins with '=', such as \"=2*pi\""));
      return std::nullopt;
    }
    if (!std::isfinite(*value)) {
      findings_.add(item, path, "must be finite, " + item.text + " is too large");
      return std::nullopt;
    }
  } else {
    findings_.add(item, path, "expected a number, found " + describe(item));
    return std::nullopt;
  }
  // Degrees become radians here, before bounds in radians are looked at.
  *value *= scale;
  if (!in_bounds(*value, field)) {
    findings_.add(item, path, "must be in " + interval(field) + ", is " + number_text(*value));
    return std::nullopt;
  }
  return value;
}

bool PlainReader::is_number(const Item& item) {
  if (item.kind != Item::Kind::scalar) return false;
  return item.text.starts_with('=') || (!item.quoted && parse_number(item.text));
}

// Read without bounds first, so that 2.5 is reported as no whole number and not as out of bounds.
std::optional<double> PlainReader::whole_number(const Item& item, const std::string& path, const Field& field) {
  Field unbounded = field;
  unbounded.min = -std::numeric_limits<double>::infinity();
  unbounded.max = std::numeric_limits<double>::infinity();
  const auto v = number(item, path, unbounded, 1);
  if (!v) return std::nullopt;
  if (*v != std::floor(*v) || std::abs(*v) > 1e9) {
    findings_.add(item, path, "must be a whole number, is " + number_text(*v));
    return std::nullopt;
  }
  if (!in_bounds(*v, field)) {
    findings_.add(item, path, "must be in " + interval(field) + ", is " + number_text(*v));
    return std::nullopt;
  }
  return v;
}

// `size` 0 takes any length. All components are looked at before the list fails.
std::optional<std::vector<double>> PlainReader::numbers(const Item& item, const std::string& path, const Field& field,
                                                        int size, double scale) {
  if (item.kind != Item::Kind::sequence || (size > 0 && item.items.size() != static_cast<std::size_t>(size))) {
    findings_.add(item, path,
                  "expected a list of " + (size > 0 ? std::to_string(size) + " " : std::string()) + "numbers, found " +
                      describe(item));
    return std::nullopt;
  }
  std::vector<double> list;
  list.reserve(item.items.size());
  bool good = true;
  for (std::size_t i = 0; i < item.items.size(); ++i) {
    // The path of a component is made only for a message: large decks are mostly vectors.
    const Item& one = item.items[i];
    const auto plain = one.kind == Item::Kind::scalar && !one.quoted ? parse_number(one.text) : std::nullopt;
    if (plain && std::isfinite(*plain) && in_bounds(*plain * scale, field)) {
      list.push_back(*plain * scale);
    } else if (const auto v = number(one, join_path(path, std::to_string(i)), field, scale)) {
      list.push_back(*v);
    } else {
      good = false;
    }
  }
  if (!good) return std::nullopt;
  return list;
}

// YAML 1.2 knows these words alone; yes and on are texts.
std::optional<bool> PlainReader::flag(const Item& item, const std::string& path) {
  if (item.kind == Item::Kind::scalar && !item.quoted) {
    for (const auto* word : {"true", "True", "TRUE"})
      if (item.text == word) return true;
    for (const auto* word : {"false", "False", "FALSE"})
      if (item.text == word) return false;
  }
  findings_.add(item, path, "expected true or false, found " + describe(item));
  return std::nullopt;
}

std::optional<std::string> PlainReader::text(const Item& item, const std::string& path, std::string_view what) {
  if (item.kind == Item::Kind::scalar) return item.text;
  findings_.add(item, path, "expected " + std::string(what) + ", found " + describe(item));
  return std::nullopt;
}

// With the nearest choice where one is near, else with all of them.
std::optional<std::string> PlainReader::choice(const Item& item, const std::string& path, const Field& field) {
  const auto name = text(item, path);
  if (!name) return std::nullopt;
  if (std::find(field.choices.begin(), field.choices.end(), *name) != field.choices.end()) return name;
  std::vector<std::string> known(field.choices.begin(), field.choices.end());
  std::string hint = findings_.suggestion(*name, known);
  if (hint.empty()) hint = "; one of: " + list_text(field.choices);
  if (field.type == model::FieldType::choice_or_integer) hint += ", or a whole number";
  findings_.add(item, path, "unknown " + std::string(field.name) + " '" + *name + "'" + hint);
  return std::nullopt;
}

std::optional<std::vector<std::string>> PlainReader::choices(const Item& item, const std::string& path,
                                                             const Field& field) {
  const auto list = names(item, path);
  if (!list) return std::nullopt;
  bool good = true;
  for (std::size_t i = 0; i < list->size(); ++i)
    good &= choice(item.items[i], join_path(path, std::to_string(i)), field).has_value();
  if (!good) return std::nullopt;
  return list;
}

// Names that stand twice are refused: the second would change nothing, or count twice.
std::optional<std::vector<std::string>> PlainReader::names(const Item& item, const std::string& path) {
  const bool plain =
      item.kind == Item::Kind::sequence &&
      std::all_of(item.items.begin(), item.items.end(), [](const Item& i) { return i.kind == Item::Kind::scalar; });
  if (!plain) {
    findings_.add(item, path, "expected a list of names, found " + describe(item));
    return std::nullopt;
  }
  std::vector<std::string> list;
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < item.items.size(); ++i) {
    const std::string& name = item.items[i].text;
    if (!seen.insert(name).second) {
      findings_.add(item.items[i], join_path(path, std::to_string(i)),
                    "'" + name + "' stands twice in this list; remove one");
      return std::nullopt;
    }
    list.push_back(name);
  }
  return list;
}

}  // namespace polhode::io
