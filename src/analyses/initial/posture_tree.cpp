// SPDX-License-Identifier: BSD-3-Clause
// The tree of nodes, and its rigid motions.
#include "posture_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "polhode/model/joint_axes.hpp"

namespace polhode::analyses {

using math::so3::Quaternion;
using model::Vec3;
using model::Vec6;

using Form = model::InitialCoordinate::Form;

double GivenJoint::angle() const {
  double farthest = 0;
  for (const model::InitialCoordinate& one : coordinates) {
    const double value = std::abs(one.value.value_or(0));
    if (one.is_angle()) farthest = std::max(farthest, value);
    if (!one.is_angle() && advance != 0) farthest = std::max(farthest, value / std::abs(advance));
  }
  return farthest;
}

double GivenJoint::displacement() const {
  double farthest = 0;
  for (const model::InitialCoordinate& one : coordinates)
    if (!one.is_angle()) farthest = std::max(farthest, std::abs(one.value.value_or(0)));
  return farthest;
}

// Of a screw that is given both, the angle says the same as the displacement.
std::vector<model::InitialCoordinate> coordinates_of(const model::Entry& entry, double advance) {
  std::vector<model::InitialCoordinate> given = model::initial_coordinates(entry);
  if (advance == 0 || given.size() < 2) return given;
  if (given[0].value) given[1].value.reset();
  if (given[0].rate) given[1].rate.reset();
  std::erase_if(given, [](const model::InitialCoordinate& one) { return !one.value && !one.rate; });
  return given;
}

// Point and axes stand in the entry, inertial.
std::vector<GivenJoint> given_joints(const assembly::System& system) {
  std::vector<GivenJoint> all;
  for (const model::JointTopology& joint : system.joints()) {
    const model::Entry& entry = system.model().entries[static_cast<std::size_t>(joint.entry)];
    const double advance = entry.has("pitch") ? entry.number("pitch") / (2 * std::numbers::pi) : 0;
    const std::vector<model::InitialCoordinate> given = coordinates_of(entry, advance);
    if (given.empty()) continue;
    all.push_back(
        {joint.entry, entry.path(), joint.nodes, entry.vector3("at"), model::joint_axes(entry), advance, given});
  }
  return all;
}

PostureTree::PostureTree(const assembly::System& system, const model::State& reference,
                         const std::vector<GivenJoint>& joints)
    : system_(system),
      joints_(joints),
      reference_(reference),
      edges_of_(system.nodes()),
      forces_of_(system.nodes()),
      parent_(system.nodes(), -1),
      edge_(system.nodes(), -1),
      reached_(system.nodes(), false) {
  collect_edges();
  grow();
}

// A coupling ties coordinates of several joints, not nodes: it is neither.
void PostureTree::collect_edges() {
  std::set<int> joints;
  std::vector<int> given(system_.model().entries.size(), -1);
  for (std::size_t i = 0; i < joints_.size(); ++i)
    given[static_cast<std::size_t>(joints_[i].entry)] = static_cast<int>(i);
  for (const auto& batch : system_.batches()) {
    for (std::size_t e = 0; e < batch->size(); ++e) {
      const std::span<const int> nodes = batch->nodes_of(e);
      const int entry = batch->entry_of(e);
      const model::Family family = system_.model().entries[static_cast<std::size_t>(entry)].family;
      if (nodes.size() < 2 || (family == model::Family::joint && nodes.size() != 2)) continue;
      // Equations of driven coordinates stand beside those of their joint: one edge.
      if (family == model::Family::joint && !joints.insert(entry).second) continue;
      const bool tied = family == model::Family::beam || family == model::Family::joint;
      std::vector<Edge>& list = tied ? edges_ : forces_;
      std::vector<std::vector<int>>& of = tied ? edges_of_ : forces_of_;
      for (std::size_t k = 1; k < nodes.size(); ++k) {
        const int number = static_cast<int>(list.size());
        list.push_back({nodes[0], nodes[k], entry, given[static_cast<std::size_t>(entry)]});
        of[static_cast<std::size_t>(nodes[0])].push_back(number);
        of[static_cast<std::size_t>(nodes[k])].push_back(number);
      }
    }
  }
}

// From what stands still to what is free: the ground and fixed nodes, nodes whose position is fixed, what forces tie to
// these; else a joint leaves its first node where it is.
void PostureTree::grow() {
  const auto reach_all = [&](const auto& is_root) {
    for (std::size_t i = 0; i < system_.nodes(); ++i)
      if (!reached_[i] && is_root(i)) {
        reach(static_cast<int>(i), -1, -1);
        spread();
      }
  };
  // All fixed nodes are roots before any of them is grown from.
  for (std::size_t i = 0; i < system_.nodes(); ++i)
    if (system_.node(i).is_fixed()) reach(static_cast<int>(i), -1, -1);
  spread();
  reach_all([this](std::size_t i) {
    const std::array<bool, 6>& removed = system_.node(i).removed;
    return removed[0] && removed[1] && removed[2];
  });
  spread_by_forces();
  std::vector<bool> outboard(system_.nodes(), false);
  std::vector<bool> inboard(system_.nodes(), false);
  for (const GivenJoint& joint : joints_) {
    inboard[static_cast<std::size_t>(joint.nodes[0])] = true;
    outboard[static_cast<std::size_t>(joint.nodes[1])] = true;
  }
  reach_all([&](std::size_t i) { return inboard[i] && !outboard[i]; });
  spread_by_forces();
  reach_all([&](std::size_t i) { return inboard[i]; });
  spread_by_forces();
  reach_all([](std::size_t) { return true; });
}

void PostureTree::reach(int node, int parent, int edge) {
  const auto i = static_cast<std::size_t>(node);
  reached_[i] = true;
  parent_[i] = parent;
  edge_[i] = edge;
  order_.push_back(node);
}

// Breadth first, from all nodes that nothing was reached from so far.
void PostureTree::spread() {
  for (; spread_ < order_.size(); ++spread_) {
    const int node = order_[spread_];
    for (const int number : edges_of_[static_cast<std::size_t>(node)]) {
      const Edge& edge = edges_[static_cast<std::size_t>(number)];
      const int other = edge.from == node ? edge.to : edge.from;
      if (!reached_[static_cast<std::size_t>(other)]) reach(other, node, number);
    }
  }
}

// A free part goes with the node next to the supports that a force ties it to.
void PostureTree::spread_by_forces() {
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const int node = order_[k];
    for (const int number : forces_of_[static_cast<std::size_t>(node)]) {
      const Edge& edge = forces_[static_cast<std::size_t>(number)];
      const int other = edge.from == node ? edge.to : edge.from;
      if (reached_[static_cast<std::size_t>(other)]) continue;
      reach(other, node, -1);
      spread();
    }
  }
}

