// SPDX-License-Identifier: BSD-3-Clause
// Names that values of a deck may refer to, collected before anything that refers to them is read.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "io/yaml/document.hpp"
#include "polhode/model/expression.hpp"

namespace polhode::io {

// A list for suggestions, a map for look-ups.
struct Names {
  std::vector<std::string> list;
  std::unordered_map<std::string, const Item*> by_name;
  void add(const Item& item);
  bool contains(const std::string& name) const { return by_name.contains(name); }
};

// By the part of the deck that they stand in.
struct DeckNames {
  Names nodes;
  Names sections;
  Names bodies;
  Names beams;
  Names joints;
  Names signals;
  model::VariableNames signal_values;                // in order: of a signal with several outputs NAME.0, NAME.1, ...
  std::unordered_map<std::string, int> inner_nodes;  // how many each beam has, known once the beams are read
};

}  // namespace polhode::io
