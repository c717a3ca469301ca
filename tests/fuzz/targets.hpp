// SPDX-License-Identifier: BSD-3-Clause
// What is fuzzed: readers of texts and files that may be anything. Each answers by the errors that it declares, and ends
// the program where another one comes or a law does not hold. They are called by libFuzzer (scripts/fuzz), by
// polhode_fuzz with changes at random, and with some thousands of these by the test suite.
#pragma once
#include <cstdlib>
#include <span>
#include <string_view>

namespace polhode::fuzz {

struct Target {
  std::string_view name;
  void (*read)(std::string_view text);
  // Bytes that lie at fixed places: they are changed, and none is added or taken away.
  bool is_binary = false;
};

std::span<const Target> targets();
// nullptr if there is none of this name.
const Target* find_target(std::string_view name);

// All builds see it: an assertion would be none in a release.
inline void require(bool law) {
  if (!law) std::abort();
}

// Texts: tests/fuzz/text_targets.cpp
void expression(std::string_view text);
void csv(std::string_view text);
void rows(std::string_view text);
// Files: tests/fuzz/file_targets.cpp
void deck(std::string_view text);
void table(std::string_view text);
void study(std::string_view text);
void results(std::string_view bytes);

// A file of this process that holds `text` until the next call, in memory where the system has such a place. Beside it
// is `deck.yaml`, the deck of the studies in the corpus.
std::string_view file_of(std::string_view text, std::string_view name);
// The folder of these files, with a slash behind it.
std::string_view folder_of_files();

}  // namespace polhode::fuzz
