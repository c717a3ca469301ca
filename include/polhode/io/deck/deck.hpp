// SPDX-License-Identifier: BSD-3-Clause
// Reading a deck: YAML to a model and what to do with it; every error with its place in the file, all of them in one
// go.
#pragma once
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "polhode/analyses/catalog.hpp"
#include "polhode/model/model.hpp"
#include "polhode/model/problem.hpp"
#include "polhode/model/units.hpp"

namespace polhode::io {

struct Place {
  int line = 0;    // from 1
  int column = 0;  // 0 where a value came from --set
  int file = 0;    // 0: the deck itself; else the number of an included file, from 1
};

// Which files a deck may include.
enum class Includes {
  inside,   // those in the deck's folder and in folders in it
  anywhere  // all
};

struct Deck {
  std::string file;  // as given on the command line
  std::string title;
  std::string description;
  std::string text;    // the deck as read, after --set: valid YAML, stored in the results
  model::Units units;  // of all numbers
  model::Model model;
  std::vector<analyses::Analysis> analyses;  // done in turn
  results::OutputSettings output;
  std::vector<results::Response> responses;
  std::vector<std::string> tables;      // files of functions of time that were read
  std::vector<std::string> included;    // files that stand in the deck by `include`, in the order of Place::file
  std::map<std::string, Place> places;  // of each entry of the deck by its path ("joints.pivot.axis")
};

// All problems of a deck, formatted: "FILE:LINE:COLUMN: deck.path: message", one a line, in the order of the file.
struct DeckError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// A --set that is no PATH=VALUE, or whose path leads through a number: wrong usage.
struct SettingError : DeckError {
  using DeckError::DeckError;
};
// The file cannot be read.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Reads and validates `file`; `settings` are PATH=VALUE texts of --set, applied before validation.
// Throws DeckError (SettingError for a --set that is no setting) or FileError.
Deck read_deck(const std::string& file, const std::vector<std::string>& settings = {},
               Includes includes = Includes::inside);

// A deck whose text is parsed once, and read as often as wanted with other values.
class DeckSource {
 public:
  // Throws DeckError or FileError.
  explicit DeckSource(const std::string& file, Includes includes = Includes::inside);
  // As if the file held this text. Throws DeckError.
  DeckSource(const std::string& file, const std::string& text, Includes includes = Includes::inside);
  ~DeckSource();
  DeckSource(DeckSource&&) noexcept;
  DeckSource& operator=(DeckSource&&) noexcept;

  void set(const std::string& setting);  // PATH=VALUE; throws SettingError
  // One plain value, with the place of the entry whose value it replaces, if there is one.
  void set_value(const std::string& path, const std::string& value);
  // Validates; throws DeckError. Without text `Deck::text` stays empty, which saves the time to write it.
  Deck read(bool with_text = true) const;
  std::string text() const;  // the deck as it stands now, YAML
  // The deck without parts: instances as entries of their own. Throws DeckError where the deck is wrong.
  std::string flat_text() const;
  const std::string& file() const;
  void use_absolute_files();  // of functions of time, so that the text may stand in another folder

  struct Impl;  // for the reader of studies
  Impl& impl() { return *impl_; }
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

// Problems found later, in the assembled model, in the same form; a path that is no entry of the file takes the place
// of its nearest ancestor that is one.
std::string format_problems(const Deck& deck, const model::Problems& problems);

// Throws DeckError with this text if there are any problems.
void throw_problems(const Deck& deck, const model::Problems& problems);

// The path of one of its analyses: "analysis.1", or "analysis" where it is no list.
std::string analysis_path(const Deck& deck, std::size_t index);

// JSON Schema (draft 2020-12) of the deck, from the tables that the reader uses.
std::string deck_schema();

// The reference of the deck as Markdown, from the same tables.
std::string deck_reference();

}  // namespace polhode::io
