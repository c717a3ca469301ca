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
  double step = 0;      // > 0, h: t_n = t_0 + n h
  integrators::IntegratorSettings integrator;
  integrators::NewtonSettings newton;
};

struct OutputSettings {
  int every = 1;                    // store every n-th step; the first and the last state always
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

}  // namespace polhode::analyses
