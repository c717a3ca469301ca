// SPDX-License-Identifier: BSD-3-Clause
// Functions of time and signals where they act on the motion.
#pragma once
#include "polhode/model/contract.hpp"
#include "polhode/model/function.hpp"

namespace polhode::model {

// What statics scale a load, a motor or an actuator by: the load factor; feedback is scaled as little as a spring is.
inline double load_factor_of(const TimeFunction& function, const Context& c) {
  return function.signals().empty() ? c.load_factor : 1;
}
// The function as it acts, in its own unit.
inline double acting(const TimeFunction& function, const Context& c) {
  return load_factor_of(function, c) * function.value(c.t, c.signals);
}
// The function of a drive with its derivatives by time; no load factor scales them.
inline Jet driving(const TimeFunction& function, const Context& c) { return function.along(c.t, c.moving_signals); }

}  // namespace polhode::model
