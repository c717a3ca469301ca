// SPDX-License-Identifier: BSD-3-Clause
// Numbers and counts as text for messages.
#pragma once
#include <string>
#include <string_view>

namespace polhode::model {

// The shortest text that gives the number back: "0.1", "1e-06", "4".
std::string number_text(double value);
// With so many significant digits, of a number that was computed: "0.333".
std::string rounded_text(double value, int digits = 3);

// For a terminal, which takes control characters for commands: each but line ends and tabs is a question mark.
std::string shown_text(std::string_view text);

// "1 node", "2 nodes"
inline std::string counted(long count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace polhode::model
