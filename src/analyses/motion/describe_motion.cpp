// SPDX-License-Identifier: BSD-3-Clause
// A small motion of the nodes in words.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "polhode/analyses/motion/free_motion.hpp"

namespace polhode::analyses {

using assembly::System;
using math::Vec3;
using math::Vec6;

namespace {

// Of one node or of several that move as one rigid body: velocity at `point`, and rotation, both inertial.
struct Rigid {
  Vec3 point;
  Vec3 velocity;
  Vec3 turn;
};

std::string vector_text(Vec3 v, double round_off) {
  for (double& x : v)
    if (std::abs(x) < round_off) x = 0;
  return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", v[0], v[1], v[2]);
}

// Of length 1, its largest component positive: equal motions get equal texts.
Vec3 direction(const Vec3& v) {
  Eigen::Index largest = 0;
  v.cwiseAbs().maxCoeff(&largest);
  return v / (v[largest] < 0 ? -v.norm() : v.norm());
}

// The joint at whose point an axis passes, one of whose nodes moves; "" if there is none.
// A joint says more to a reader than an axis in numbers.
std::string joint_on(const System& system, const model::State& q, const std::vector<Vec6>& motion, const Vec3& point,
                     const Vec3& axis) {
  for (const model::JointTopology& joint : system.joints()) {
    const int node = joint.nodes[0];
    const Vec3 at = q.x[node] + q.R[node] * joint.offsets[0];
    const bool moves = motion[joint.nodes[0]].norm() > 1e-6 || motion[joint.nodes[1]].norm() > 1e-6;
    if (moves && axis.cross(at - point).norm() < 1e-6 * system.length())
      return system.model().entries[static_cast<std::size_t>(joint.entry)].path();
  }
  return "";
}

// Chasles: a rotation about an axis and an advance along it. The point of the axis nearest to the node is
// turn x velocity/|turn|^2 away; the text gives the one nearest to the origin,
// so that it does not depend on the node.
std::string rigid_text(const System& system, const model::State& q, const std::vector<Vec6>& motion, const Rigid& r,
                       const std::string& who) {
  const double length = system.length();
  if (r.turn.norm() * length < 1e-6 * std::max(r.velocity.norm(), r.turn.norm() * length))
    return "translation of " + who + " along " + vector_text(direction(r.velocity), 1e-6);
  const Vec3 axis = direction(r.turn);
  const Vec3 point = r.point + r.turn.cross(r.velocity) / r.turn.squaredNorm();
  const double advance = r.velocity.dot(r.turn) / r.turn.squaredNorm();  // m per rad along the axis
  const std::string joint = joint_on(system, q, motion, point, axis);
  std::string text = "rotation of " + who + " about " + (joint.empty() ? "the axis " : joint + " (axis ") +
                     vector_text(axis, 1e-6) + " through " +
                     vector_text(point - point.dot(axis) * axis, 1e-6 * length) + (joint.empty() ? "" : ")");
  if (std::abs(advance) > 1e-6 * length)
    text += fmt::format(", with a translation of {:.3g} m per rad along it", advance);
  return text;
}

// The first four, and how many more.
std::string names(const System& system, const std::vector<int>& nodes) {
  constexpr std::size_t most = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, nodes.size()); ++i)
    text += (i ? ", " : "") + system.node(static_cast<std::size_t>(nodes[i])).label();
  return nodes.size() > most ? text + " and " + std::to_string(nodes.size() - most) + " more nodes" : text;
}

}  // namespace

// One rigid motion of all that moves, if it is one; else the three nodes that move most, by themselves.
std::string describe_motion(const System& system, const model::State& q, const model::VectorX& shape) {
  const double length = system.length();
  model::VectorX all = model::VectorX::Zero(system.size());
  all.head(shape.size()) = shape;
  std::vector<Vec6> motion(system.nodes(), Vec6::Zero());
  system.scatter(all, motion);
  const auto size = [&](int i) { return std::max(motion[i].head<3>().norm(), length * motion[i].tail<3>().norm()); };
  std::vector<int> nodes;
  double largest = 0;
  for (int i = 1; i < static_cast<int>(system.nodes()); ++i) largest = std::max(largest, size(i));
  for (int i = 1; i < static_cast<int>(system.nodes()); ++i)
    if (size(i) > 1e-6 * largest) nodes.push_back(i);
  if (nodes.empty()) return "none";
  std::stable_sort(nodes.begin(), nodes.end(), [&](int a, int b) { return size(a) > 1.000001 * size(b); });
  const auto rigid_of = [&](int i) {
    return Rigid{q.x[i], motion[i].head<3>() / largest, q.R[i] * motion[i].tail<3>() / largest};
  };
  // One rigid motion of all of them? Points without rotation take that of the others.
  std::optional<Rigid> common;
  for (const int i : nodes)
    if (!system.node(static_cast<std::size_t>(i)).translation_only) {
      common = rigid_of(i);
      break;
    }
  if (!common) common = rigid_of(nodes.front());
  const bool together = std::all_of(nodes.begin(), nodes.end(), [&](int i) {
    const Rigid own = rigid_of(i);
    const Vec3 velocity = common->velocity + common->turn.cross(own.point - common->point);
    const bool point = system.node(static_cast<std::size_t>(i)).translation_only;
    return (own.velocity - velocity).norm() < 1e-5 && (point || (own.turn - common->turn).norm() * length < 1e-5);
  });
  if (together) return rigid_text(system, q, motion, *common, names(system, nodes));
  std::string text = "a motion of " + std::to_string(nodes.size()) + " nodes, the largest: ";
  for (std::size_t i = 0; i < std::min<std::size_t>(3, nodes.size()); ++i)
    text += (i ? "; " : "") + rigid_text(system, q, motion, rigid_of(nodes[i]), names(system, {nodes[i]}));
  return text;
}

}  // namespace polhode::analyses
