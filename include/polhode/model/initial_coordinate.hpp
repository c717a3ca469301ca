// SPDX-License-Identifier: BSD-3-Clause
// Coordinates of joints as initial values: which coordinates of an entry the key `initial` gives.
//
// Coordinates are those of b against a, zero in the deck's configuration: c = value, cdot = rate at the start. The
// entry's kind declares the keys (elements/joints/rows/initial_coordinate.hpp), and the analyses move the model there.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "polhode/model/field.hpp"

namespace polhode::model {

// What a deck gives of one coordinate at its start.
struct InitialCoordinate {
  // Whether it is an angle, else a displacement along the same axis
  bool is_angle = false;
  // rad or m; nothing: free
  std::optional<double> value;
  // rad/s or m/s; nothing: free
  std::optional<double> rate;
  // The keys of the entry: of the value, of the rate, and of the drive of this coordinate
  std::string_view value_key;
  std::string_view rate_key;
  std::string_view drive_key;
};

// What the entry gives of its coordinates, the angle first; empty for entries without `initial`.
std::vector<InitialCoordinate> initial_coordinates(const Entry& entry);

}  // namespace polhode::model
