// SPDX-License-Identifier: BSD-3-Clause
// Decks out of texts, for tests.
#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "polhode/io/deck/deck.hpp"

namespace polhode::support {

// A file in a folder of its own for as long as it is needed.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& text) {
    static int count = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("polhode_" + std::to_string(getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directory(folder_);
    path = (folder_ / name).string();
    std::ofstream(path) << text;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path;

 private:
  std::filesystem::path folder_;
};

inline io::Deck deck_of(const std::string& text, const std::vector<std::string>& settings = {}) {
  const TemporaryFile file("deck.yaml", text);
  return io::read_deck(file.path, settings);
}

// The messages that a file of this text is refused with by read(path), without its name; empty if it is read.
template <class Read>
std::string refusal_by(const Read& read, const std::string& name, const std::string& text) {
  const TemporaryFile file(name, text);
  try {
    read(file.path);
  } catch (const io::DeckError& error) {
    std::string messages = error.what();
    for (std::size_t at; (at = messages.find(file.path + ":")) != std::string::npos;)
      messages.erase(at, file.path.size() + 1);
    return messages;
  }
  return "";
}

inline std::string refusal_of(const std::string& text, const std::vector<std::string>& settings = {}) {
  return refusal_by([&](const std::string& path) { io::read_deck(path, settings); }, "deck.yaml", text);
}

}  // namespace polhode::support
