// SPDX-License-Identifier: BSD-3-Clause
// Other names in the text of an expression.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace polhode::model {

// The new name of what an expression calls `name`; the same where it keeps its name.
using NewName = std::function<std::string(std::string_view name)>;

// `text` (without the leading '=') with new names of what it uses, `t` and `pi` included; numbers, functions and blanks
// stay as they are. A text that is no expression comes back unchanged.
std::string with_new_names(std::string_view text, const NewName& new_name);

}  // namespace polhode::model