// Turns about axes through the point, one after the other, and displacements along axes of a.
PostureTree::Motion PostureTree::motion_of(const GivenJoint& joint, double part) {
  Motion motion;
  for (const model::InitialCoordinate& one : joint.coordinates) {
    if (!one.value) continue;
    const Vec3 axis = joint.axis_of(one);
    Vec3 turn = Vec3::Zero();
    if (one.form == Form::rotation_vector) turn = one.vector;
    if (one.form == Form::angle) turn = *one.value * axis;
    if (one.form == Form::displacement && joint.advance != 0) turn = *one.value / joint.advance * axis;
    motion.turn = motion.turn * math::so3::exp_quaternion(Vec3(part * turn));
    if (one.form == Form::displacement) motion.shift += part * *one.value * axis;
    if (one.form == Form::angle) motion.shift += part * joint.advance * turn;
  }
  motion.shift += joint.point - motion.turn * joint.point;
  return motion;
}

// x = turn^T (y - shift).
PostureTree::Motion PostureTree::inverse_of(const Motion& motion) {
  Motion inverse;
  inverse.turn = motion.turn.conjugate();
  inverse.shift = -(inverse.turn * motion.shift);
  return inverse;
}

// From the supports outwards; towards the first node of a joint its motion is undone.
void PostureTree::set_motions(double part, std::vector<Motion>& motions) const {
  motions.assign(system_.nodes(), Motion{});
  for (const int node : order_) {
    const auto i = static_cast<std::size_t>(node);
    if (parent_[i] < 0) continue;
    const Motion& inboard = motions[static_cast<std::size_t>(parent_[i])];
    motions[i] = inboard;
    const int given = edge_[i] < 0 ? -1 : edges_[static_cast<std::size_t>(edge_[i])].given;
    if (given < 0) continue;
    const GivenJoint& joint = joints_[static_cast<std::size_t>(given)];
    const Motion own = joint.nodes[1] == node ? motion_of(joint, part) : inverse_of(motion_of(joint, part));
    motions[i].turn = (inboard.turn * own.turn).normalized();
    motions[i].shift = inboard.turn * own.shift + inboard.shift;
  }
}

