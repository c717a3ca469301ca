// SPDX-License-Identifier: BSD-3-Clause
// A controller with proportional, integral and derivative action, a limit, and anti-windup by back-calculation:
//   y = sat(w),  w = kp u + I + kd r,   I' = ki u + (sat(w) - w)/T_t
// r is the signal `rate`, or (u - x)/tau with a filter, x' = (u - x)/tau.
#pragma once
#include "polhode/model/catalog.hpp"

namespace polhode::elements {

extern const model::KindInfo pid_info;

}  // namespace polhode::elements
