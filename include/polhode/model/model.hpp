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
  // Inertial frame, m
  math::Vec3 position = math::Vec3::Zero();
  // Node's frame to inertial, of unit length
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  // Inertial frame, m/s
  std::optional<math::Vec3> velocity;
  // In the node's own frame, rad/s
  std::optional<math::Vec3> angular_velocity;
  // x y z (inertial), rx ry rz (node's axes)
  std::array<bool, 6> fixed{};
  // A point without rotation
  bool translation_only = false;
};

// A beam's cross-section, in its own axes (x along the beam), order N Qy Qz Mx My Mz and the same for velocities.
struct SectionEntry {
  std::string name;
  math::Mat6 stiffness = math::Mat6::Zero();
  // Per length: kg/m, kg, kg m
  math::Mat6 mass = math::Mat6::Zero();
  // Section force = C strain + (sqrt(damping) C sqrt(damping) + damping_matrix) strain rate. Time constants, s; and a
  // matrix in N s, N m s, N m^2 s, symmetric and positive semidefinite. A deck gives one of them.
  math::Vec6 damping = math::Vec6::Zero();
  math::Mat6 damping_matrix = math::Mat6::Zero();
  // 1/s: a force per length of -mass_damping times mass times velocity
  double mass_damping = 0;
};

// A rigid motion at the start, of all nodes or of those of the named parts.
struct InitialMotion {
  // inertial
  // Of a point at x: velocity + angular_velocity x (x - about); m/s, rad/s, m
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
  // Acceleration, m/s^2, inertial frame
  math::Vec3 gravity = math::Vec3::Zero();
  // In the order of the deck
  std::vector<NodeEntry> nodes;
  // As systems number them, indices into `nodes` (node_order.hpp); empty: as they stand
  std::vector<int> node_order;
  std::vector<SectionEntry> sections;
  // Bodies, beams, joints, forces, in this order
  std::vector<Entry> entries;
  // As systems build them, indices into `entries` (node_order.hpp); those that are not among them come last
  std::vector<int> build_order;
  // Where several hold for a node, the last one counts
  std::vector<InitialMotion> initial_motion;
  // `constraints`: equations that follow from others are dropped, not an error
  bool resolve_redundant = false;
  // Beams have the form that structure-preserving methods take: frames interpolated as matrices, masses at the nodes
  bool directors = false;
  // `initial`, relative to size and speed of the model
  // Largest violation of constraints that the start corrects; a larger one is an error of the deck
  double position_tolerance = 1e-6;
  double velocity_tolerance = 1e-6;
  // m, `size` of the deck: what tolerances of lengths are relative to; nothing: it follows from the model
  std::optional<double> size;
  // s, of all analyses together; 0: not known. With the velocities it gives the size of what is all at one place
  double duration = 0;
};

}  // namespace polhode::model
