// SPDX-License-Identifier: BSD-3-Clause
// Tangents of forces along a displacement.
#include "elements/joints/rows/axis_coordinate.hpp"

namespace polhode::elements {

// A variation of v changes sdot by g dv, with g the row; one of q changes s by g dq, sdot by v^T H dq, and g^T itself
// by H dq.
void AxisDisplacement::Reading::add_force_tangents_to(double tau, double by_value, double by_rate, PairBlock& C,
                                                      PairBlock& K) const {
  const PairBlock H = tangent();
  C.noalias() -= by_rate * row_.transpose() * row_;
  K.noalias() -= tau * H;
  K.noalias() -= row_.transpose() * (by_value * row_ + by_rate * rate_row(H));
}

}  // namespace polhode::elements
