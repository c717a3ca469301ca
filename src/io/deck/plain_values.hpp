// SPDX-License-Identifier: BSD-3-Clause
// Values that refer to nothing but parameters: numbers and constant expressions, texts, choices, and lists of them.
#pragma once
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/yaml/findings.hpp"
#include "tables.hpp"

namespace polhode::io {

// A direction of any length: as it is, but scaled to a largest component of 1 where the squares of its components would
// vanish or overflow.
template <class Vector>
void scale_direction(Vector&& direction) {
  double largest = 0;
  for (const double x : direction) largest = std::max(largest, std::abs(x));
  if (largest > 1e-100 && largest < 1e100) return;
  for (double& x : direction) x /= largest;
}

// The named numbers of a deck, which expressions may use.
struct Parameters {
  std::map<std::string, double, std::less<>> values;
  // Those with an error of their own, whose users are silent.
  std::set<std::string, std::less<>> faulty;

  // True if the expression (without its '=') uses a faulty parameter, which has been reported.
  bool is_faulty(const std::string& expression) const;
};

// Functions return nothing where a value is wrong, which they have added to the findings.
class PlainReader {
 public:
  // Refers to both as long as it lives.
  PlainReader(Findings& findings, const Parameters& parameters) : findings_(findings), parameters_(parameters) {}

  // Finite, and in the bounds of `field` after multiplication with `scale`, which turns degrees into radians.
  std::optional<double> number(const Item& item, const std::string& path, const model::Field& field, double scale = 1);
  // A whole number up to 1e9.
  std::optional<double> whole_number(const Item& item, const std::string& path, const model::Field& field);
  // A list of `size` numbers, or of any number of them where `size` is 0.
  std::optional<std::vector<double>> numbers(const Item& item, const std::string& path, const model::Field& field,
                                             int size, double scale = 1);
  // True of what is written as a number or as an expression.
  static bool is_number(const Item& item);
  std::optional<bool> flag(const Item& item, const std::string& path);
  std::optional<std::string> text(const Item& item, const std::string& path, std::string_view what = "a name");
  std::optional<std::string> choice(const Item& item, const std::string& path, const model::Field& field);
  // Lists of names and of choices, none of them twice.
  std::optional<std::vector<std::string>> names(const Item& item, const std::string& path);
  std::optional<std::vector<std::string>> choices(const Item& item, const std::string& path, const model::Field& field);

 private:
  Findings& findings_;
  const Parameters& parameters_;

  // The value of "=..." without time.
  std::optional<double> expression(const Item& item, const std::string& path);
};

}  // namespace polhode::io
