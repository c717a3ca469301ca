// SPDX-License-Identifier: BSD-3-Clause
// A deck's transient, watched.
#pragma once
#include <gtest/gtest.h>

#include "polhode/analyses/transient/transient.hpp"
#include "support/deck_text.hpp"
#include "support/models.hpp"

namespace polhode::support {

using analyses::TransientResult;

struct Looker final : analyses::Observer {
  std::vector<double> times;
  std::vector<std::string> warnings;
  void observe(const State& q, const integrators::StepRecord&, const analyses::Progress&, bool) override {
    times.push_back(q.t);
  }
  void warn(const std::string& message) override { warnings.push_back(message); }
};

struct Transient {
  explicit Transient(const io::Deck& deck) : machine(deck.model), q(machine.system.initial_state()) {
    result =
        run_transient(machine.system, *deck.analyses.front().as<analyses::TransientSettings>(), q, 0, looker, problems);
  }
  Machine machine;
  State q;
  Looker looker;
  model::Problems problems;
  TransientResult result;
};

// A mass of 2 kg under a force along x.
inline io::Deck pushed(const std::string& history, const std::string& step, const std::string& method = "rosenbrock4") {
  return deck_of(
      "format: polhode-deck/1\nnodes: {mass: {position: [0, 0, 0]}}\n"
      "bodies: {mass: {type: rigid_body, node: mass, mass: 2, inertia: [1, 1, 1]}}\n"
      "forces: {push: {type: load, node: mass, force: [1, 0, 0], history: \"=" +
      history +
      "\"}}\n"
      "analysis: {type: transient, duration: 1, step: " +
      step + ", integrator: {method: " + method + "}}\n");
}

// Tests that every method in state-space form passes.
class StateSpaceMethod : public testing::TestWithParam<std::string> {};

}  // namespace polhode::support
