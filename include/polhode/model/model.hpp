// SPDX-License-Identifier: BSD-3-Clause
// The model as the deck states it: plain, immutable data, without numbering or matrices.
#pragma once
#include <Eigen/Geometry>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "polhode/model/field.hpp"

namespace polhode::model {

// A node of the deck: positions in m, velocities in m/s and rad/s, at the start. Without velocities of its own a node
// moves with `initial_motion`.
struct NodeEntry {
  std::string name;
  math::Vec3 position = math::Vec3::Zero();                         // inertial frame
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  // node's frame to inertial
  std::optional<math::Vec3> velocity;                               // inertial frame
  std::optional<math::Vec3> angular_velocity;                       // in the node's own frame
  std::array<bool, 6> fixed{};                                      // x y z (inertial), rx ry rz (node's axes)
  bool translation_only = false;                                    // a point without rotation
};

// A beam's cross-section, in its own axes (x along the beam), order N Qy Qz Mx My Mz and the same for velocities.
struct SectionEntry {
  std::string name;
  math::Mat6 stiffness = math::Mat6::Zero();
  math::Mat6 mass = math::Mat6::Zero();     // per length
  math::Vec6 damping = math::Vec6::Zero();  // s: section force = C (strain + damping * strain rate)
};

// A rigid motion at the start, of all nodes or of those of the named parts.
struct InitialMotion {
  // inertial
  math::Vec3 velocity = math::Vec3::Zero();
  math::Vec3 angular_velocity = math::Vec3::Zero();
  math::Vec3 about = math::Vec3::Zero();
  bool everything = true;
  // Else the named ones:
  std::vector<std::string> nodes;
  std::vector<std::string> bodies;
  std::vector<std::string> beams;
};

// A deck that has been read and checked entry by entry. What takes several entries to see (names that do not exist,
// joints that do not fit) is reported when the system is built.
struct Model {
  math::Vec3 gravity = math::Vec3::Zero();  // acceleration, inertial frame
  std::vector<NodeEntry> nodes;             // in the order of the deck
  std::vector<SectionEntry> sections;
  std::vector<Entry> entries;  // bodies, beams, joints, forces, in this order
  std::vector<InitialMotion> initial_motion;
  bool resolve_redundant = false;  // `constraints`: rows that follow from others are left out, not an error
  // `initial`, relative to size and speed of the model
  double position_tolerance = 1e-6;
  double velocity_tolerance = 1e-6;
};

}  // namespace polhode::model
