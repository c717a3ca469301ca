// SPDX-License-Identifier: BSD-3-Clause
// Events: what happens to a mechanism where a function of time and signals crosses zero.
#pragma once
#include <string>
#include <vector>

#include "polhode/model/function.hpp"

namespace polhode::model {

class BatchBase;

// Constraint equations that hold a coordinate of a joint, or the rotation of one, at its value, from an event on;
// before, they are among the dropped ones (State::dropped). Their element remembers the value, and behind it the one
// that is held. Outputs of the element are what it adds to the reaction of the joint: force and moment, as joints have
// them.
struct Lock {
  const BatchBase* batch = nullptr;
  std::size_t element = 0;
  // The joint, an index into Model::entries
  int joint = 0;

  // The number of the first equation, and how many there are.
  int row() const;
  int rows() const;
  // The value is held that is now in this history of a state.
  void hold_value(math::VectorX& history) const;
};

// What is done at once.
struct Action {
  // Numbers of locks that hold from here on, or hold no longer
  std::vector<int> lock;
  std::vector<int> release;
  // Joints, as indices into Model::entries, whose constraint equations hold from here on, or hold no longer: the joint
  // comes apart, and what acts along its coordinates with it
  std::vector<int> close;
  std::vector<int> open;
  // An impulse on a node, and an impulsive moment; three functions each or none. Inertial components, N s and N m s
  int node = 0;
  std::vector<TimeFunction> impulse;
  std::vector<TimeFunction> moment;
  // Signals that get other values: indices into the deck's signals, and what each becomes
  std::vector<std::size_t> set;
  std::vector<TimeFunction> values;

  // Whether velocities change, by impulses that all joints share
  bool moves() const { return !lock.empty() || !close.empty() || !impulse.empty() || !moment.empty(); }
  // Whether it does something else than to hold and to release
  bool acts() const { return !impulse.empty() || !moment.empty() || !set.empty(); }
};

// An entry of the deck's `events`; or what an analysis does at its start, which has no `when`.
struct Event {
  enum class Direction { up, down, both };
  // Index into Model::entries
  int entry = 0;
  // Crosses `level`; a constant is the time of the event, s
  TimeFunction when;
  double level = 0;
  Direction direction = Direction::both;
  // What it does, one after the other at the same time
  std::vector<Action> actions{};
  // Nothing happens where the signals that it sets have their values already
  bool only_changes = false;
  // The run ends
  bool end = false;
  // "locks joints.hinge"
  std::string what;
};

}  // namespace polhode::model
