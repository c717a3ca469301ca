// SPDX-License-Identifier: BSD-3-Clause
// Rotation from one section of a beam to another, as a quaternion whose sign shows where its logarithm jumps.
#pragma once
#include "polhode/math/so3.hpp"

namespace polhode::elements {

// conj(from) to by the shortest way: (w, v) with w >= 0. Both of unit length.
inline math::so3::Quaternion shortest_turn(const math::so3::Quaternion& from, const math::so3::Quaternion& to) {
  math::so3::Quaternion turn = from.conjugate() * to;
  if (turn.w() < 0) turn.coeffs() *= -1;
  return turn;
}

}  // namespace polhode::elements
