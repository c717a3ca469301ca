// SPDX-License-Identifier: BSD-3-Clause
// A digest of a text, against torn lines and changed files, not against malice.
#pragma once
#include <cstdint>
#include <string_view>

namespace polhode::io {

// FNV-1a, 64 bits.
constexpr std::uint64_t digest(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

}  // namespace polhode::io
