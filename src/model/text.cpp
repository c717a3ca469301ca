// SPDX-License-Identifier: BSD-3-Clause
// Numbers as texts.
#include "polhode/model/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polhode/math/decimal.hpp"

namespace polhode::model {

// The shortest of three precisions that reads back as the same number: 0.1 stays 0.1.
std::string number_text(double value) {
  std::string text;
  for (const int digits : {6, 15, 17}) {
    text = fmt::format("{:.{}g}", value, digits);
    if (math::decimal(text.c_str(), nullptr) == value) break;
  }
  return text;
}

std::string rounded_text(double value, int digits) { return fmt::format("{:.{}g}", value, digits); }

namespace {

// Bytes at the begin of a UTF-8 text that a terminal obeys, 0 if none does: C0 and C1 controls, U+007F, and the marks
// that turn the direction of what follows (U+202A to U+202E, U+2066 to U+2069).
std::size_t length_of_control(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto is_between = [](unsigned value, unsigned low, unsigned high) { return value >= low && value <= high; };
  if (text[0] == '\n' || text[0] == '\t') return 0;
  if (byte(0) < ' ' || byte(0) == 0x7f) return 1;
  if (byte(0) == 0xc2 && is_between(byte(1), 0x80, 0x9f)) return 2;
  if (byte(0) != 0xe2) return 0;
  const bool turns =
      (byte(1) == 0x80 && is_between(byte(2), 0xaa, 0xae)) || (byte(1) == 0x81 && is_between(byte(2), 0xa6, 0xa9));
  return turns ? 3 : 0;
}

}  // namespace

std::string shown_text(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t control = length_of_control(text);
    shown += control > 0 ? '?' : text[0];
    text.remove_prefix(std::max<std::size_t>(control, 1));
  }
  return shown;
}

}  // namespace polhode::model