// Fixed rotations are about the node's own axes, from where it stands in the deck.
void PostureTree::keep_fixed(std::size_t node, const Vec3& x, const Quaternion& quat, model::State& q) const {
  const model::NodeData& data = system_.node(node);
  q.x[node] = x;
  for (int k = 0; k < 3; ++k)
    if (data.removed[static_cast<std::size_t>(k)]) q.x[node][k] = reference_.x[node][k];
  const auto is_removed = [&](int k) { return data.removed[static_cast<std::size_t>(3 + k)]; };
  if (is_removed(0) && is_removed(1) && is_removed(2)) return;
  if (!is_removed(0) && !is_removed(1) && !is_removed(2)) {
    q.set_rotation(node, quat.normalized());
    return;
  }
  Vec3 turn = math::so3::log((q.quat[node].conjugate() * quat).normalized());
  for (int k = 0; k < 3; ++k)
    if (is_removed(k)) turn[k] = 0;
  q.set_rotation(node, (q.quat[node] * math::so3::exp_quaternion(turn)).normalized());
}

void PostureTree::place(double part, model::State& q) const {
  std::vector<Motion> motions;
  set_motions(part, motions);
  for (std::size_t i = 1; i < motions.size(); ++i)
    keep_fixed(i, motions[i].turn * reference_.x[i] + motions[i].shift, motions[i].turn * reference_.quat[i], q);
}

// By g(to) g(from)^-1.
void PostureTree::advance(double from, double to, model::State& q) const {
  std::vector<Motion> before;
  std::vector<Motion> after;
  set_motions(from, before);
  set_motions(to, after);
  for (std::size_t i = 1; i < after.size(); ++i) {
    const Quaternion turn = after[i].turn * before[i].turn.conjugate();
    keep_fixed(i, turn * (q.x[i] - before[i].shift) + after[i].shift, turn * q.quat[i], q);
  }
}

