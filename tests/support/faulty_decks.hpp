// SPDX-License-Identifier: BSD-3-Clause
// The decks of inputs/faulty: each states in its first lines the messages that it must be refused with.
#pragma once
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/places.hpp"

namespace polhode::support {

struct FaultyDeck {
  std::string file;
  // "LINE:COLUMN: path: message", in the order in which they must come; of the lines that begin with
  // "# error: " (found by the reader) and "# model error: " (found in the assembled model).
  std::vector<std::string> reader_errors;
  std::vector<std::string> model_errors;
};

inline std::vector<FaultyDeck> faulty_decks(const std::string& folder = "inputs/faulty") {
  std::vector<FaultyDeck> decks;
  for (const auto& entry : std::filesystem::directory_iterator(POLHODE_SOURCE_DIR "/" + folder)) {
    if (entry.path().extension() != ".yaml") continue;
    FaultyDeck deck{entry.path().string(), {}, {}};
    std::ifstream stream(deck.file);
    for (std::string line; std::getline(stream, line) && line.starts_with('#');) {
      constexpr std::string_view reader = "# error: ";
      constexpr std::string_view model = "# model error: ";
      if (line.starts_with(reader)) deck.reader_errors.push_back(line.substr(reader.size()));
      if (line.starts_with(model)) deck.model_errors.push_back(line.substr(model.size()));
    }
    decks.push_back(std::move(deck));
  }
  std::sort(decks.begin(), decks.end(), [](const FaultyDeck& a, const FaultyDeck& b) { return a.file < b.file; });
  return decks;
}

// The lines of `messages` without the name of the file in front of each.
inline std::vector<std::string> without_file(const std::string& messages, const std::string& file) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < messages.size();) {
    const std::size_t end = std::min(messages.find('\n', begin), messages.size());
    std::string line = messages.substr(begin, end - begin);
    if (line.starts_with(file + ":")) line.erase(0, file.size() + 1);
    lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

}  // namespace polhode::support
