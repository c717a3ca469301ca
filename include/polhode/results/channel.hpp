// SPDX-License-Identifier: BSD-3-Clause
// The results of a run as channels: named histories that share one flat row of numbers a stored state.
#pragma once
#include <string>
#include <vector>

namespace polhode::results {

// One history. A row of numbers of a state holds at [offset, offset + product(shape)) its values, last index fastest.
struct Channel {
  std::string path;        // of the dataset: "/nodes/position", "/joints/pivot/force", "/energy/kinetic", "/time"
  std::vector<int> shape;  // without the time axis; {} = a scalar history [T]
  std::string units;       // SI
  std::string frame;       // "inertial", "body", "section", or "" where none applies
  std::string description;
  std::size_t offset = 0;  // into the row
  bool integer = false;    // stored as int32 (counts, indices)
};

// Data that does not change in time, stored once.
struct StaticData {
  std::string path;
  std::string description;
  std::vector<std::string> names;  // either names,
  std::vector<int> indices;        // or indices of shape `shape`,
  std::vector<double> numbers;     // or numbers of shape `shape`
  std::vector<int> shape;
  std::string units = "";
  bool integer = false;  // indices, also where there are none
};

// All that a results file of a run holds, apart from its values.
struct Layout {
  std::vector<Channel> states;  // one row a stored state
  std::vector<Channel> steps;   // one row a step: /solver/...
  std::vector<StaticData> statics;
  // numbers a row
  std::size_t state_size = 0;
  std::size_t step_size = 0;
};

}  // namespace polhode::results
