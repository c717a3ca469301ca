// SPDX-License-Identifier: BSD-3-Clause
// What hangs on which joint: a tree of nodes from the supports outwards, whose parts move as rigid bodies when joints are
// given coordinates.
//
// Nodes are tied by beams and by joints. Of joints that close a loop one is no part of the tree; what a spring or a
// bushing alone holds goes with what it is fastened to. With the coordinate c of a joint its outboard side moves by
//   g = g_inboard exp(xi c), xi the axis in the reference configuration: exact for trees, and a first guess for loops.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "polhode/assembly/system.hpp"
#include "polhode/model/initial_coordinate.hpp"

namespace polhode::analyses {

// A joint that the deck gives coordinates.
struct GivenJoint {
  // Index into Model::entries, and its place there: "joints.crank"
  int entry = 0;
  std::string path;
  // Of nodes, and of the joint's point and axes (columns) in the deck's configuration: m, inertial
  std::array<int, 2> nodes{};
  model::Vec3 point = model::Vec3::Zero();
  math::Mat3 axes = math::Mat3::Identity();
  // m/rad; of screws, whose angle and displacement follow from each other, else 0
  double advance = 0;
  // In the order in which they turn b
  std::vector<model::InitialCoordinate> coordinates;

  model::Vec3 axis_of(const model::InitialCoordinate& one) const { return axes.col(one.axis); }
  // What turns farthest, and what moves farthest, rad and m; 0 if nothing is given.
  double angle() const;
  double displacement() const;
};

// All joints of the system with `initial`, in the order of the deck.
std::vector<GivenJoint> given_joints(const assembly::System& system);

class PostureTree {
 public:
  // `reference`: the state of the deck. Keeps references to the system and to the joints.
  PostureTree(const assembly::System& system, const model::State& reference, const std::vector<GivenJoint>& joints);

  // Sets positions and rotations of all nodes at `part` of the coordinates, 0 to 1.
  void place(double part, model::State& q) const;
  // Moves the nodes of `q`, wherever they are, by the rigid motions between two parts.
  void advance(double from, double to, model::State& q) const;
  // Adds to the velocities of what hangs on each joint what its coordinates lack of their given rates, rad/s and m/s.
  void add_rates_to(model::State& q) const;
  // Entries of the joints around each loop that `entry` is in, joined; only `entry` where it is in none.
  std::set<int> loop_of(int entry) const;
  // Entries that are in any loop.
  std::set<int> all_loops() const;

 private:
  struct Edge {
    int from;
    int to;
    // Index into Model::entries
    int entry;
    // Into joints_, or -1
    int given;
  };
  // x -> turn x + shift
  struct Motion {
    math::so3::Quaternion turn = math::so3::Quaternion::Identity();
    model::Vec3 shift = model::Vec3::Zero();
  };

  void collect_edges();
  void grow();
  void reach(int node, int parent, int edge);
  void spread();
  void spread_by_forces();
  void set_motions(double part, std::vector<Motion>& motions) const;
  static Motion motion_of(const GivenJoint& joint, double part);
  static Motion inverse_of(const Motion& motion);
  // Keeps components that the deck fixes.
  void keep_fixed(std::size_t node, const model::Vec3& x, const math::so3::Quaternion& quat, model::State& q) const;
  std::vector<int> path_to_root(int node) const;
  // Of an edge that is no part of the tree; empty of others.
  std::set<int> loop_closed_by(std::size_t edge) const;

  const assembly::System& system_;
  const std::vector<GivenJoint>& joints_;
  // Positions and rotations of the deck
  model::State reference_;
  // Ties by beams and joints, and by forces; by node, numbers of edges
  std::vector<Edge> edges_;
  std::vector<Edge> forces_;
  std::vector<std::vector<int>> edges_of_;
  std::vector<std::vector<int>> forces_of_;
  // By node: the node before it (-1: a root), the edge there (-1: a force)
  std::vector<int> parent_;
  std::vector<int> edge_;
  std::vector<bool> reached_;
  // Nodes from the supports outwards
  std::vector<int> order_;
  // Into order_: all before it have been spread from
  std::size_t spread_ = 0;
};

}  // namespace polhode::analyses
