// SPDX-License-Identifier: BSD-3-Clause
// Padé approximants of exp(-s T), with a denominator of order m.
#pragma once
#include "elements/signals/blocks/linear.hpp"

namespace polhode::elements {

// The diagonal one: a fraction of polynomials of one order whose series agrees with that of the exponential to the power
// 2 m of s T. Its gain is 1 at all frequencies, and 1 at rest.
// `time`: T, s, > 0; `order`: m >= 1, the number of states.
signals::StateSpace pade_approximant(double time, int order);

// That with a numerator of order m - 1, whose series agrees to the power 2 m - 1: nothing passes at once, and its gain
// is at most 1, at rest 1.
signals::StateSpace lagging_approximant(double time, int order);

}  // namespace polhode::elements
