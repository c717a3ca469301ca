// SPDX-License-Identifier: BSD-3-Clause
// A machine with a controller in equilibrium.
#pragma once
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "support/deck_text.hpp"
#include "support/statics.hpp"

namespace polhode::support {

// A body of 2 kg at 1 m from a hinge about y, angle down; a controller of its motor.
inline std::string held_by(const std::string& signals, const std::string& analysis) {
  return "format: polhode-deck/1\ngravity: [0, 0, -9.81]\nnodes: {rod: {position: [1, 0, 0]}}\n"
         "bodies: {rod: {type: rigid_body, node: rod, mass: 2, inertia: [0.1, 0.2, 0.3]}}\n"
         "signals:\n  angle: {of: joints.hinge.coordinates}\n  error: \"=0.5 - angle\"\n" +
         signals +
         "joints:\n  hinge: {type: revolute, connects: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0], motor: torque}\n"
         "analysis: " +
         analysis + "\n";
}

// The same with a spring at the hinge, so that it stays where no controller holds it.
inline std::string held_by_spring_and(const std::string& signals, const std::string& analysis) {
  std::string text = held_by(signals, analysis);
  text.insert(text.find("analysis:"),
              "forces: {t: {type: torsional_spring_damper, connects: [ground, rod], axis: [0, 1, 0], "
              "stiffness: 500}}\n");
  return text;
}

struct Rested {
  explicit Rested(const std::string& text) : deck(deck_of(text)) {
    system = assembly::System::make(deck.model, problems);
    if (!system) throw std::runtime_error(problems.front().message);
    q = system->initial_state();
    result = analyses::run_static(*system, {}, false, q, keeper, problems);
  }
  double signal(const std::string& name) const {
    for (std::size_t i = 0; i < system->signals().signals().size(); ++i)
      if (system->model().entries[static_cast<std::size_t>(system->signals().signals()[i].entry)].name == name)
        return q.signals.values[static_cast<Eigen::Index>(system->signals().first_of(i))];
    throw std::runtime_error(name);
  }
  io::Deck deck;
  model::Problems problems;
  std::optional<assembly::System> system;
  model::State q;
  PathKeeper keeper;
  analyses::StaticResult result;
};

inline constexpr double weight_moment = 2 * 9.81;  // N m at a level arm
inline const double holding = -weight_moment * std::cos(0.5);

}  // namespace polhode::support
