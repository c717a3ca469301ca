// SPDX-License-Identifier: BSD-3-Clause
// Text by a printf pattern.
#include "polhode/model/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace polhode::model {

// Twice: once for the length, once for the text.
std::string format(const char* pattern, ...) {
  va_list arguments;
  va_list again;
  va_start(arguments, pattern);
  va_copy(again, arguments);
  const int length = std::max(0, std::vsnprintf(nullptr, 0, pattern, arguments));
  std::string text(static_cast<std::size_t>(length), ' ');
  std::vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  va_end(arguments);
  return text;
}

// The shortest of three precisions that reads back as the same number: 0.1 stays 0.1.
std::string number_text(double value) {
  std::string text;
  for (const int digits : {6, 15, 17}) {
    text = fmt::format("{:.{}g}", value, digits);
    if (std::strtod(text.c_str(), nullptr) == value) break;
  }
  return text;
}

std::string rounded_text(double value) { return fmt::format("{:.3g}", value); }

}  // namespace polhode::model
