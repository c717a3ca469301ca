// SPDX-License-Identifier: BSD-3-Clause
// The shape in which a cable hangs between two points: equilibrium of its elements, each of whose weight stands half at
// either end.
//
// Tensions differ from element to element by the weight of a node, T_(k+1) = T_k - w, so that T_1 is all that is
// unknown: the elements have to lead from one point to the other,
//   sum_k L (1/EA + 1/|T_k|) T_k = to - from,
// which is the gradient of a convex function of T_1 (Newton's method with a line search finds its least value).
#pragma once
#include <optional>
#include <vector>

#include "polhode/math/types.hpp"

namespace polhode::elements {

struct HangingCable {
  int elements;
  // Of an element without tension, m
  double length;
  // EA, N
  double stiffness;
  // Of an element, N
  math::Vec3 weight;
};

// The positions of the nodes between the ends, m; nothing where no such shape is found: without weight a cable longer
// than the distance has none.
std::optional<std::vector<math::Vec3>> hanging_nodes(const HangingCable& cable, const math::Vec3& from,
                                                     const math::Vec3& to);

}  // namespace polhode::elements
