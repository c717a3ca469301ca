// SPDX-License-Identifier: BSD-3-Clause
// Cubic Hermite interpolation.
#pragma once

namespace polhode::math {

// Weights at the part s of a step of h, from values and rates at both ends: a + rise (b - a) + first a' + second b'.
struct CubicWeights {
  CubicWeights(double s, double h)
      : rise(s * s * (3 - 2 * s)), first(h * s * (1 - s) * (1 - s)), second(h * s * s * (s - 1)) {}
  double rise;
  double first;
  double second;
};

}  // namespace polhode::math
