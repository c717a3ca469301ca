// SPDX-License-Identifier: BSD-3-Clause
// Generalized-alpha methods as an Integrator: start, attempts, what is saved.
#include "polhode/integrators/generalized_alpha/generalized_alpha.hpp"

#include <utility>

#include "polhode/model/move.hpp"

namespace polhode::integrators {

// Without rates a_0 = vdot_0. With them (a perturbed start) a_0 and v_0 get the offsets that the method
// itself carries along a smooth motion, v_0 only their part normal to the constraints
// (docs/theory.md, Perturbed start).
bool GeneralizedAlpha::start(State& q, const Start& start) {
  Scheme::start(q);
  start_signals(q, start.h);
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

// The offset of a_0 dies out with an error of h^2 in z, which a drive turns into accelerations of order one. f'_0 by
// differences along the motion; where h f'' is larger, steps do not resolve it.
void GeneralizedAlpha::start_signals(State& q, double h) {
  SignalStep::start(q);
  const assembly::SignalNetwork& signals = system_.signals();
  if (!(h > 0) || !signals.has_states() || !signals.has_drives()) return;
  const double dt = 1e-3 * h;
  const auto rate_behind = [&](double t) {
    State later = q;
    model::follow_motion(later, t);
    later.signals.z += t * q.signals.rate;
    later.signals.base = later.signals.z;
    later.signals.gain = 0;
    signals.settle(later);
    return later.signals.rate;
  };
  const model::VectorX& f = q.signals.rate;
  const model::VectorX f1 = rate_behind(dt);
  const model::VectorX f2 = rate_behind(2 * dt);
  const model::VectorX first = (4 * f1 - 3 * f - f2) / (2 * dt);
  const model::VectorX second = (f2 - 2 * f1 + f) / (dt * dt);
  if (!(h * second.norm() <= first.norm())) return;
  const AlphaParameters p = AlphaParameters::of(step_.settings());
  q.signals.mean_rate += (p.alpha_m - p.alpha_f) * h * first;
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
