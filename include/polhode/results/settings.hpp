// SPDX-License-Identifier: BSD-3-Clause
// What a deck asks of its output: states to store, and responses.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "polhode/model/settings.hpp"
#include "polhode/results/result_expression.hpp"

namespace polhode::results {

// Which states of a run are stored, and what of them.
struct OutputSettings {
  // Store every n-th step; the first and the last state always.
  int every = 1;
  // States at these times instead, between the steps (dense output): multiples of `interval` from the start of the run,
  // or `times` (ascending), s.
  std::optional<double> interval;
  std::vector<double> times;
  // Names of groups to store; empty = all.
  std::vector<std::string> fields;
  // Steps from one restart point to the next; 0: none. Not given: analyses/restart_points.hpp.
  std::optional<int> restart;
};

// What a run contains; some channels exist only where their numbers do.
struct RunContents {
  bool step_control = false;         // steps chosen by their error
  bool static_analyses = false;      // an analysis of `type: static`
  bool discrete_invariants = false;  // a method that keeps momenta or energy of its own, energy_momentum or variational
  double modes = 0;                  // shapes that are stored, about
};

// A small number of a run, over all stored states.
struct Response {
  enum class Kind { max_abs, range, min, max, last, rms, at };
  std::string name;
  Kind kind = Kind::last;
  // A channel and, if wanted, an item and a component: "nodes.tip.position.z"; or "=expression", which is then there too
  std::string of;
  double time = 0;  // s, of Kind::at
  std::optional<ResultExpression> expression{};
};

// `output` of a deck. Times are sorted; those that are equal to round-off become one.
extern const model::SettingsTable output_table;
// An entry of `responses`: exactly one key, which says the kind.
extern const model::SettingsTable response_table;

}  // namespace polhode::results
