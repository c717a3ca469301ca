// SPDX-License-Identifier: BSD-3-Clause
// What a deck asks of a transient analysis and of its output.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "polhode/integrators/settings.hpp"

namespace polhode::analyses {

struct TransientSettings {
  double duration = 0;  // > 0
  double step = 0;      // > 0, h: t_n = t_0 + n h; 0 under control
  std::optional<integrators::StepControlSettings> control;
  integrators::IntegratorSettings integrator;
  integrators::NewtonSettings newton;
};

struct OutputSettings {
  int every = 1;  // store every n-th step; the first and the last state always
  // States at these times instead, between the steps (dense_output.hpp): multiples of `interval`, or `times`
  // (ascending).
  std::optional<double> interval;   // s, from the start of the run
  std::vector<double> times;        // s
  std::vector<std::string> fields;  // names of groups to store; empty = all
};

// A small number of a run: `of` names a channel and, if wanted, an item and a component ("nodes.tip.position.z").
struct Response {
  enum class Kind { max_abs, range, min, max, last, rms, at };
  std::string name;
  Kind kind = Kind::last;
  std::string of;
  double time = 0;  // of `at`
};

// Steps of an analysis: exact where they are fixed, a guess where they are under control.
double expected_steps(const TransientSettings& settings);
// States that an analysis stores, its first one included; of the same quality.
double expected_states(const TransientSettings& settings, const OutputSettings& output, double begin);
bool any_controlled(const std::vector<TransientSettings>& all);

}  // namespace polhode::analyses
