// SPDX-License-Identifier: BSD-3-Clause
// What happened at an event of a run.
#pragma once
#include <string>

#include "polhode/math/archive.hpp"
#include "polhode/math/types.hpp"

namespace polhode::analyses {

struct EventRecord {
  // s
  double t = 0;
  // Of the deck, and what it did: "locks joints.hinge"
  std::string name;
  std::string what;
  // Of its locks, as torque or force times time along the coordinate of the first one; 0 without. N m s or N s
  double impulse = 0;
  // J, of the whole mechanism
  double energy_change = 0;

  // Before and behind all that happens at this time: of the whole mechanism, linear (N s) and angular about the origin
  // (N m s), inertial
  struct Momenta {
    math::Vec3 linear = math::Vec3::Zero();
    math::Vec3 angular = math::Vec3::Zero();
    void archive(math::Archive& a) { a(linear, angular); }
  };
  Momenta before;
  Momenta behind;

  void archive(math::Archive& a) { a(t, name, what, impulse, energy_change, before, behind); }
  // "event catch at t = 1.25 s: locks joints.hinge, impulse 0.3, energy -0.1 J"
  std::string text() const;
};

}  // namespace polhode::analyses
