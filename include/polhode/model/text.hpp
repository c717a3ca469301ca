// SPDX-License-Identifier: BSD-3-Clause
// Text by a printf pattern.
#pragma once
#include <string>

namespace polhode::model {

std::string format(const char* pattern, ...) __attribute__((format(printf, 1, 2)));

// "1 node", "2 nodes"
inline std::string counted(long count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace polhode::model
