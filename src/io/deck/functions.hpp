// SPDX-License-Identifier: BSD-3-Clause
// Values that are functions of time, of another variable or of several.
#pragma once
#include "reader.hpp"

namespace polhode::io {

// A number, an expression in the field's variable; of time also samples, in the deck or in a CSV file beside it. Values
// are multiplied with `scale`. Empty where there is an error, which is in the findings.
std::optional<model::TimeFunction> read_function(const Item& item, const std::string& path, const model::Field& field,
                                                 double scale, Reader& reader);

// A number, or an expression in the field's variables and t. Empty where there is an error, which is in the findings.
std::optional<model::Expression> read_law(const Item& item, const std::string& path, const model::Field& field,
                                          Reader& reader);

}  // namespace polhode::io
