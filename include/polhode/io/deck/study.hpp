// SPDX-License-Identifier: BSD-3-Clause
// Reading a study: one deck, what is varied in it, and what is asked of each case. Validated as a deck is.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "polhode/io/deck/deck.hpp"

namespace polhode::io {

// A value of the deck that the study varies: a list of numbers, a list of texts, or a range between two numbers.
struct Axis {
  std::string path;
  std::vector<double> numbers;     // of a list; the two ends of a range
  std::vector<std::string> texts;  // of a list of texts
  bool range = false;              // linspace, logspace; samples may lie anywhere between the ends
  bool logarithmic = false;        // equal ratios, not differences
  std::size_t count = 0;           // of the values of a range, both ends among them, at least two
  // Number of values.
  std::size_t size() const;
  // Value `i` of a list of numbers, or of a range: the ends are exact.
  double number(std::size_t i) const;
};

struct Sampling {
  enum class Kind { grid, zip, latin_hypercube, sobol } kind = Kind::grid;
  std::size_t samples = 0;  // of the last two
  std::uint64_t seed = 0;
};

struct Study {
  std::string file;
  std::string title;
  std::string text;
  DeckSource deck;  // with the responses of the study, that stand behind its own
  std::vector<Axis> axes;
  Sampling sampling;
  enum class Keep { responses, failed, all } keep = Keep::responses;
  std::map<std::string, Place> places;  // of each entry of the study
  // What the numbers of the table depend on, each part with its text or with a digest: a study that has changed shows
  // here.
  std::vector<std::pair<std::string, std::string>> identity;

  std::size_t cases() const;
};

// Throws DeckError (also for what is wrong with the deck) or FileError.
Study read_study(const std::string& file, Includes includes = Includes::inside);

// Problems of the study's responses in its assembled model, with their places in the study; those of the deck's own
// with places in the deck.
std::string format_problems(const Study& study, const Deck& deck, const model::Problems& problems);

// Throws DeckError with this text if there are any problems.
void throw_problems(const Study& study, const Deck& deck, const model::Problems& problems);

std::string study_schema();     // JSON Schema (draft 2020-12), from the tables that the reader uses
std::string study_reference();  // the keys as Markdown

}  // namespace polhode::io
