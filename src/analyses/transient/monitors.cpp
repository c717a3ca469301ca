// SPDX-License-Identifier: BSD-3-Clause
// Numbers of a step for the monitors.
#include "analyses/transient/monitors.hpp"

#include <algorithm>
#include <cmath>

namespace polhode::analyses {

double MultiplierOscillation::add(const model::VectorX& before, const model::VectorX& now) {
  if (now.size() == 0) return 0;
  double product = 0;
  double square = 0;
  for (Eigen::Index i = 0; i < now.size(); ++i) {
    const double change = now[i] - before[i];
    product += change * change_[i];
    square += now[i] * now[i];
    change_[i] = change;
  }
  largest_ = std::max(largest_, std::sqrt(square));
  const bool alternates = known_ && product < 0 && largest_ > 0;
  known_ = true;
  return alternates ? std::sqrt(-product) / largest_ : 0;
}

void StepMonitors::add(const model::State& before, const model::State& q, const integrators::StepReport& report,
                       double turn, double energy_balance, double pivot_ratio) {
  last_.turn = turn;
  last_.energy_balance = energy_balance;
  last_.oscillation = oscillation_.add(before.lambda, q.lambda);
  last_.pivot_ratio = pivot_ratio;
  extremes_.add({report, 0, last_});
}

}  // namespace polhode::analyses
