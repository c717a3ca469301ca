// SPDX-License-Identifier: BSD-3-Clause
// Numbers as texts.
#include "polhode/model/text.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace polhode::model {

// The shortest of three precisions that reads back as the same number: 0.1 stays 0.1.
std::string number_text(double value) {
  std::string text;
  for (const int digits : {6, 15, 17}) {
    text = fmt::format("{:.{}g}", value, digits);
    if (std::strtod(text.c_str(), nullptr) == value) break;
  }
  return text;
}

std::string rounded_text(double value, int digits) { return fmt::format("{:.{}g}", value, digits); }

std::string shown_text(std::string_view text) {
  std::string shown(text);
  for (char& c : shown)
    if ((c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == '\x7f') c = '?';
  return shown;
}

}  // namespace polhode::model
