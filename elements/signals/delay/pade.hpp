// SPDX-License-Identifier: BSD-3-Clause
// The diagonal Padé approximant of exp(-s T): a fraction of polynomials of one order whose series agrees with that of
// the exponential to the power 2 m of s T. Its gain is 1 at all frequencies, and 1 at rest.
#pragma once
#include "elements/signals/blocks/linear.hpp"

namespace polhode::elements {

// `time`: T, s, > 0; `order`: m >= 1, the number of states.
signals::StateSpace pade_approximant(double time, int order);

}  // namespace polhode::elements
