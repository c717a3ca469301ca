// SPDX-License-Identifier: BSD-3-Clause
// Velocities, accelerations and increments of a node in vector registers: the six numbers of a Vec6, translation first,
// are the first two in one register and the other four in another, where lane 0 is a translation's and lanes 1 to 3 are
// the rotation. Functions of rotations leave lane 0 as it is, so that both parts are computed at once.
// Nothing here allocates.
#pragma once
#include "polhode/math/registers.hpp"
#include "polhode/math/so3.hpp"

namespace polhode::math {

// (0, a) of four numbers (w, a), and of (a, w).
inline Four last_three(Four wa) { return __builtin_shufflevector(wa, Four{}, 4, 1, 2, 3); }
inline Four first_three(Four aw) { return __builtin_shufflevector(aw, Four{}, 4, 0, 1, 2); }

// a x b of lanes 1 to 3; lane 0 is zero if that of `a` is.
inline Four cross(Four a, Four b) {
  const Four turned = a * __builtin_shufflevector(b, b, 0, 2, 3, 1) - __builtin_shufflevector(a, a, 0, 2, 3, 1) * b;
  return __builtin_shufflevector(turned, turned, 0, 2, 3, 1);
}

// A Vec6.
struct MotionRegisters {
  Two first;
  Four last;

  static MotionRegisters of(const Vec6& v) { return of(v.data()); }
  void store_to(Vec6& v) const { store_to(v.data()); }
  // Six numbers one behind the other.
  static MotionRegisters of(const double* v) { return {load<Two>(v), load<Four>(v + 2)}; }
  void store_to(double* v) const {
    store(first, v);
    store(last, v + 2);
  }
  friend MotionRegisters operator+(MotionRegisters a, MotionRegisters b) { return {a.first + b.first, a.last + b.last}; }
  friend MotionRegisters operator*(double f, MotionRegisters a) { return {f * a.first, f * a.last}; }
};

// The rotation of e backwards, E^T = I - 2 w q~ + 2 q~ q~ for the unit quaternion e = (w, q).
struct BackRotation {
  Four q;
  double w;

  explicit BackRotation(const so3::Quaternion& e) : q(first_three(load_four(e.coeffs().data()))), w(e.w()) {}
  // Of the last three numbers; translations stay.
  MotionRegisters operator*(MotionRegisters v) const {
    const Four t = cross(q + q, v.last);
    return {v.first, v.last - w * t + cross(q, t)};
  }
};

}  // namespace polhode::math
