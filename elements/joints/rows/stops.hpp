// SPDX-License-Identifier: BSD-3-Clause
// Stops at the ends of a coordinate's way: an elastic contact that never pulls, damped as long as it lasts.
//
// With the penetration d = s - s_upper, or s_lower - s, and its rate (Hunt & Crossley 1975):
//   F = max(0, k d^n (1 + c ddot)) where d > 0, else 0; on b along s: -F at the upper stop, F at the lower one.
// The energy k d^(n + 1)/(n + 1) is strain energy; the rest of the power, k d^n c ddot^2 or what is left out where F
// would pull, is lost.
// Over a step: F = max(0, fbar (1 + c (d+ - d)/h)) with fbar the change of energy over that of d, so that without
// damping the energy is kept.
#pragma once
#include <limits>

#include "elements/joints/rows/coordinate_law.hpp"

namespace polhode::elements {

// Zero where nothing is given. Units are those of an angle or of a displacement.
struct Stops {
  // Free way of s: rad or m
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  // k, n, c: N or N m over the n-th power of the penetration; 1; s over rad or m
  double stiffness = 0;
  double exponent = 1.5;
  double damping = 0;

  bool is_given() const { return stiffness > 0; }
  // The force on b along s, N or N m, and its derivatives by s and its rate. Allocates nothing.
  CoordinateLaw::Value operator()(double s, double rate) const;
  // J
  double energy(double s) const;
  // Of what is no change of the energy, on the model; never positive. W
  double power(double s, double rate) const;
  // Over a step of length h from s to s + change: the force, and its derivative by the end.
  struct Mean {
    double force;
    double by_end;
  };
  Mean over(double s, double change, double h) const;
};

}  // namespace polhode::elements
