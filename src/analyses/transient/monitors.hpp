// SPDX-License-Identifier: BSD-3-Clause
// What the loop over time sees of a step for the monitors (results/monitors.hpp).
#pragma once
#include "polhode/integrators/step_record.hpp"
#include "polhode/results/monitors.hpp"

namespace polhode::analyses {

// The part of multipliers that changes sign from step to step: of changes d_n = lambda_n - lambda_{n-1},
// sqrt(-d_n . d_{n-1}) where that is real, over the largest |lambda|. Of a_n (-1)^n it is 2 |a_n| over the largest.
class MultiplierOscillation {
 public:
  // `rows`: number of multipliers.
  explicit MultiplierOscillation(int rows) : change_(model::VectorX::Zero(rows)) {}
  // Allocates nothing.
  double add(const model::VectorX& before, const model::VectorX& now);
  // Behind a restart: the change there is none of an oscillation.
  void forget() { known_ = false; }

 private:
  model::VectorX change_;
  bool known_ = false;
  double largest_ = 0;
};

class StepMonitors {
 public:
  // `rows`: number of multipliers.
  explicit StepMonitors(int rows) : oscillation_(rows) {}
  // The step from `before` to `q`, in which the fastest node turned by `turn`, rad. `report`: of the step, or of the
  // last of its parts; `energy_balance` in J.
  void add(const model::State& before, const model::State& q, const integrators::StepReport& report, double turn,
           double energy_balance, double pivot_ratio);
  void forget_oscillation() { oscillation_.forget(); }
  const integrators::WatchedStep& last() const { return last_; }
  const results::MonitorExtremes& extremes() const { return extremes_; }

 private:
  MultiplierOscillation oscillation_;
  integrators::WatchedStep last_;
  results::MonitorExtremes extremes_;
};

}  // namespace polhode::analyses
