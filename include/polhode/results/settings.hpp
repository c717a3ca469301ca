// SPDX-License-Identifier: BSD-3-Clause
// What a deck asks of its output: states to store, and responses.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "polhode/model/settings.hpp"

namespace polhode::results {

struct OutputSettings {
  int every = 1;  // store every n-th step; the first and the last state always
  // States at these times instead, between the steps (dense output): multiples of `interval`, or `times`
  // (ascending).
  std::optional<double> interval;   // s, from the start of the run
  std::vector<double> times;        // s
  std::vector<std::string> fields;  // names of groups to store; empty = all
};

// A small number of a run, over all stored states.
struct Response {
  enum class Kind { max_abs, range, min, max, last, rms, at };
  std::string name;
  Kind kind = Kind::last;
  std::string of;   // a channel and, if wanted, an item and a component: "nodes.tip.position.z"
  double time = 0;  // s, of Kind::at
};

// `output` of a deck. Times are sorted; those that are equal to round-off become one.
extern const model::SettingsTable output_table;
// An entry of `responses`: exactly one key, which says the kind.
extern const model::SettingsTable response_table;

}  // namespace polhode::results
