// SPDX-License-Identifier: BSD-3-Clause
// Equilibrium of an assembled model, as a deck with `analysis: {type: static}` has it computed.
#pragma once
#include <stdexcept>
#include <vector>

#include "polhode/analyses/static/static.hpp"

namespace polhode::support {

// Keeps the path.
class PathKeeper final : public analyses::StaticObserver {
 public:
  void observe(const model::State& q, const analyses::StaticStep& step, bool) override {
    states.push_back(q);
    steps.push_back(step);
  }
  void warn(const std::string& message) override { warnings.push_back(message); }

  std::vector<model::State> states;
  std::vector<analyses::StaticStep> steps;
  std::vector<std::string> warnings;
};

// The path from the initial state, with loads and drives as they are at `time`; `result` tells how it ended.
inline PathKeeper path_of(const assembly::System& system, const analyses::StaticSettings& settings, double time,
                          analyses::StaticResult& result, model::State& q) {
  PathKeeper path;
  model::Problems problems;
  q = system.initial_state();
  q.t = time;
  result = analyses::run_static(system, settings, false, q, path, problems);
  if (!problems.empty()) throw std::runtime_error(problems.front().path + ": " + problems.front().message);
  return path;
}

// The equilibrium at time 1; throws where there is none. `solves` counts linear solves.
inline model::State equilibrium(const assembly::System& system, int* solves = nullptr) {
  analyses::StaticResult result;
  model::State q;
  path_of(system, {}, 1, result, q);
  if (result.end != analyses::StaticResult::End::done) throw std::runtime_error(result.failure);
  if (solves) *solves += static_cast<int>(result.iterations + result.wasted);
  return q;
}

}  // namespace polhode::support
