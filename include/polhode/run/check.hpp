// SPDX-License-Identifier: BSD-3-Clause
// A deck checked without running it: the model assembled, its constraints met, its results laid out.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "polhode/io/deck/deck.hpp"
#include "polhode/run/result.hpp"

namespace polhode::run {

// Sizes of a model and of its results.
struct ModelSummary {
  // Where there are any, the rest is not complete
  model::Problems problems;
  // The ground not included
  std::size_t nodes = 0;
  // Elements of each kind
  std::map<std::string, int> kinds;
  // Free ones
  int unknowns = 0;
  int constraint_rows = 0;
  int constraint_rank = 0;
  // How redundant constraint equations are resolved; "" where there are none
  std::string redundant;
  // Size of the model, m
  double length = 0;
  // What the start of the first analysis changes; "" where nothing is known
  std::string start;
  // That the results will hold
  double states = 0;
  // By steps under control
  bool states_are_guessed = false;
  std::size_t histories = 0;
  // About
  double result_bytes = 0;
};

ModelSummary check_deck(const io::Deck& deck);

// The deck's responses without values. What they ask for and the model cannot give is reported in `problems`.
std::vector<ResponseValue> check_responses(const io::Deck& deck, model::Problems& problems);

}  // namespace polhode::run
