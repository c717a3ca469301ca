// SPDX-License-Identifier: BSD-3-Clause
// Names in the text of expressions: many that all of them may use, and others in the place of these.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "polhode/model/expression.hpp"

namespace polhode::model {

// Variables of many expressions, each found without a search through all of them.
class VariableNames {
 public:
  VariableNames() = default;
  explicit VariableNames(std::vector<std::string> names);
  const std::vector<std::string>& list() const { return list_; }
  bool contains(std::string_view name) const { return index_of(name) >= 0; }
  // In the list; -1: it is none of them.
  int index_of(std::string_view name) const;

 private:
  std::vector<std::string> list_;
  std::map<std::string, int, std::less<>> index_;
};

// As Expression::parse() and Expression::names_used() with the list of these names, which these would search for each
// name of the text.
Expression parse_expression(std::string_view text, const std::map<std::string, double, std::less<>>& parameters,
                            bool allow_time, const VariableNames& variables);
std::vector<std::string> names_used_in(std::string_view text, const VariableNames& variables);

// The new name of what an expression calls `name`; the same where it keeps its name.
using NewName = std::function<std::string(std::string_view name)>;

// `text` (without the leading '=') with new names of what it uses, `t` and `pi` included; numbers, functions and blanks
// stay as they are. A text that is no expression comes back unchanged.
std::string with_new_names(std::string_view text, const NewName& new_name);

}  // namespace polhode::model
