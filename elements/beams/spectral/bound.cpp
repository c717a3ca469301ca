// SPDX-License-Identifier: BSD-3-Clause
// Whether an element is turned past the end of the logarithms that its strains are made of.
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

// No node is turned by as much as 0.7 of half a turn against the first one. Means lie between the nodes.
bool is_far_from_bound(const Turns& Q, std::size_t nodes) {
  constexpr double least_cosine = 0.46;  // of half the angle
  for (std::size_t i = 1; i < nodes; ++i)
    if (!(std::abs(Q[i].dot(Q[0])) > least_cosine)) return false;
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

// At the points of the element in this lane.
math::so3::Quaternion mean_of(const Turns& Q, std::size_t nodes, const Point& p, int lane) {
  std::array<Lanes, most_nodes> L;
  for (std::size_t i = 0; i < most_nodes; ++i) L[i] = Lanes(p.L[i][lane]);
  const auto all = in_lanes(Q, nodes);
  Mean mean;
  set_mean({all.data(), nodes}, L, false, mean);
  return {mean.Q[0][0], mean.Q[1][0], mean.Q[2][0], mean.Q[3][0]};
}

}  // namespace

// The mean jumps to the other side of the nodes, and with it all phi_i: of two nodes by half a turn. No motion turns
// them by as much as a third of a turn in a step. Means are made for elements that are turned far alone.
bool passes_bound(const Elements& d, int lane, std::span<const model::Node> before, std::span<const model::Node> now) {
  const std::size_t nodes = now.size();
  const Turns old = frames_of(d, lane, before);
  const Turns next = frames_of(d, lane, now);
  if (is_far_from_bound(old, nodes) && is_far_from_bound(next, nodes)) return false;
  constexpr double third_of_turn = 0.5;  // cosine of half of it
  for (const Point& p : d.points) {
    const math::so3::Quaternion old_mean = mean_of(old, nodes, p, lane);
    const math::so3::Quaternion next_mean = mean_of(next, nodes, p, lane);
    for (std::size_t i = 0; i < nodes; ++i)
      if (shortest_turn(old_mean, old[i]).dot(shortest_turn(next_mean, next[i])) < third_of_turn) return true;
  }
  return false;
}

}  // namespace polhode::elements::spectral
