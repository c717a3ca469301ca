// SPDX-License-Identifier: BSD-3-Clause
// The head of a restart point in a file: what it is known by, its length, and its check sum.
#pragma once
#include <array>
#include <bit>
#include <optional>
#include <span>

#include "polhode/io/hdf5/restart_file.hpp"

namespace polhode::io {

constexpr const char* restart_path = "/restart/points";
// Of what is written into points; grows with every change of it.
constexpr const char* restart_format = "polhode-restart/2";

constexpr std::size_t words_of_head = 10;

struct CheckedHead {
  RestartHead head;
  // Of its body
  std::uint64_t words = 0;
};

// FNV-1a of words.
inline std::uint64_t check_sum(std::span<const double> words, std::uint64_t sum = 14695981039346656037u) {
  for (const double word : words) sum = (sum ^ std::bit_cast<std::uint64_t>(word)) * 1099511628211u;
  return sum;
}

// The head as words; the last one is the check sum of the others and the body.
std::array<double, words_of_head> words_of(const RestartHead& head, std::span<const double> body);
// Nothing where no head begins there, or is longer than `most` words with its body.
std::optional<CheckedHead> head_at(std::span<const double> words, std::uint64_t most);
bool is_whole(std::span<const double> words, const CheckedHead& head);

}  // namespace polhode::io
