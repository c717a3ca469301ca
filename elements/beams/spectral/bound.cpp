// SPDX-License-Identifier: BSD-3-Clause
// Whether an element is turned past the end of the logarithms that its strains are made of.
#include <numbers>

#include "elements/beams/shortest_turn.hpp"
#include "elements/beams/spectral/kinematics.hpp"

namespace polhode::elements::spectral {

namespace {

using Turns = std::array<math::so3::Quaternion, most_nodes>;

// The frames of the nodes of one element.
Turns frames_of(const Elements& d, int lane, std::span<const model::Node> n) {
  Turns Q;
  for (std::size_t i = 0; i < n.size(); ++i) {
    const Quaternion& E = d.E[i];
    Q[i] = d.turned ? n[i].quat * math::so3::Quaternion(E[0][lane], E[1][lane], E[2][lane], E[3][lane]) : n[i].quat;
  }
  return Q;
}

// No two nodes turn against each other by as much as an angle, of which `quarter` is the cosine of a fourth. Against the
// first one by less than half of it is enough.
bool are_closer(const Turns& Q, std::size_t nodes, double quarter) {
  bool close = true;
  for (std::size_t i = 1; i < nodes; ++i) close = close && std::abs(Q[i].dot(Q[0])) > quarter;
  if (close) return true;
  const double half = 2 * quarter * quarter - 1;
  for (std::size_t i = 1; i < nodes; ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (!(std::abs(Q[i].dot(Q[k])) > half)) return false;
  return true;
}

// The same in all lanes, in the half-space of the first.
std::array<Quaternion, most_nodes> in_lanes(const Turns& Q, std::size_t nodes) {
  std::array<Quaternion, most_nodes> all;
  for (std::size_t i = 0; i < nodes; ++i) {
    const double sign = Q[i].dot(Q[0]) < 0 ? -1 : 1;
    all[i] << Lanes(sign * Q[i].w()), Lanes(sign * Q[i].x()), Lanes(sign * Q[i].y()), Lanes(sign * Q[i].z());
  }
  return all;
}

// The mean at a point of the element in this lane. False where the iteration has not converged.
bool set_mean_of(const Turns& Q, std::size_t nodes, const Point& p, int lane, Mean& mean) {
  std::array<Lanes, most_nodes> L;
  for (std::size_t i = 0; i < most_nodes; ++i) L[i] = Lanes(p.L[i][lane]);
  const auto all = in_lanes(Q, nodes);
  return set_mean({all.data(), nodes}, L, false, mean);
}

math::so3::Quaternion rotation_of(const Mean& mean) { return {mean.Q[0][0], mean.Q[1][0], mean.Q[2][0], mean.Q[3][0]}; }

// The mean is the one that the nodes have come to from where they were alike: it exists, all nodes are within half a
// turn of it, and neighbors are not on different sides of where the logarithm jumps.
bool is_sound(const Mean& mean, std::size_t nodes) {
  constexpr double half_turn = std::numbers::pi - 1e-6;
  for (std::size_t i = 0; i < nodes; ++i) {
    if (!(mean.turn[i].s[0] < half_turn * half_turn)) return false;
    if (i > 0 && !(Vector(mean.turn[i].phi - mean.turn[i - 1].phi).squaredNorm()[0] < half_turn * half_turn))
      return false;
  }
  return true;
}

}  // namespace

// Two things are refused. The first is a mean that is not unique or does not exist. With P the largest sum of positive
// weights L_i at a point, the mean of coaxial nodes whose angles are in an interval of length a is in one of length
// (2 P - 1) a around it, P a from its farther end at most: below a = pi/P all phi_i are below half a turn whatever the
// order of the nodes, and beyond there are nodes for which they are not. What turns smoothly along the element stays
// below it up to nearly half a turn between its ends, so that beyond pi/P the means themselves are looked at.
//
// The second is a step in which a phi_i jumps: of two nodes by half a turn. No motion turns them by as much as a third
// of a turn in a step, so that one of both states has a phi_i of a third of a turn at least, and nodes that differ by
// two thirds of pi/P. Means are made for elements that are turned far alone.
bool passes_bound(const Elements& d, int lane, std::span<const model::Node> before, std::span<const model::Node> now) {
  const std::size_t nodes = now.size();
  const Turns old = frames_of(d, lane, before);
  const Turns next = frames_of(d, lane, now);
  const double near = d.near[lane];
  if (are_closer(old, nodes, near) && are_closer(next, nodes, near)) return false;
  constexpr double third_of_turn = 0.5;  // cosine of half of it
  for (const Point& p : d.points) {
    Mean mean;
    if (!set_mean_of(next, nodes, p, lane, mean) || !is_sound(mean, nodes)) return true;
    const math::so3::Quaternion next_mean = rotation_of(mean);
    if (!set_mean_of(old, nodes, p, lane, mean)) return true;
    const math::so3::Quaternion old_mean = rotation_of(mean);
    for (std::size_t i = 0; i < nodes; ++i)
      if (shortest_turn(old_mean, old[i]).dot(shortest_turn(next_mean, next[i])) < third_of_turn) return true;
  }
  return false;
}

}  // namespace polhode::elements::spectral
