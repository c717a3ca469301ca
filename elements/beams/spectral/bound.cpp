// SPDX-License-Identifier: BSD-3-Clause
// Whether an element is turned past the end of the logarithms that its strains are made of.
#include "elements/beams/shortest_turn.hpp"
#include "elements/beams/spectral/kinematics.hpp"

namespace polhode::elements::spectral {

using math::so3::Quaternion;

namespace {

// No node is turned by as much as 0.7 of half a turn against the first one. Means lie between the nodes.
bool is_far_from_bound(const Element& d, NodeSpan n) {
  constexpr double least_cosine = -0.58;
  const Mat3 first = n[0].R * d.E[0];
  for (std::size_t i = 1; i < n.size(); ++i) {
    const double trace = first.cwiseProduct(n[i].R * d.E[i]).sum();
    if (trace < 1 + 2 * least_cosine) return false;
  }
  return true;
}

}  // namespace

// The mean jumps to the other side of the nodes, and with it all phi_i: of two nodes by half a turn. No motion turns
// them by as much as a third of a turn in a step. Means and quaternions are made for elements that are turned far alone.
bool passes_bound(const Element& d, NodeSpan before, NodeSpan now) {
  if (is_far_from_bound(d, before) && is_far_from_bound(d, now)) return false;
  constexpr double third_of_turn = 0.5;  // cosine of half of it
  const Frames old(d, before);
  const Frames next(d, now);
  for (const Point& p : d.points) {
    const Quaternion old_mean = mean_rotation({old.Q.data(), before.size()}, {p.L.data(), before.size()});
    const Quaternion next_mean = mean_rotation({next.Q.data(), now.size()}, {p.L.data(), now.size()});
    for (std::size_t i = 0; i < now.size(); ++i)
      if (shortest_turn(old_mean, old.Q[i]).dot(shortest_turn(next_mean, next.Q[i])) < third_of_turn) return true;
  }
  return false;
}

}  // namespace polhode::elements::spectral
