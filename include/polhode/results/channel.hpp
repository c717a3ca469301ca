// SPDX-License-Identifier: BSD-3-Clause
// The results of a run as channels: named histories that share one flat row of numbers a stored state.
//
// Histories of many entities (joints, beams, forces, supports) are shared: the numbers of all of them stand together in
// one channel, /joints/force, and each entity has a part of its first axis. By its name a part is read as a channel of
// its own, /joints/pivot/force, in responses always, in files up to most_by_name entities.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polhode::results {

// Groups with more entities have no data by name in a file, where each costs about a kilobyte.
constexpr std::size_t most_by_name = 256;

// What an entity has of a shared channel: items [first, first + count) of the first axis.
struct Part {
  // In the order of the names of the group.
  int entity = 0;
  int first = 0;
  int count = 0;
  // Index into Channel::forms.
  int form = 0;
};

// What a shared quantity is for entities of one kind: of a revolute joint another angle than of a universal one.
struct PartForm {
  std::string units;
  std::string frame;
  std::string description;
  bool operator==(const PartForm&) const = default;
};

// An attribute of the dataset that names another dataset.
struct Link {
  std::string attribute;
  std::string path;
};

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

  // Of a shared channel, else empty: "joints", whose names are in /joints/names; the parts in ascending order.
  std::string group{};
  std::vector<Part> parts{};
  std::vector<PartForm> forms{};
  // A part is one item and has no axis of items: [T, 3] of [T, J, 3].
  bool one_each = false;
  // Where the dataset's names and places are found: "names", "ranges", ...
  std::vector<Link> links{};
};

// Product of the lengths of all axes; 1 of a scalar.
std::size_t numbers_of(std::span<const int> shape);

// Of a part of `channel` alone: its shape without the time axis, its place in a row, and its path below `name`.
std::vector<int> shape_of(const Channel& channel, const Part& part);
std::size_t offset_of(const Channel& channel, const Part& part);
std::string path_of(const Channel& channel, std::string_view name);

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

// The names of a group's entities, from its table of names; null where there is none.
const std::vector<std::string>* names_of(const Layout& layout, std::string_view group);
// Whether entities of the group stand in a file by their names, too; and whether one of this name can: none can whose
// name is that of a dataset of the group, as a joint called "force".
bool are_by_name(const Layout& layout, std::string_view group);
bool is_free(const Layout& layout, std::string_view group, std::string_view name);

}  // namespace polhode::results
