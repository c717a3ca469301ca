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
  // About or along an axis of the joint; or the rotation vector of b against a, whose rate is the angular velocity of b
  // against a, both in the joint's axes on a
  enum class Form { angle, displacement, rotation_vector };
  Form form{};
  // Which axis of the joint it is: 0, 1, 2 (joint_axes.hpp); fixed on b, else on a
  int axis = 2;
  bool on_b = false;
  // The keys of the entry: of the value, of the rate, and of the drive of this coordinate
  std::string_view value_key;
  std::string_view rate_key;
  std::string_view drive_key;
  // rad or m; nothing: free. Of a rotation vector its length.
  std::optional<double> value{};
  // rad/s or m/s; nothing: free. Of an angular velocity its size.
  std::optional<double> rate{};
  // Of rotation vectors alone
  math::Vec3 vector = math::Vec3::Zero();
  math::Vec3 vector_rate = math::Vec3::Zero();

  bool is_angle() const { return form != Form::displacement; }
};

// What the entry gives of its coordinates, in the order in which b is turned by them; empty for entries without
// `initial`.
std::vector<InitialCoordinate> initial_coordinates(const Entry& entry);

}  // namespace polhode::model
