// SPDX-License-Identifier: BSD-3-Clause
// Names of single numbers in the results: "nodes.tip.position.z", "joints.motor.coordinates[0]",
// "beams.arm.forces[3][0]".
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/results/channel.hpp"

namespace polhode::results {

// "/joints/motor/force" -> "joints.motor.force"; with an item "/nodes/position", "tip" -> "nodes.tip.position".
std::string dotted_name(std::string_view path, std::string_view item = "");

// True for histories with an axis of nodes, whose items have names.
bool is_of_nodes(std::string_view path);

// The end of the name of number `index` (last axis fastest): "[3][0]", or with `letters` ".x", ".w" on the last axis.
std::string component_name(std::span<const int> shape, std::size_t index, bool letters);

// Letters are for vectors with a frame and for quaternions.
bool has_letters(std::string_view path, std::span<const int> shape, std::string_view frame);

// A range of numbers in a row of Layout::states or Layout::steps.
struct Selection {
  const Channel* channel = nullptr;
  bool of_steps = false;
  std::size_t offset = 0;
  std::size_t size = 0;
  // Axes that the name leaves open; {} of a single number.
  std::vector<int> shape{};
  std::string units{};
  std::string frame{};
};

// In lists of units ("N, -, -"): of numbers that an entity does not have, as the moments of a cable. They are zero, and
// no name finds one of them.
inline constexpr std::string_view no_unit = "-";

// Finds what `name` names; the longest name of a channel (or of what a node or a joint has of one) that fits wins, the
// rest are indices and a component. On failure `problem` says why and names the nearest known one, and the selection
// has no channel.
Selection select(const Layout& layout, std::string_view name, std::string& problem);

}  // namespace polhode::results
