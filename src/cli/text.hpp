// SPDX-License-Identifier: BSD-3-Clause
// Text by a printf pattern.
#pragma once
#include <string>

namespace polhode::cli {

std::string format(const char* pattern, ...) __attribute__((format(printf, 1, 2)));

}  // namespace polhode::cli
