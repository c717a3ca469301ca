// SPDX-License-Identifier: BSD-3-Clause
// Static analysis: equilibria along a path of loads.
//
// The path has one parameter s. Of a model that no analysis has loaded yet, s is the load factor: it scales loads,
// motors and gravity, drives relative to the position of the deck, and centrifugal accelerations. What the start leaves
// unbalanced without them (springs under tension, positions off the constraints within the tolerance) is taken back on
// the way:
//   R(q, lambda; s) = r(q, lambda; load factor s) - (1 - s) r_0,   Phi(q; s) - (1 - s) Phi_0
// with r_0 and Phi_0 those of the start. After an analysis that has loaded the model the loads stay, and s counts only
// how much of the unbalance of the start is gone.
#pragma once
#include <string>
#include <vector>

#include "polhode/analyses/restart_points.hpp"
#include "polhode/analyses/settings.hpp"
#include "polhode/assembly/system.hpp"

namespace polhode::analyses {

// One equilibrium of the path.
struct StaticStep {
  double load_factor = 0;     // s
  int iterations = 0;         // linear solves of the step, failed attempts apart
  double smallest_pivot = 0;  // of the tangent, over the largest one
  bool limit_point = false;   // the load factor has an extremum here
};

class StaticObserver {
 public:
  virtual ~StaticObserver() = default;
  virtual void observe(const model::State& q, const StaticStep& step, bool last) = 0;
  virtual bool interrupted() const { return false; }
  virtual void warn(const std::string& message) = 0;
  // Where the run may be taken up again; nullptr: nowhere.
  virtual RestartPoints* restart_points() { return nullptr; }
};

struct StaticResult {
  enum class End { done, failed, interrupted, invalid } end = End::done;
  std::string failure;               // what stopped it, in words
  std::vector<std::string> details;  // more lines of it
  std::vector<double> limit_loads;   // load factors of the limit points that were passed
  int steps = 0;                     // equilibria found
  // linear solves, and those of failed attempts
  long iterations = 0;
  long wasted = 0;
  double load_factor = 0;  // of the last equilibrium
  int unstable = 0;        // directions in which the last equilibrium is unstable
  // What the path did about its stability, in words: for the summary
  std::vector<std::string> notes;
  double smallest_pivot = 0;
};

// Constraints that follow from others, and those that the position of the deck breaks, drives aside, become problems.
void check_static_start(const assembly::System& system, const model::State& q, bool loaded, model::Problems& problems);

// `loaded`: an analysis before has put the loads on. Problems of the model go to `problems` (End::invalid). The state
// is the last equilibrium; at rest, or in steady rotation.
StaticResult run_static(const assembly::System& system, const StaticSettings& settings, bool loaded, model::State& q,
                        StaticObserver& observer, model::Problems& problems);

}  // namespace polhode::analyses