// Spatial twists: the angular velocity, and the velocity of the point at the origin, both inertial. Coordinates have the
// rates of the state first, which stay what they are as whole subtrees move.
void PostureTree::add_rates_to(model::State& q) const {
  std::vector<Vec6> own(joints_.size(), Vec6::Zero());
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const GivenJoint& joint = joints_[j];
    const auto a = static_cast<std::size_t>(joint.nodes[0]);
    const auto b = static_cast<std::size_t>(joint.nodes[1]);
    const auto now = [&](std::size_t i) {
      return Vec3(q.x[i] + q.R[i] * reference_.R[i].transpose() * (joint.point - reference_.x[i]));
    };
    const auto turn_rate = [&](std::size_t i) { return Vec3(q.R[i] * q.v[i].tail<3>()); };
    const Vec3 turning = turn_rate(b) - turn_rate(a);
    const Vec3 point_rate_a = q.v[a].head<3>() + turn_rate(a).cross(now(b) - q.x[a]);
    const Vec3 point_rate_b = q.v[b].head<3>() + turn_rate(b).cross(now(b) - q.x[b]);
    for (const model::InitialCoordinate& one : joint.coordinates) {
      if (!one.rate) continue;
      const auto turned = [&](std::size_t i, const Vec3& deck) {
        return Vec3(q.R[i] * reference_.R[i].transpose() * deck);
      };
      const Vec3 axis = turned(one.on_b ? b : a, joint.axis_of(one));
      const Vec3 shift = (*one.rate - axis.dot(point_rate_b - point_rate_a)) * axis;
      Vec3 turn = Vec3::Zero();
      if (one.form == Form::rotation_vector) turn = turned(a, one.vector_rate) - turning;
      if (one.form == Form::angle) turn = (*one.rate - axis.dot(turning)) * axis;
      if (one.form == Form::displacement && joint.advance != 0) turn = shift / joint.advance;
      own[j].head<3>() += turn;
      own[j].tail<3>() += now(b).cross(turn);
      if (one.form == Form::displacement) own[j].tail<3>() += shift;
      if (one.form == Form::angle) own[j].tail<3>() += joint.advance * turn;
    }
  }
  std::vector<Vec6> twists(system_.nodes(), Vec6::Zero());
  for (const int node : order_) {
    const auto i = static_cast<std::size_t>(node);
    if (parent_[i] < 0) continue;
    twists[i] = twists[static_cast<std::size_t>(parent_[i])];
    const int given = edge_[i] < 0 ? -1 : edges_[static_cast<std::size_t>(edge_[i])].given;
    if (given >= 0) {
      const auto j = static_cast<std::size_t>(given);
      twists[i] += joints_[j].nodes[1] == node ? own[j] : Vec6(-own[j]);
    }
    const Vec3 turn = twists[i].head<3>();
    Vec6 change;
    change << twists[i].tail<3>() + turn.cross(q.x[i]), q.R[i].transpose() * turn;
    for (int k = 0; k < 6; ++k)
      if (!system_.node(i).removed[static_cast<std::size_t>(k)]) q.v[i][k] += change[k];
  }
}

std::vector<int> PostureTree::path_to_root(int node) const {
  std::vector<int> path;
  for (; node >= 0; node = parent_[static_cast<std::size_t>(node)]) path.push_back(node);
  return path;
}

// Each edge that is no part of the tree closes one loop: the ways of its two ends to where they meet, or to the supports.
std::set<int> PostureTree::loop_closed_by(std::size_t number) const {
  const Edge& edge = edges_[number];
  const auto is_in_tree = [&](int node) { return edge_[static_cast<std::size_t>(node)] == static_cast<int>(number); };
  if (is_in_tree(edge.from) || is_in_tree(edge.to)) return {};
  std::vector<int> one = path_to_root(edge.from);
  std::vector<int> other = path_to_root(edge.to);
  // What both ways have in common is no part of the loop.
  while (!one.empty() && !other.empty() && one.back() == other.back()) {
    one.pop_back();
    other.pop_back();
  }
  std::set<int> entries{edge.entry};
  for (const std::vector<int>& way : {one, other})
    for (const int node : way)
      if (const int by = edge_[static_cast<std::size_t>(node)]; by >= 0)
        entries.insert(edges_[static_cast<std::size_t>(by)].entry);
  return entries;
}

std::set<int> PostureTree::loop_of(int entry) const {
  std::set<int> loop{entry};
  for (std::size_t number = 0; number < edges_.size(); ++number) {
    const std::set<int> entries = loop_closed_by(number);
    if (entries.count(entry) > 0) loop.insert(entries.begin(), entries.end());
  }
  return loop;
}

std::set<int> PostureTree::all_loops() const {
  std::set<int> all;
  for (std::size_t number = 0; number < edges_.size(); ++number) all.merge(loop_closed_by(number));
  return all;
}

}  // namespace polhode::analyses
