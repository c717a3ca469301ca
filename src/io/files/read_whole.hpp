// SPDX-License-Identifier: BSD-3-Clause
// Texts that are read whole into memory: decks, studies, tables. What has no end is refused before memory has.
#pragma once
#include <cstddef>
#include <string>

namespace polhode::io {

// Bytes. The largest decks that anybody runs, of a million bodies with a line of 150 characters each, have a seventh.
inline constexpr std::size_t most_bytes_of_a_text = 1'000'000'000;

struct WholeText {
  std::string text;
  // Number of errno where it cannot be read; 0 else
  int error = 0;
  // Why it is not read though it could be, and what to do, as a part of a sentence: "is a device, ..."; "" else
  std::string refusal;
};

// The bytes of a regular file or of a pipe, which is read up to the limit. Waits for the other end of a pipe.
WholeText read_whole(const std::string& file, std::size_t most = most_bytes_of_a_text);

}  // namespace polhode::io
