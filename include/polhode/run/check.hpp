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
  model::Problems problems;          // where there are any, the rest is not complete
  std::size_t nodes = 0;             // the ground not included
  std::map<std::string, int> kinds;  // elements of each kind
  int unknowns = 0;                  // free ones
  int constraint_rows = 0;
  int constraint_rank = 0;
  std::string redundant;             // how redundant constraint equations are resolved; "" where there are none
  double length = 0;                 // size of the model, m
  std::string start;                 // what the start of the first analysis changes; "" where nothing is known
  double states = 0;                 // that the results will hold
  bool states_are_guessed = false;   // by steps under control
  std::size_t histories = 0;
  double result_bytes = 0;           // about
};

ModelSummary check_deck(const io::Deck& deck);

// The deck's responses without values. What they ask for and the model cannot give is reported in `problems`.
std::vector<ResponseValue> check_responses(const io::Deck& deck, model::Problems& problems);

}  // namespace polhode::run
