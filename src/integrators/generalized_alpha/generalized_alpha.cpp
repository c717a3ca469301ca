// SPDX-License-Identifier: BSD-3-Clause
// Generalized-alpha methods as an Integrator: start, attempts, what is saved.
#include "polhode/integrators/generalized_alpha/generalized_alpha.hpp"

#include <utility>

namespace polhode::integrators {

// Without rates a_0 = vdot_0. With them (a perturbed start) a_0 and v_0 get the offsets that the method
// itself carries along a smooth motion, v_0 only their part normal to the constraints
// (docs/theory.md, Perturbed start).
bool GeneralizedAlpha::start(State& q, const Start& start) {
  Scheme::start(q);
  SignalStep::start(q);
  system_.signals().record(q, true);
  if (!wants_rates()) return true;
  const Scheme& scheme = step_.scheme();
  const std::size_t n = q.v.size();
  std::vector<Vec6> velocity_offsets(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Scheme::Offsets offsets = scheme.offsets(q.v[i], q.vdot[i], start.vddot[i]);
    q.memory[i] += start.h * offsets.a;
    q.memory[n + i] = q.vdot[i] - start.h * start.vddot[i];  // vdot before the start, for the predictor
    velocity_offsets[i] = start.h * start.h * offsets.v;
  }
  q.last_step = start.h;
  return scheme.meets_velocity_constraints() || step_.add_normal_velocities(q, velocity_offsets);
}

// next_ is the state before the last step, by exchange: only its sizes matter.
const StepReport& GeneralizedAlpha::attempt(const State& q, const Step& step) {
  if (next_.x.size() != q.x.size()) next_ = q;
  next_.memory.resize(q.memory.size());
  step_.attempt(q, step, next_, report_);
  return report_;
}

// By exchange: memory of the old state serves the next attempt.
void GeneralizedAlpha::accept(State& q) {
  q.swap(next_);
  step_.accepted();
}

void GeneralizedAlpha::name_worst(StepReport& report) {
  constexpr int count = 5;
  if (std::vector<std::string> rows = step_.worst_rows(count); !rows.empty()) report.worst = std::move(rows);
}

// Once: both methods are the same without constraints.
std::string GeneralizedAlpha::notice() {
  const bool same = step_.settings().method == "lie_alpha_index2" && system_.rows() == 0;
  if (!same || std::exchange(noticed_, true)) return "";
  return "lie_alpha_index2 is the same as lie_alpha here, since the model has no constraints";
}

// Numbers of another model are refused by their count.
bool GeneralizedAlpha::load(const State& q, std::span<const double> data) {
  return q.memory.size() == 2 * system_.nodes() && step_.load(data);
}

}  // namespace polhode::integrators
