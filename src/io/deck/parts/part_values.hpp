// SPDX-License-Identifier: BSD-3-Clause
// Parameters of parts: numbers, vectors and matrices that stand in expressions, replaced by their values.
#pragma once
#include <functional>
#include <map>
#include <string>

#include "io/yaml/document.hpp"

namespace polhode::io {

// The values of names, without expressions of names of the same scope.
using PartValues = std::map<std::string, Item, std::less<>>;

// What is wrong with an expression, at its place.
using ReportValue = std::function<void(const Item& at, std::string message)>;

// Puts values in the place of names: "=name" becomes the value, whatever it is; inside of longer expressions a number
// takes the place of the name, and a component that of `name[k]` or `name[k][l]`, counted from 0. Names without a value
// are left as they are. A list without an index, and an index that the list does not have, are reported.
void substitute_values(Item& item, const PartValues& values, const ReportValue& report);

// All names in the expressions of an item. Expressions that cannot be read have none.
std::vector<std::string> names_in(const Item& item);

}  // namespace polhode::io
