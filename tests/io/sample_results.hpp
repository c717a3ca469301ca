// SPDX-License-Identifier: BSD-3-Clause
// A small layout of results with known values, and temporary folders to write it to.
#pragma once
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "polhode/results/channel.hpp"

namespace polhode::test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    // mkdtemp puts six characters of its own in the place of the last six.
    std::string name = (std::filesystem::temp_directory_path() / ("polhode_" + std::string(6, 'X'))).string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline void add_channel(std::vector<results::Channel>& channels, std::size_t& size, results::Channel channel) {
  std::size_t count = 1;
  for (const int n : channel.shape) count *= static_cast<std::size_t>(n);
  channel.offset = size;
  size += count;
  channels.push_back(std::move(channel));
}

// Nodes tip, arm.1, ... (`nodes` in all), one joint with a motor's angle, one beam along all nodes, energies, solver.
inline results::Layout make_layout(int nodes = 3) {
  results::Layout layout;
  const auto state = [&](results::Channel channel) {
    add_channel(layout.states, layout.state_size, std::move(channel));
  };
  const auto step = [&](results::Channel channel) { add_channel(layout.steps, layout.step_size, std::move(channel)); };
  state({"/energy/total", {}, "J", "", "total energy"});
  state({"/time", {}, "s", "", "times of the stored states"});
  state({"/analysis", {}, "1", "", "analysis of the state", 0, true});
  state({"/nodes/position", {nodes, 3}, "m", "inertial", "positions"});
  state({"/nodes/velocity", {nodes, 3}, "m/s", "inertial", "velocities"});
  state({"/nodes/rotation", {nodes, 4}, "1", "inertial", "unit quaternions"});
  state({"/joints/motor/force", {3}, "N", "inertial", "reaction"});
  state({"/joints/motor/coordinates", {1}, "rad", "", "angle"});
  state({"/beams/arm/forces", {nodes - 1, 6}, "N, N m", "section", "section forces"});
  step({"/solver/time", {}, "s", "", "end of the step"});
  step({"/solver/newton_iterations", {}, "1", "", "linear solves", 0, true});
  results::StaticData names{"/nodes/names", "names of the nodes", {"tip"}, {}, {}, {}};
  results::StaticData along{"/beams/arm/nodes", "nodes along the beam", {}, {0}, {}, {}};
  for (int node = 1; node < nodes; ++node) {
    names.names.push_back("arm." + std::to_string(node));
    along.indices.push_back(node);
  }
  layout.statics = {names, along};
  return layout;
}

// Joints j0, j1, ... with forces of three components and one to three multipliers, of which the first joint has one.
inline results::Layout make_shared_layout(int joints) {
  results::Layout layout;
  results::StaticData names{"/joints/names", "names", {}, {}, {}, {}};
  results::StaticData places{"/joints/rows", "places", {}, {}, {}, {joints, 2}, "", true};
  results::StaticData units{"/joints/multipliers_units", "units", {}, {}, {}, {}};
  results::Channel force{"/joints/force", {joints, 3}, "N", "inertial", "reactions"};
  results::Channel multipliers{"/joints/multipliers", {0}, "N, N m", "", "multipliers"};
  force.group = multipliers.group = "joints";
  force.one_each = true;
  force.forms = {{"N", "inertial", "reaction"}};
  multipliers.forms = {{"N", "", "of a force"}, {"N m", "", "of a moment"}};
  force.links = {{"names", "/joints/names"}};
  multipliers.links = {
      {"names", "/joints/names"}, {"ranges", "/joints/rows"}, {"units_by_name", "/joints/multipliers_units"}};
  for (int joint = 0; joint < joints; ++joint) {
    const int rows = 1 + joint % 3;
    const int form = joint % 2;
    names.names.push_back("j" + std::to_string(joint));
    units.names.push_back(multipliers.forms[static_cast<std::size_t>(form)].units);
    force.parts.push_back({joint, joint, 1, 0});
    multipliers.parts.push_back({joint, multipliers.shape[0], rows, form});
    places.indices.insert(places.indices.end(), {multipliers.shape[0], rows});
    multipliers.shape[0] += rows;
  }
  add_channel(layout.states, layout.state_size, {"/time", {}, "s", "", "times of the stored states"});
  add_channel(layout.states, layout.state_size, force);
  add_channel(layout.states, layout.state_size, multipliers);
  layout.statics = {names, places, units};
  return layout;
}

// Column `column` of row `row`; whole numbers, so that integer channels hold them too.
inline double sample(std::size_t row, std::size_t column) { return static_cast<double>(1000 * row + column); }

inline void fill_row(std::vector<double>& values, std::size_t row) {
  for (std::size_t column = 0; column < values.size(); ++column) values[column] = sample(row, column);
}

}  // namespace polhode::test
