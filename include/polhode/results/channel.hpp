// SPDX-License-Identifier: BSD-3-Clause
// The results of a run as channels: named histories that share one flat row of numbers a stored state.
#pragma once
#include <string>
#include <vector>

namespace polhode::results {

// One history. A row of numbers holds its values at [offset, offset + product(shape)), last index fastest.
struct Channel {
  // Of the dataset: "/nodes/position", "/joints/pivot/force", "/energy/kinetic", "/time".
  std::string path;
  // Without the time axis; {} = a scalar history [T].
  std::vector<int> shape;
  // Of an SI deck: "m/s", "N, N m" where components differ, "" or "1" of counts and ratios.
  std::string units;
  // Of the components: "inertial", "body" (the node's own), "section", or "" where none applies.
  std::string frame;
  std::string description;
  std::size_t offset = 0;
  // Stored as int32: counts and indices.
  bool integer = false;
};

// Data that does not change in time, stored once: either names, or indices, or numbers.
struct StaticData {
  std::string path;
  std::string description;
  std::vector<std::string> names;
  // Indices and numbers have `shape`, last index fastest. Without a shape they are a list.
  std::vector<int> indices;
  std::vector<double> numbers;
  std::vector<int> shape;
  std::string units = "";
  // Indices also where there are none: an empty list of indices.
  bool integer = false;
};

// All that a results file of a run holds, apart from its values.
struct Layout {
  // One row a stored state: /time, /nodes, /joints, /energy, ...
  std::vector<Channel> states;
  // One row a step: /solver.
  std::vector<Channel> steps;
  std::vector<StaticData> statics;
  // Numbers a row.
  std::size_t state_size = 0;
  std::size_t step_size = 0;
};

}  // namespace polhode::results
