// SPDX-License-Identifier: BSD-3-Clause
// What a deck is read from: its text and its tree.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "io/yaml/document.hpp"
#include "io/yaml/findings.hpp"

namespace polhode::io {

inline constexpr std::string_view deck_format = "polhode-deck/1";

struct DeckSource::Impl {
  // as it stands in the file
  std::string file;
  std::string text;
  Item root;
  // In the order of Place::file.
  std::vector<std::string> included;
  // Of `text` and `root`, which one text() gives.
  bool changed = false;  // the tree is no longer that of the text
  // Paths of parameters of the deck and of its parts that settings have made.
  std::set<std::string> made_parameters;
  // Of an entry that an instance makes; it is set once that is there.
  struct LateSetting {
    std::string path;
    std::string value;
    bool plain = false;  // as of set_value()
  };
  std::vector<LateSetting> late_settings;

  // PATH=VALUE of --set, and one plain value; both throw SettingError.
  void set(const std::string& setting);
  void set_value(const std::string& path, const std::string& value);

  // The tree that is read: without parts, with all settings. What is wrong with parts goes to the findings. Throws
  // SettingError.
  Item flat(Findings& findings) const;

 private:
  std::set<std::string> parameters() const;
  void note_changes(const std::set<std::string>& before);
};

std::string read_file(const std::string& file);  // throws FileError; DeckError: without end
std::string folder_of(const std::string& file);  // "" or with a slash at its end

// The tree of a file that begins as a mapping; `what` and `format_name` are for messages. Throws DeckError.
Item parse_file(const std::string& file, const std::string& text, const std::string& what,
                std::string_view format_name);
void check_format(const Item& root, std::string_view format_name, const std::string& what, Findings& findings);

// The places of all entries by their paths.
void collect_places(const Item& item, const std::string& path, std::map<std::string, Place>& places);

// Parameters that settings have made and that no expression uses go to the findings, with the nearest name.
void check_made_parameters(const DeckSource::Impl& source, Findings& findings);

// Reads and validates the tree; what is wrong goes to the findings.
Deck read_tree(const DeckSource::Impl& source, Findings& findings);

}  // namespace polhode::io
