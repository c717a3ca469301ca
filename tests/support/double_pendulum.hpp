// SPDX-License-Identifier: BSD-3-Clause
// Rods of 2 and 3 m from rest, with springs that do not hold them still.
#pragma once
#include "support/deck_text.hpp"

namespace polhode::support {

inline const std::string double_pendulum_deck = R"deck(
format: polhode-deck/1
gravity: [0, -9.81, 0]
nodes:
  rod1: {position: [1, 0, 0]}
  rod2: {position: ["=2 + 1.5*cos(pi/12)", "=-1.5*sin(pi/12)", 0]}
bodies:
  rod1: {type: rigid_body, node: rod1, mass: 3, inertia: [1, 1, 1]}
  rod2: {type: rigid_body, node: rod2, mass: 0.3, inertia: [0.225, 0.225, 0.225]}
joints:
  A: {type: revolute, connects: [ground, rod1], at: [0, 0, 0], axis: [0, 0, 1]}
  B: {type: revolute, connects: [rod1, rod2], at: [2, 0, 0], axis: [0, 0, 1]}
forces:
  a: {type: torsional_spring_damper, connects: [ground, rod1], axis: [0, 0, 1], stiffness: 60, damping: 2, free_angle: "=-pi/2"}
  b: {type: torsional_spring_damper, connects: [rod1, rod2], axis: [0, 0, 1], stiffness: 40, damping: 1.5, free_angle: "=pi/12"}
analysis: {type: transient, duration: 1, step: 0.1}
)deck";

inline io::Deck double_pendulum() { return deck_of(double_pendulum_deck); }

}  // namespace polhode::support
