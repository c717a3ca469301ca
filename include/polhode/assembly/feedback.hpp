// SPDX-License-Identifier: BSD-3-Clause
// What acts on the motion and follows measurements of it.
#pragma once
#include <string>
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::assembly {

struct Feedback {
  int entry;                 // of the model: a motor's joint, a load, an actuator
  std::string key;           // "motor", or "about.motor" of a member of a group, "0.motor" of one of a list
  std::vector<int> sensors;  // numbers of signals, ascending; not empty
};

// In the order of the deck. Signals and events, which follow others by their nature, are none.
std::vector<Feedback> feedback_of(const System& system);

}  // namespace polhode::assembly
